// What a skill needs, as a table: what, whether it is there, where it was found, and what mends it.
import type { JudgedNeed, NeedState, PackageFacts, ShownKind } from '../../../app/need/state.ts';
import { needName } from '../../../app/need/view.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { paint, renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { titledColumns } from '../titled-columns.ts';

const TITLES: readonly Text[] = [
  { en: 'NEED', zh: '需求' },
  { en: 'KIND', zh: '类型' },
  { en: 'STATE', zh: '状态' },
  { en: 'FOUND IN', zh: '发现于' },
];

const KINDS: Readonly<Record<ShownKind, Text>> = {
  host: { en: 'host', zh: '主机' },
  variable: { en: 'variable', zh: '变量' },
  program: { en: 'program', zh: '程序' },
  home: { en: 'home', zh: '主目录' },
  device: { en: 'device', zh: '设备' },
  package: { en: 'package', zh: '软件包' },
};

const ECOSYSTEMS: Readonly<Record<PackageFacts['ecosystem'], Text>> = {
  python: { en: 'Python package', zh: 'Python 软件包' },
  node: { en: 'Node package', zh: 'Node 软件包' },
};

/** Of a package: of which ecosystem. */
export function kindOf({ kind, package: brought }: Pick<JudgedNeed, 'kind' | 'package'>): Text {
  return brought ? ECOSYSTEMS[brought.ecosystem] : KINDS[kind];
}

const STATES: Readonly<Record<NeedState, Text>> = {
  present: { en: 'present', zh: '就绪' },
  missing: { en: 'missing', zh: '缺失' },
  'not-granted': { en: 'not granted', zh: '未授予' },
  unknown: { en: 'not checked', zh: '未检查' },
};

const PROBABLY: Text = { en: 'probably', zh: '可能' };
const OPTIONAL: Text = { en: 'optional', zh: '可选' };

const CERTAINTIES: Readonly<Record<PackageFacts['certainty'], Text>> = {
  declared: { en: 'declared', zh: '已声明' },
  stated: { en: 'stated', zh: '已说明' },
  imported: { en: 'imported', zh: '已导入' },
  guessed: { en: 'guessed', zh: '猜测' },
};

/** How sure it is, where that is worth a word; of a package always. */
export function sureWords({ sure, package: brought }: Pick<JudgedNeed, 'sure' | 'package'>): Text[] {
  if (!brought) return sure === 'likely' ? [PROBABLY] : [];
  return [CERTAINTIES[brought.certainty], ...(brought.optional ? [OPTIONAL] : [])];
}

/** Empty where nothing is needed. */
export function renderNeeds(needs: readonly JudgedNeed[], language: Language, terminal: Terminal): string {
  if (needs.length === 0) return '';
  const rows = needs.map((need) => [
    visible(needName(need)),
    inLanguage(kindOf(need), language),
    inLanguage(STATES[need.state], language),
    `${visible(foundIn(need))}${inBrackets(sureWords(need), language)}`,
  ]);
  return renderTable(titledColumns(TITLES, language), rows, terminal);
}

function inBrackets(words: readonly Text[], language: Language): string {
  if (words.length === 0) return '';
  const [en, zh] = [words.map((word) => word.en), words.map((word) => word.zh)];
  return inLanguage({ en: ` (${en.join(', ')})`, zh: `（${zh.join('，')}）` }, language);
}

/** The surest place, and how many more there are. */
export function foundIn({ places }: Pick<JudgedNeed, 'places'>): string {
  const [first] = places;
  const more = places.length > 1 ? ` +${places.length - 1}` : '';
  return first ? `${first.file}:${first.line}${more}` : '';
}

/** The table, and below it what prepares the packages that are not there. */
export function renderNeedsAndPackages(needs: readonly JudgedNeed[], language: Language, terminal: Terminal): string {
  const packages = needs.filter(({ kind }) => kind === 'package');
  const parts = [renderNeeds(needs, language, terminal), renderRemedies(packages, language, terminal)];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** One command a line, each once. */
export function renderRemedies(needs: readonly JudgedNeed[], language: Language, terminal: Terminal): string {
  const commands = [...new Set(needs.flatMap(({ command }) => command ?? []))];
  if (commands.length === 0) return '';
  const title = inLanguage({ en: 'To mend it', zh: '修复方法' }, language);
  return [paint(title, 'bold', terminal), ...commands.map((command) => `  ${visible(command)}`)].join('\n');
}
