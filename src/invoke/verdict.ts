// How a process ended, in the words of the catalogue.
import { Fault } from '../base/errors.ts';
import { excerptOf } from '../process/excerpt.ts';
import { formatSize, limitReached, OUTPUT_LIMIT } from '../process/limits.ts';
import type { Ended } from '../process/order.ts';

/** Undefined for a process that ended by itself with exit code 0. */
export function faultOf(ended: Ended, seconds: number): Fault | undefined {
  const { exit, signal } = ended;
  const stderr = excerptOf(ended.stderr);
  if (ended.why === 'timeout') return new Fault('Timeout', { en: `${seconds} s`, zh: `${seconds}秒` });
  if (ended.why === 'output-limit') return new Fault('OutputLimit', formatSize(OUTPUT_LIMIT));
  if (ended.why === 'aborted')
    return new Fault('RuntimeFailed', { en: 'it was stopped', zh: '已被停止' }, { details: { aborted: true } });
  if (exit === 0) return undefined;
  const said = stderr || (signal ? `ended by ${signal}` : `exit code ${exit}`);
  return new Fault(limitReached(ended) ?? 'RuntimeFailed', said, { details: { exit, signal, stderr } });
}
