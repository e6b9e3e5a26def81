// Environments as people see them: which packages, how large, where.
import type { ListedEnvironment } from '../../../app/environment/stored.ts';
import { isRecord } from '../../../base/json.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { renderList, renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { formatSize } from '../../../process/limits.ts';
import { titledColumns } from '../titled-columns.ts';

/** Of each environment its packages, a line each ecosystem, and what of them a call does not get. */
export function renderPrepared(
  data: Readonly<Record<string, unknown>>,
  language: Language,
  terminal: Terminal,
): string {
  const environments = Array.isArray(data.environments) ? data.environments.filter(isRecord) : [];
  const lines = environments.map(({ ecosystem, packages, bytes, environment }) => {
    const names = Array.isArray(packages) ? packages.map(String).map(visible).join(' ') : '';
    const size = typeof bytes === 'number' ? formatSize(bytes) : '';
    return [visible(String(ecosystem)), `${names} (${size}, ${String(environment).slice(0, 12)})`] as const;
  });
  const listed = (name: string) =>
    environments.flatMap((one) => (Array.isArray(one[name]) ? one[name].map(String).map(visible) : []));
  const apart = APART.flatMap(([field, text]) => {
    const names = listed(field).join(', ');
    return names === '' ? [] : [[inLanguage(text, language), names] as const];
  });
  return lines.length === 0 ? '' : renderList([...lines, ...apart], terminal);
}

const CHANGES: Text = { en: 'changed', zh: '变化' };
/** Would run whenever Python starts. */
const LEFT_OUT: Text = { en: 'left out', zh: '已略去' };
/** The machine has a program of that name. */
const BEHIND: Text = { en: 'not before the system’s', zh: '排在系统程序之后' };

const APART = [
  ['changes', CHANGES],
  ['left_out', LEFT_OUT],
  ['behind', BEHIND],
] as const;

const TITLES: readonly Text[] = [
  { en: 'NAME', zh: '名称' },
  { en: 'FOR', zh: '类别' },
  { en: 'PACKAGES', zh: '软件包' },
  { en: 'SIZE', zh: '大小' },
  { en: 'SKILLS', zh: '技能' },
];

export function renderEnvironments(
  environments: readonly ListedEnvironment[],
  language: Language,
  terminal: Terminal,
): string {
  const rows = environments.map(({ name, ecosystem, packages, bytes, skills, damaged }) => [
    name.slice(0, 12),
    damaged ? inLanguage(DAMAGED, language) : ecosystem,
    String(packages.length),
    formatSize(bytes),
    visible(skills.join(', ')),
  ]);
  return renderTable(titledColumns(TITLES, language), rows, terminal);
}

const DAMAGED: Text = { en: 'damaged', zh: '已损坏' };

export function environmentFacts(found: ListedEnvironment, language: Language): (readonly [string, string])[] {
  const say = (text: Text) => inLanguage(text, language);
  return [
    [say({ en: 'name', zh: '名称' }), found.name],
    [say({ en: 'state', zh: '状态' }), say(found.damaged ? DAMAGED : { en: 'sealed', zh: '已封存' })],
    [say({ en: 'packages', zh: '软件包' }), visible(found.packages.join(' '))],
    ...(found.left_out.length > 0 ? [[say(LEFT_OUT), visible(found.left_out.join(', '))] as const] : []),
    ...(found.behind.length > 0 ? [[say(BEHIND), visible(found.behind.join(', '))] as const] : []),
    [say({ en: 'index', zh: '索引' }), visible(found.index)],
    [say({ en: 'for', zh: '适用于' }), visible(found.exact)],
    [say({ en: 'size', zh: '大小' }), `${formatSize(found.bytes)} (${found.files})`],
    [say({ en: 'entry', zh: '锁条目' }), found.entry],
    [say({ en: 'tree', zh: '内容' }), found.tree],
    [say({ en: 'skills', zh: '技能' }), visible(found.skills.join(', '))],
  ];
}
