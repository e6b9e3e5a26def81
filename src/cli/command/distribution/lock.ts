// `lock`: what is installed and from where; with --rewrite the lock is written anew from what lies there.
import path from 'node:path';
import { choosePlace } from '../../../app/install/carry-out.ts';
import type { Runtime } from '../../../app/runtime.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { type LockedSkill, readLock, rewriteLock } from '../../../distribution/lock.ts';
import { type InstallPlace, SCOPES } from '../../../distribution/place.ts';
import { readForeignLock } from '../../../distribution/source/foreign-lock.ts';
import { digestSkill } from '../../../skill/digest.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  about: {
    en: 'A rewritten lock takes every file as it is now: read the differences first. Where `skills-lock.json` names the source of a skill, it is taken over.',
    zh: '重写锁文件会接受当前所有文件: 请先查看差异。`skills-lock.json` 中记录的来源会被采用。',
  },
  positionals: [],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      choices: SCOPES,
      summary: { en: 'of this project or of you; the project unless given', zh: '项目或用户；默认项目' },
    },
    { name: 'rewrite', summary: { en: 'write it anew from what is there', zh: '按现有内容重写' } },
  ],
  examples: ['skillwright lock', 'skillwright lock --rewrite'],
  async run({ options, runtime, terminal }) {
    const place = choosePlace(runtime, options);
    const isRewrite = isOn(options, 'rewrite');
    const skills = isRewrite ? rewrite(place, runtime) : readLock(place.lockFile).skills;
    const columns = titledColumns(TITLES, runtime.language);
    const rows = skills.map(({ name, version, source, digest }) => [name, version ?? '', source.location, digest]);
    const noun = `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}`;
    const said = isRewrite
      ? { en: `locked ${noun}`, zh: `已锁定 ${skills.length} 个技能` }
      : { en: `${noun} locked`, zh: `锁文件中有 ${skills.length} 个技能` };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { path: place.lockFile, skills }),
      ...(rows.length > 0 && { human: renderTable(columns, rows, terminal) }),
    };
  },
};

const TITLES: readonly Text[] = [
  { en: 'SKILL', zh: '技能' },
  { en: 'VERSION', zh: '版本' },
  { en: 'SOURCE', zh: '来源' },
  { en: 'DIGEST', zh: '摘要' },
];

function rewrite(place: InstallPlace, runtime: Runtime): readonly LockedSkill[] {
  const before = readIfPossible(place.lockFile);
  const foreign = place.scope === 'project' ? readForeignLock(runtime.project) : [];
  const here = runtime
    .index()
    .skills.filter(({ root, folderName }) => root === place.root && !folderName.includes('/'));
  const base = place.scope === 'project' ? runtime.project : undefined;
  const skills = here.map(({ name, folderName, folder, manifest: { version } }): LockedSkill => {
    const known = before.find((skill) => skill.name === name);
    const digest = digestSkill(folder);
    const isSame = known?.digest === digest.digest;
    const location = base === undefined ? folder : `./${path.relative(base, folder)}`;
    const source = known?.source ??
      foreign.find((one) => one.name === name)?.origin ?? { kind: 'folder' as const, location };
    const installed = isSame && known ? known.installed : new Date(runtime.clock.now()).toISOString();
    const signer = isSame && known?.signer !== undefined && { signer: known.signer };
    return {
      name,
      folder: folderName,
      ...(version !== undefined && { version }),
      ...digest,
      source,
      ...signer,
      installed,
    };
  });
  rewriteLock(place.lockFile, skills);
  return skills;
}

// A damaged lock is the very reason to write a new one.
function readIfPossible(file: string): readonly LockedSkill[] {
  try {
    return readLock(file).skills;
  } catch {
    return [];
  }
}
