// What would be installed, as a person sees it before saying yes.
import type { PlannedSkill } from '../../app/install/planned-skill.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { paint, type Terminal } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';
import { type Permission, permissionsOf } from '../../distribution/difference.ts';
import type { Changes } from '../../distribution/judge.ts';
import { renderVetting } from './finding.ts';
import { renderOpenNeeds } from './need/open-need.ts';

const LISTED = 12;

const MARKS = { install: '+', replace: '~', unchanged: '=' } as const;

export function renderPlan(items: readonly PlannedSkill[], language: Language, terminal: Terminal): string {
  return items.flatMap((item) => renderItem(item, language, terminal)).join('\n');
}

function renderItem(item: PlannedSkill, language: Language, terminal: Terminal): string[] {
  const { candidate, action, changes, warnings, needs, needsPerson } = item;
  const { manifest, origin, signer, digest } = candidate;
  const version = manifest.version === undefined ? '' : ` ${manifest.version}`;
  const head = `  ${MARKS[action]} ${paint(visible(`${manifest.name}${version}`), 'bold', terminal)} ${visible(manifest.description).slice(0, 200)}`;
  if (action === 'unchanged') return [head];
  const words = WORDS[language];
  const commit = origin.commit === undefined ? '' : ` @ ${origin.commit.slice(0, 12)}`;
  return [
    head,
    `    ${words.from}: ${visible(origin.location)}${commit}`,
    `    ${words.signer}: ${signer ?? words.nobody}`,
    `    ${digest.digest} (${words.files}: ${digest.files.length})`,
    `    ${words.may}: ${list(permissionsOf(manifest), language)}`,
    ...(changes ? renderChanges(changes, language) : []),
    ...renderVetting(candidate.vetting, language, terminal),
    ...renderOpenNeeds(needs, manifest.name, language),
    ...[...warnings, ...needsPerson].map((text) => `    ${paint('!', 'yellow', terminal)} ${text[language]}`),
  ];
}

function renderChanges({ version, files, permissions }: Changes, language: Language): string[] {
  const words = WORDS[language];
  const lines = [`    ${words.version}: ${visible(version.before ?? '?')} → ${visible(version.after ?? '?')}`];
  const sets: [string, readonly string[]][] = [
    [`${words.files} +`, files.added],
    [`${words.files} ~`, files.changed],
    [`${words.files} -`, files.removed],
    [`${words.may} +`, permissions.added],
    [`${words.may} -`, permissions.removed],
  ];
  return [
    ...lines,
    ...sets.filter(([, names]) => names.length > 0).map(([title, names]) => `    ${title} ${cut(names)}`),
  ];
}

function list(permissions: readonly Permission[], language: Language): string {
  const all = inLanguage(NO_TOOL_LIMIT, language);
  return cut(permissions.map((permission) => (permission === 'tool *' ? all : permission)));
}

function cut(names: readonly string[]): string {
  const rest = names.length > LISTED ? `, … (${names.length - LISTED})` : '';
  return names.slice(0, LISTED).map(visible).join(', ') + rest;
}

const NO_TOOL_LIMIT: Text = {
  en: 'no tool limit of its own (policy still decides)',
  zh: '未限制工具（仍受策略约束）',
};

const WORDS = {
  en: { from: 'from', signer: 'signed by', nobody: 'nobody', files: 'files', may: 'may use', version: 'version' },
  zh: { from: '来源', signer: '签名', nobody: '无', files: '文件', may: '可用', version: '版本' },
};
