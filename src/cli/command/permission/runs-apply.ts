// `runs apply`: what a run changed reaches the project, all of it or the paths that are named.
import { applyStored } from '../../../app/workspace/stored-layer.ts';
import { tellChange } from '../../../app/workspace/tell.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { askYesNo } from '../../frame/ask-changes.ts';
import { PERSON } from '../../frame/ask-line.ts';
import type { Command } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';
import { listChanges } from '../../view/change-set.ts';

export const command: Command = {
  about: {
    en: 'All or nothing: where the project has changed since, nothing is applied and the files are named. What other tools execute or obey is asked about by itself; --yes does not answer that.',
    zh: '要么全部应用，要么全不应用: 项目若已更改，则不应用并列出文件。会被其他工具执行或遵循的文件单独询问，--yes 不作答。',
  },
  positionals: [
    RUN_POSITIONAL,
    { name: 'path', many: true, summary: { en: 'only these files and folders', zh: '仅这些文件与目录' } },
  ],
  options: [],
  examples: ['skillwright runs apply latest', 'skillwright runs apply latest src/report.md'],
  async run({ positionals: [written = '', ...only], runtime, terminal }) {
    const { language } = runtime;
    const question = {
      en: 'Other tools execute or obey these. Apply them, too? [y/N] ',
      zh: '其他工具会执行或遵循这些文件，是否也应用？[y/N] ',
    };
    const request = {
      ...(only.length > 0 && { only }),
      ...(terminal.interactive && {
        askGuarded: (guarded: Parameters<typeof listChanges>[0]) =>
          askYesNo([...listChanges(guarded, language, terminal), question[language]].join('\n'), PERSON),
      }),
    };
    const { run, changes, left } = await applyStored(written, request, runtime);
    const data = { run, applied: changes.map(tellChange), left: left.map(tellChange) };
    const summary = {
      en: `applied ${changes.length} changes${left.length > 0 ? `, ${left.length} left` : ''}`,
      zh: `已应用 ${changes.length} 项更改${left.length > 0 ? `，剩余 ${left.length} 项` : ''}`,
    };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
      hint: `skillwright runs undo ${run}`,
    };
  },
};
