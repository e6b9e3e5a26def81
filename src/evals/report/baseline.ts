// Reads an earlier report as baseline; anything that is not a report of ours is refused with the reason.
import { Fault } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { isWord } from '../../base/value/shape.ts';
import { CASE_STATES } from '../attempt.ts';
import { type Earlier, REPORT_FORMAT, REPORT_VERSION } from './report.ts';

/**
 * The cases of a report that was written as JSON. Throws a Fault for a file that is none.
 * @example
 * const earlier = readBaseline('report.json');
 */
export function readBaseline(file: string): Earlier[] {
  const text = readTextIfThere(file);
  if (text === undefined) throw refused(file, 'is not there');
  const value = parse(text, file);
  if (!isRecord(value) || value.format !== REPORT_FORMAT || !Array.isArray(value.cases))
    throw refused(file, 'is no report of `skillwright eval`');
  if (value.version !== REPORT_VERSION)
    throw refused(file, `has version ${String(value.version)}, not ${REPORT_VERSION}`);
  return value.cases.flatMap((one) => {
    if (!isRecord(one)) return [];
    const { id, state, passes, runs } = one;
    const isWhole =
      typeof id === 'string' && isCaseState(state) && typeof passes === 'number' && typeof runs === 'number';
    const steps = stepsOf(one.attempts);
    return isWhole ? [{ id, state, passes, runs, ...(steps && { steps }) }] : [];
  });
}

const isCaseState = isWord(CASE_STATES);

/** Steps of the first run that passed, otherwise of the first one. */
function stepsOf(attempts: unknown): string[] | undefined {
  const runs = Array.isArray(attempts) ? attempts.filter(isRecord) : [];
  const shown = runs.find(({ state }) => state === 'passed') ?? runs[0];
  if (!Array.isArray(shown?.steps)) return undefined;
  return shown.steps.flatMap((one) => (isRecord(one) && typeof one.step === 'string' ? [one.step] : []));
}

function parse(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw refused(file, error instanceof Error ? error.message : String(error));
  }
}

function refused(file: string, reason: string): Fault {
  return new Fault('EvalInvalid', visible(`${file} ${reason}`));
}
