// How a process ended, in the words of the catalogue.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { excerptOf } from '../../process/excerpt.ts';
import { formatSize, limitReached, OUTPUT_LIMIT } from '../../process/limits.ts';
import type { Ended } from '../../process/order.ts';

/** Undefined for a process that ended by itself with exit code 0. */
export function faultOf(ended: Ended, seconds: number): Fault | undefined {
  if (ended.why === 'timeout') return new Fault('Timeout', { en: `${seconds} s`, zh: `${seconds}秒` });
  if (ended.why === 'output-limit') return new Fault('OutputLimit', formatSize(OUTPUT_LIMIT));
  if (ended.why === 'aborted')
    return new Fault(
      'RuntimeFailed',
      { en: 'it was stopped', zh: '已被停止' },
      {
        details: { aborted: true },
        reason: 'stopped',
        hint: {
          en: 'Ended from outside, with everything it had started. Run it again to begin anew.',
          zh: '已从外部终止，连同其启动的一切。重新运行可从头开始。',
        },
      },
    );
  return ended.exit === 0 ? undefined : failureOf(ended);
}

/** Why a process that ended by itself did not end well. */
export function failureOf(ended: Ended): Fault {
  const { exit, signal } = ended;
  const stderr = excerptOf(ended.stderr);
  const unstarted = launchFailure(ended);
  if (unstarted) return unstarted;
  const reached = limitReached(ended);
  const missing = reached === undefined ? findMissing(stderr) : undefined;
  if (missing) return missingPart(missing, { exit, signal, stderr });
  const said = lastWords(stderr) || (signal ? `ended by ${signal}` : `exit code ${exit}`);
  const hint = reached === undefined && READ_ONLY.test(stderr) ? { hint: WRITE_ELSEWHERE } : {};
  return new Fault(reached ?? 'RuntimeFailed', said, { details: { exit, signal, stderr }, ...hint });
}

/** Of a traceback the line that says what was wrong; the way there stands in the details. */
function lastWords(stderr: string): string {
  if (/^Traceback \(most recent call last\):$/m.test(stderr)) return stderr.slice(stderr.lastIndexOf('\n') + 1);
  return /^(?:Uncaught )?(\w*Error(?: \[\w+\])?: [^\n]+)\n {4}at /m.exec(stderr)?.[1] ?? stderr;
}

/** Whether it says more than that the program failed: a limit was reached, a module is missing. */
export function isExplained({ type, reason }: Fault): boolean {
  return type !== 'RuntimeFailed' || reason === 'missing-part';
}

const READ_ONLY = /Read-only file system|\bEROFS\b/;
const WRITE_ELSEWHERE: Text = {
  en: 'The project is read-only to a skill. It can write below the output folder: by {output} in its command, or in $SKILL_OUTPUT_DIR.',
  zh: '项目对技能只读。技能可写入输出目录: 在命令中使用 {output}，或写入 $SKILL_OUTPUT_DIR。',
};

const UNSHOWN =
  /Can't (?:bind mount|find source path|create file at|mkdir) (?:\/oldroot|\/newroot)?(\/[^\n:]*?)(?: on \/|:|$)/;

/** Undefined once the program itself ran: what it prints and how it exits is then its own. */
function launchFailure({ exit, unstarted }: Ended): Fault | undefined {
  if (unstarted === undefined) return undefined;
  const said = unstarted.slice(0, 300);
  const details = { exit, sandbox: said };
  const file = UNSHOWN.exec(said)?.[1];
  if (file !== undefined) {
    const shown = visible(file);
    return new Fault(
      'PathBlocked',
      { en: `${shown} cannot be shown inside the sandbox`, zh: `${shown} 无法在沙箱中显示` },
      {
        details,
        reason: 'not-started',
        hint: { en: 'Copy it into the project and name the copy.', zh: '请将其复制到项目中再使用副本。' },
      },
    );
  }
  return new Fault(
    'RuntimeFailed',
    { en: `the sandbox could not be set up: ${visible(said)}`, zh: `无法建立沙箱: ${visible(said)}` },
    {
      details,
      reason: 'not-started',
      hint: {
        en: 'Nothing of the skill ran. `skillwright doctor` tries the sandbox of this machine.',
        zh: '技能未运行。`skillwright doctor` 可检测本机沙箱。',
      },
    },
  );
}

interface Missing {
  readonly what: 'module' | 'program';
  readonly name: string;
}

// The words in which interpreters and shells say that something is not installed.
const MISSING: readonly (readonly [RegExp, Missing['what']])[] = [
  [/ModuleNotFoundError: No module named '([^'\n]{1,100})'/, 'module'],
  [/Cannot find (?:package|module) '([^'\n/.][^'\n]{0,99})'/, 'module'],
  [/cannot load such file -- ([^\s(]{1,100})/, 'module'],
  [/Can't locate (\S{1,100})\.pm in @INC/, 'module'],
  [/^(?:.*: )?(?:line \d+: |\d+: )?([\w.+-]{1,64}): (?:command )?not found$/m, 'program'],
  // Of subprocess only: a file that a script opens is no program.
  [/ in _execute_child\n.*\nFileNotFoundError: \[Errno 2\] No such file or directory: '([\w.+-]{1,64})'/, 'program'],
  [/spawn ([\w.+-]{1,64}) ENOENT/, 'program'],
];

/** The first thing a script says it did not find. */
export function findMissing(stderr: string): Missing | undefined {
  for (const [pattern, what] of MISSING) {
    const name = pattern.exec(stderr)?.[1];
    if (name !== undefined) return { what, name };
  }
  return undefined;
}

function missingPart({ what, name }: Missing, details: Record<string, unknown>): Fault {
  const shown = visible(name);
  const detail: Text =
    what === 'module'
      ? { en: `the module ${shown} is not installed`, zh: `未安装模块 ${shown}` }
      : { en: `the program ${shown} is not installed`, zh: `未安装程序 ${shown}` };
  return new Fault('RuntimeFailed', detail, {
    details: { ...details, missing: name },
    reason: 'missing-part',
    hint: {
      en: 'Nothing is installed for a skill. Install it yourself, or name a runtime that has it in your settings.',
      zh: '不会自动安装任何依赖。请自行安装，或在用户配置中指定含有它的运行环境。',
    },
  });
}
