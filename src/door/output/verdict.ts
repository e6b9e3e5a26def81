// How a process ended, in the words of the catalogue.
import { asBuffer } from '../../base/bytes.ts';
import { Fault } from '../../base/errors.ts';
import { visible, visibleLines } from '../../base/text.ts';
import { excerptOf } from '../../process/excerpt.ts';
import { formatSize, limitReached, OUTPUT_LIMIT } from '../../process/limits.ts';
import type { Ended } from '../../process/order.ts';
import { type Cause, explainCause, findCause, isPart } from './cause.ts';

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
  const details = { exit, signal, stderr };
  const last = thrownIn(tailOf(ended.stderr)) ?? stderr;
  const reached = limitReached(ended);
  const cause = reached === undefined ? findCause(stderr, lastLines(last)) : undefined;
  if (cause) return namedFailure(cause, details);
  const said = last || (signal ? `ended by ${signal}` : `exit code ${exit}`);
  return new Fault(reached ?? 'RuntimeFailed', said, { details });
}

function namedFailure(cause: Cause, details: Record<string, unknown>): Fault {
  const { detail, hint } = explainCause(cause);
  const { kind, name } = cause;
  const isMissing = isPart(cause);
  return new Fault('RuntimeFailed', detail, {
    details: { ...details, cause: kind, ...(isMissing ? { missing: name } : { path: name }) },
    reason: isMissing ? 'missing-part' : 'known-cause',
    hint,
  });
}

const LAST_LINES = 8;

/** What was said early and did not end the program is not why it ended. */
function lastLines(said: string): string {
  return said.split('\n').slice(-LAST_LINES).join('\n');
}

const TAIL_BYTES = 32 * 1024;
const COLUMNS = 300;

function tailOf(stderr: Uint8Array): string {
  return visibleLines(asBuffer(stderr.subarray(-TAIL_BYTES)).toString('utf8').trimEnd());
}

/** Of a traceback the line that says what was wrong; the way there stands in the details. */
function thrownIn(stderr: string): string | undefined {
  const isTraceback = /^Traceback \(most recent call last\):$/m.test(stderr);
  const line = isTraceback
    ? stderr.slice(stderr.lastIndexOf('\n') + 1)
    : /^(?:Uncaught )?(\w*Error(?: \[\w+\])?: [^\n]+)\n {4}at /m.exec(stderr)?.[1];
  return line !== undefined && line.length > COLUMNS ? `${line.slice(0, COLUMNS).toWellFormed()}…` : line;
}

/** Whether it says more than that the program failed: a limit was reached, a module is missing. */
export function isExplained({ type, reason }: Fault): boolean {
  return type !== 'RuntimeFailed' || reason === 'missing-part';
}

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
