// `eval new`: a case from a run that went as it should, ready to be run again.
import { writeCaseOf } from '../../../app/eval/new-case.ts';
import { type Command, textOption } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'name', summary: { en: 'of the case; the id of the run unless given', zh: '用例名称；默认运行 id' } },
  ],
  options: [
    {
      name: 'from',
      value: 'RUN',
      summary: { en: 'as `runs list` shows it; latest unless given', zh: '`runs list` 所示的 id；默认 latest' },
    },
  ],
  examples: ['skillwright eval new convert-notes --from latest', 'skillwright eval new --from 20261115T032045Z-9f3a1c'],
  about: {
    en: 'The case holds the request, the decisions of the model, what came of them, and the files of the project they name, as they are now. Read it before you keep it: what a script found by itself has to be added under "files".',
    zh: '用例包含请求、模型的决策及其结果，以及其中提到的项目文件（当前内容）。保留前请检查: 脚本自行读取的文件需添加到 "files" 中。',
  },
  async run({ positionals: [name], options, runtime }) {
    return { outcome: await writeCaseOf({ name, from: textOption(options, 'from') ?? 'latest' }, runtime) };
  },
};
