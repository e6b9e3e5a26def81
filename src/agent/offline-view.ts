// The view of a run for the offline model: the request, what was read, and the result of each step, all from the run's state.
import { isRecord, jsonIfValid } from '../base/json.ts';
import type { OfflineStep, OfflineView } from '../model/offline/view.ts';
import type { Observation } from './observation.ts';
import type { RunState } from './run-state.ts';

type KnownState = Pick<RunState, 'request' | 'loaded_skills' | 'artifacts'> & {
  readonly observations: readonly Pick<Observation, 'of' | 'state' | 'text'>[];
};

export function viewOfRun({ request, loaded_skills, observations, artifacts }: KnownState): OfflineView {
  return {
    request: request.text,
    named: request.named,
    loaded: loaded_skills.map(({ skill_id }) => skill_id),
    steps: observations.map(readStep),
    artifacts,
  };
}

/** The text of an observation: a sentence on the first line, then the data of the outcome, each part under its name. */
function readStep({ of, state, text }: Pick<Observation, 'of' | 'state' | 'text'>): OfflineStep {
  const [first = '', second = ''] = text.split('\n', 2);
  const isOutcome = first.startsWith(`${state}: `);
  const hint = /^hint: (.+)$/m.exec(text)?.[1] ?? (isOutcome || state !== 'error' ? '' : second);
  const data = readResponse(/^response: (.+)$/m.exec(text)?.[1]);
  const printed = /^stdout:\n([\s\S]*?)(?=\n(?:stderr|outputs|refused): |\s*$(?![\s\S]))/m.exec(text)?.[1];
  const named = [...text.matchAll(/^output_path: (.+)$|"(?:path|\w+_path)":"((?:[^"\\]|\\.)*)"/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return {
    type: of.split(' ', 1)[0] ?? '',
    state,
    summary: isOutcome ? first.slice(state.length + 2) : first,
    ...(hint !== '' && { hint }),
    ...(data && { data }),
    ...(named.length > 0 && { named }),
    ...(printed !== undefined && printed.trim() !== '' && { printed }),
  };
}

/** Of a truncated answer, at least its sentences. */
function readResponse(written: string | undefined): Record<string, unknown> | undefined {
  if (written === undefined) return undefined;
  const data = jsonIfValid(written);
  if (isRecord(data) && isRecord(data.data)) return data.data;
  const insights = jsonIfValid(/"insights":(\[(?:"(?:[^"\\]|\\.)*",?)*\])/.exec(written)?.[1] ?? '');
  return Array.isArray(insights) ? { insights } : undefined;
}
