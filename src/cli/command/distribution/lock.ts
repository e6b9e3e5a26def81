// `lock`: what is installed and from where; with --rewrite the lock is written anew from what lies there.
import { readPlaceLock, rewritePlaceLock } from '../../../app/install/lock.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { readScope, SCOPE } from '../../frame/install-arguments.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  about: {
    en: 'A rewritten lock takes every file as it is now: read the differences first. Where `skills-lock.json` names the source of a skill, it is taken over.',
    zh: '重写锁文件会接受当前所有文件: 请先查看差异。`skills-lock.json` 中记录的来源会被采用。',
  },
  positionals: [],
  options: [SCOPE, { name: 'rewrite', summary: { en: 'rewrite it from what is installed', zh: '按现有内容重写' } }],
  examples: ['skillwright lock', 'skillwright lock --rewrite'],
  async run({ options, runtime, terminal }) {
    const isRewrite = isOn(options, 'rewrite');
    const { path, skills } = (isRewrite ? rewritePlaceLock : readPlaceLock)(readScope(options), runtime);
    const columns = titledColumns(TITLES, runtime.language);
    const rows = skills.map(({ name, version, source, digest }) => [name, version ?? '', source.location, digest]);
    const noun = `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}`;
    const said = isRewrite
      ? { en: `locked ${noun}`, zh: `已锁定 ${skills.length} 个技能` }
      : { en: `${noun} locked`, zh: `锁文件中有 ${skills.length} 个技能` };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { path, skills }),
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
