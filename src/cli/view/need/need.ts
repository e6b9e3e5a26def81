// What a skill needs, as a table: what, whether it is there, where it was found, and what mends it.
import type { JudgedNeed, NeedState } from '../../../app/need/state.ts';
import { needName } from '../../../app/need/view.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { paint, renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { NeedKind } from '../../../skill/need/need.ts';
import { titledColumns } from '../titled-columns.ts';

const TITLES: readonly Text[] = [
  { en: 'NEED', zh: '需求' },
  { en: 'KIND', zh: '类型' },
  { en: 'STATE', zh: '状态' },
  { en: 'FOUND IN', zh: '发现于' },
];

export const KINDS: Readonly<Record<NeedKind, Text>> = {
  host: { en: 'host', zh: '主机' },
  variable: { en: 'variable', zh: '变量' },
  program: { en: 'program', zh: '程序' },
  home: { en: 'home', zh: '主目录' },
  device: { en: 'device', zh: '设备' },
};

const STATES: Readonly<Record<NeedState, Text>> = {
  present: { en: 'present', zh: '就绪' },
  missing: { en: 'missing', zh: '缺失' },
  'not-granted': { en: 'not granted', zh: '未授予' },
};

const PROBABLY: Text = { en: '(probably)', zh: '（可能）' };

/** Empty where nothing is needed. */
export function renderNeeds(needs: readonly JudgedNeed[], language: Language, terminal: Terminal): string {
  if (needs.length === 0) return '';
  const rows = needs.map((need) => [
    visible(needName(need)),
    inLanguage(KINDS[need.kind], language),
    inLanguage(STATES[need.state], language),
    `${visible(foundIn(need))}${need.sure === 'likely' ? ` ${inLanguage(PROBABLY, language)}` : ''}`,
  ]);
  return renderTable(titledColumns(TITLES, language), rows, terminal);
}

/** The surest place, and how many more there are. */
export function foundIn({ places }: Pick<JudgedNeed, 'places'>): string {
  const [first] = places;
  const more = places.length > 1 ? ` +${places.length - 1}` : '';
  return first ? `${first.file}:${first.line}${more}` : '';
}

/** One command a line, each once. */
export function renderRemedies(needs: readonly JudgedNeed[], language: Language, terminal: Terminal): string {
  const commands = [...new Set(needs.flatMap(({ command }) => command ?? []))];
  if (commands.length === 0) return '';
  const title = inLanguage({ en: 'To mend it', zh: '修复方法' }, language);
  return [paint(title, 'bold', terminal), ...commands.map((command) => `  ${visible(command)}`)].join('\n');
}
