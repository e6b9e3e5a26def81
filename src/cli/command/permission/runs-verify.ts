// `runs verify`: is the record of a run, or of every run, still what was written?
import { type BrokenReason, type CheckedRun, verifyRuns, whyBroken } from '../../../app/record/verify.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { describeVerdict } from '../../../app/view/run-verdict.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { type Command, isOn, type Reply, textOption } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'Finds edited, removed, moved and added events, a cut end, texts that are missing without having been pruned, runs of another project, and runs of which nothing is left. The seal is made with a key under home: whoever owns that key could rewrite history.',
    zh: '可发现被修改、删除、移动、添加的事件、被截断的结尾、未经清理却缺失的文本、属于其他项目的运行以及整个消失的运行。封印所用密钥在主目录下：持有者可以重写历史。',
  },
  positionals: [
    { name: 'id', summary: { en: 'one run, or latest; all of them unless given', zh: '某次运行或 latest；默认全部' } },
  ],
  options: [
    {
      name: 'forget',
      summary: {
        en: 'say once more which runs are gone, and miss them no longer',
        zh: '最后一次列出已消失的运行，此后不再提示',
      },
    },
    {
      name: 'moved-from',
      value: 'FOLDER',
      summary: {
        en: 'this project was in that folder before: its runs are those of this one',
        zh: '此项目原在该目录: 其运行归于此处',
      },
    },
  ],
  examples: ['skillwright runs verify', 'skillwright runs verify latest --json'],
  async run({ positionals: [written], options, runtime, terminal }) {
    const order = {
      run: written,
      forget: isOn(options, 'forget'),
      movedFrom: textOption(options, 'moved-from'),
    };
    return answer(verifyRuns(order, runtime), runtime, terminal);
  },
};

function answer(results: readonly CheckedRun[], runtime: Runtime, terminal: Terminal): Reply {
  const by = runtime.answering('skillwright', 'own');
  const broken = results.filter(({ ok }) => !ok);
  const [first] = broken;
  const data = {
    ok: first === undefined,
    events: results.reduce((sum, { events }) => sum + events, 0),
    ...(first && { run_id: first.run_id, broken_at: first.broken_at, why: first.why }),
    runs: results,
  };
  const human = results.map((result) => renderResult(result, runtime, terminal)).join('\n');
  if (!first) return { outcome: makeOutcome(by, 'success', countWhole(results.length, data.events), data), human };
  const reason = whyBroken(broken);
  const fault = new Fault('CheckFailed', countBroken(broken, results.length, reason));
  return { outcome: failedOutcome(by, fault, data), human, hint: HINTS[reason][runtime.language] };
}

function countBroken(broken: readonly CheckedRun[], all: number, reason: BrokenReason): Text {
  const count = broken.length;
  return reason === 'other-home'
    ? {
        en: `${count} of ${all} records: ${broken[0]?.why}`,
        zh: `${all} 份记录中有 ${count} 份由另一个主目录封印`,
      }
    : { en: `${count} of ${all} records are broken`, zh: `${all} 份记录中有 ${count} 份断裂` };
}

const HINTS: Record<BrokenReason, Text> = {
  gone: {
    en: 'If you removed them yourself, `skillwright runs verify --forget` misses them no longer.',
    zh: '若是您自行删除，可用 `skillwright runs verify --forget` 不再提示。',
  },
  'other-home': {
    en: 'Verify them as the user who ran them, with the HOME they had.',
    zh: '请以运行它们的用户及当时的 HOME 核验。',
  },
  'other-project': {
    en: 'If this project was in another folder before, `skillwright runs verify --moved-from <folder>` takes its runs over.',
    zh: '若此项目原在其他目录，可用 `skillwright runs verify --moved-from <目录>` 接管其运行。',
  },
  broken: {
    en: 'Events before the break are as they were written; trust nothing behind it.',
    zh: '断裂之前的事件与写入时一致；其后的内容不可信。',
  },
};

function renderResult(result: CheckedRun, { language }: Runtime, terminal: Terminal): string {
  const mark = result.ok ? paint('✓', 'green', terminal) : paint('✗', 'red', terminal);
  return `${mark} ${result.run_id} ${describeVerdict(result)[language]}`;
}

function countWhole(runs: number, events: number): Text {
  if (runs === 0) return { en: 'no runs here to verify', zh: '没有可核验的运行' };
  return {
    en: `${events} events of ${runs} ${runs === 1 ? 'run' : 'runs'}, unbroken`,
    zh: `${runs} 次运行的 ${events} 个事件，完整`,
  };
}
