// `exec`: one script of a skill with its arguments, in the project; input, output and exit code are the script's own.
import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type ExecRequest, execScript } from '../../../app/skill/exec.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language } from '../../../base/language.ts';
import { exitCode, type Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Ended } from '../../../process/order.ts';
import { APPLY_OPTION } from '../../frame/change/apply-option.ts';
import { type Command, type CommandContext, isForProgram, textOption } from '../../frame/command.ts';
import { openPerson, PRIVATE_OPTION } from '../../frame/person.ts';
import { ASK_OPTION } from '../../frame/question/ask-option.ts';
import { readTimeout, TIMEOUT } from '../../frame/seconds.ts';
import { readSource, SOURCE } from '../../frame/skill-arguments.ts';
import { replyWith } from '../../view/outcome-reply.ts';
import { refusedResults } from '../../view/refused-result.ts';
import { showScriptOutput } from '../../view/script-output.ts';

export const command: Command = {
  about: {
    en: 'The script works in the project and writes into a layer over it; what it changed is shown and applied when you say so. Standard input, output and the exit code are passed on; 4 means that changes wait.',
    zh: '脚本在项目中运行，写入覆盖其上的层；更改经展示并确认后才应用。标准输入、输出与退出码原样传递；4 表示有更改等待应用。',
  },
  positionals: [
    { name: 'skill', required: true, skill: true, summary: { en: 'the skill', zh: '技能' } },
    { name: 'script', summary: { en: 'a file in its folder; left out with -m', zh: '其目录中的文件；使用 -m 时省略' } },
    { name: 'args', many: true, summary: { en: 'for the script, behind --', zh: '传给脚本的参数，置于 -- 之后' } },
  ],
  options: [
    APPLY_OPTION,
    ASK_OPTION,
    {
      name: 'module',
      short: 'm',
      value: 'MODULE',
      summary: {
        en: 'a Python module of its folder instead of a script, as python -m runs it',
        zh: '以其目录中的 Python 模块代替脚本，如同 python -m',
      },
    },
    TIMEOUT,
    SOURCE,
    PRIVATE_OPTION,
  ],
  examples: [
    'skillwright exec pdf scripts/extract.py -- report.pdf out.json',
    'cat notes.md | skillwright exec my-skill scripts/count.py --apply never',
    'skillwright exec skill-creator -m scripts.run_eval -- --verbose',
  ],
  async run(context) {
    const { options, runtime } = context;
    const isQuiet = isForProgram(options);
    using person = openPerson(context);
    const request = { ...(await readRequest(context)), ...(!isQuiet && { onEnded: showEnded }) };
    const { outcome, ended } = await execScript(request, runtime, person.caller);
    if (!ended) return replyWith(outcome);
    // The script's own code, unless it was ended from outside.
    const exit = ended.why === 'exit' && ended.exit ? ended.exit : exitCode(outcome);
    if (isQuiet) return { ...replyWith(outcome), exit };
    const told = [
      ...(ended.why === 'exit' ? [] : [outcome.summary]),
      ...refusedResults(outcome, runtime.language),
      ...hiddenFrom(ended, outcome, runtime.language),
      ...(outcome.product?.gaps ?? []),
      ...missingPart(outcome),
    ];
    for (const line of told) process.stderr.write(`${line}\n`);
    return { outcome, document: '', exit };
  },
};

/** Before anybody is asked about the changes. */
function showEnded({ stdout, stderr }: Ended): void {
  showScriptOutput(stdout, process.stdout);
  showScriptOutput(stderr, process.stderr);
}

/** A script that complains about a file which is hidden from it names no reason. */
function hiddenFrom({ stderr, stdout }: Ended, { product }: Outcome, language: Language): string[] {
  const names = product?.hidden ?? [];
  const said = Buffer.concat([stderr, stdout]).toString('utf8');
  return names
    .filter((name) => said.includes(name))
    .map((name) => ({ en: `${visible(name)} is hidden from skills`, zh: `${visible(name)} 对技能隐藏` })[language]);
}

/** The script says which module or program it misses, and not that there is a command for it. */
function missingPart(outcome: Outcome): string[] {
  if (outcome.state !== 'error' || outcome.failure.reason !== 'missing-part') return [];
  return outcome.next === undefined ? [] : [outcome.next];
}

async function readRequest(context: CommandContext): Promise<ExecRequest> {
  const { positionals, options } = context;
  const source = readSource(options);
  const [skill = ''] = positionals;
  const script = readScript(context);
  return {
    skill,
    ...script,
    text: [skill, ...(script.asModule ? ['-m'] : []), script.script, ...script.args].join(' '),
    ...(source && { source }),
    ...readTimeout(options),
    ...(await readInput()),
    byPerson: true,
  };
}

function readScript({ positionals, options }: CommandContext): Pick<ExecRequest, 'script' | 'asModule' | 'args'> {
  const [, ...words] = positionals;
  const module = textOption(options, 'module');
  if (module !== undefined) return { script: module, asModule: true, args: words };
  const [script, ...args] = words;
  if (script !== undefined) return { script, args };
  throw new Fault('Usage', {
    en: 'missing argument: <script>, or a module behind -m',
    zh: '缺少参数: <script>，或 -m 之后的模块',
  });
}

/** A pipe or a file is handed over as it is; a socket is read first, because programs cannot open one again by its name. */
async function readInput(): Promise<Pick<ExecRequest, 'stdin' | 'ownInput'>> {
  const input = fstatSync(0);
  if (input.isFIFO() || input.isFile()) return { ownInput: true };
  return input.isSocket() ? { stdin: await text(process.stdin) } : {};
}
