// `eval new`: a case from a run that went as it should, ready to be run again.
import path from 'node:path';
import { verifyRun } from '../audit/run-archive.ts';
import { readRecords } from '../audit/verify.ts';
import { Fault } from '../base/errors.ts';
import { errorCode, makeFolder, readTextIfThere, writeNewFile } from '../base/files.ts';
import { makeOutcome, type Outcome, STATES } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import type { CaseRun } from '../evals/trace.ts';
import { type Command, textOption } from './command.ts';
import { shortPath } from './diagnostic.ts';
import { findRun } from './find-run.ts';

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
    en: 'The case holds the request, the decisions of the model and what came of them. Read it before you keep it: files the run found in the project have to be added under "files".',
    zh: '用例包含请求、模型的决策及其结果。保留前请检查: 运行所用的项目文件需添加到 "files" 中。',
  },
  async run({ positionals: [written], options, runtime }) {
    const run = findRun(runtime.project, textOption(options, 'from') ?? 'latest');
    const { ok, why } = verifyRun(runtime.project, runtime.home, run.id);
    if (!ok) throw new Fault('IntegrityMismatch', visible(`${run.id}: ${why ?? ''}`));
    const name = written ?? run.id;
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name))
      throw new Fault('Usage', {
        en: `not a name for a file: ${visible(name)}`,
        zh: `不可用作文件名: ${visible(name)}`,
      });
    const { caseFromRun } = await import('../evals/new-case.ts');
    const test = caseFromRun(name, readRun(run.folder, run.summary));
    const file = path.join(runtime.project, '.agent', 'evals', `${name}.json`);
    writeCase(file, `${JSON.stringify(test, null, 2)}\n`);
    const shown = shortPath(file, runtime.project);
    const summary = {
      en: `wrote ${shown}; run it: skillwright eval ${name}`,
      zh: `已写入 ${shown}；运行: skillwright eval ${name}`,
    };
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, {
      path: file,
      case: test,
    });
    return { outcome };
  },
};

function readRun(folder: string, summary: Record<string, unknown> | undefined): CaseRun {
  const state = STATES.find((known) => known === summary?.outcome) ?? 'error';
  const records = readRecords(folder);
  const meta = { agent: 'agent', time: 0, ts: '' } as const;
  const outcome: Outcome = { state, agent: 'agent', summary: '', data: { answer: summary?.output }, meta };
  const text: CaseRun['text'] = ({ ref }) =>
    ref !== undefined && /^observations\/\d+\.txt$/.test(ref) ? readTextIfThere(path.join(folder, ref)) : undefined;
  return { records, text, outcome };
}

function writeCase(file: string, content: string): void {
  makeFolder(path.dirname(file), 0o755);
  try {
    writeNewFile(file, content, { mode: 0o644 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new Fault('AlreadyExists', visible(file));
    throw error;
  }
}
