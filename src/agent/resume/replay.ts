// Replays a run as recorded: the same answers, the recorded results, no effects; and reports every difference.
import path from 'node:path';
import type { AuditEvent, AuditRecord, TextRef } from '../../audit/event.ts';
import { createRedactor } from '../../audit/redact.ts';
import { asBuffer } from '../../base/bytes.ts';
import { Fault } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import { interruptedOutcome } from '../../base/outcome.ts';
import type { Call } from '../../door/call.ts';
import type { Model } from '../../model/model.ts';
import type { Acted } from '../acted.ts';
import type { BudgetName } from '../budget.ts';
import type { Ending } from '../ending.ts';
import { renewBudget } from '../extend-budget.ts';
import { runLoop } from '../loop.ts';
import { openSession } from '../open-session.ts';
import { newRunState } from '../run-state.ts';
import type { KeptPlace, SessionParts } from '../session.ts';
import { compareRuns, type Difference } from './compare-runs.ts';
import { readKept, readKeptText } from './recover.ts';
import { readRunState } from './saved-run.ts';

export interface RecordedRun {
  readonly folder: string;
  readonly records: readonly AuditRecord[];
  /** The last saved state. */
  readonly state: Json;
  /** The digest of a skill's files as they are now. */
  readonly digestNow: (skill: string) => string | undefined;
}

export interface Replayed {
  readonly turns: number;
  readonly ending: Ending['kind'];
  readonly differences: readonly Difference[];
}

export type ReplaySurroundings = Pick<
  SessionParts,
  'index' | 'search' | 'context' | 'clock' | 'bodyLines' | 'catalogTokens'
>;

export async function replayRun(recorded: RecordedRun, surroundings: ReplaySurroundings): Promise<Replayed> {
  const { index, search, context, clock, bodyLines, catalogTokens } = surroundings;
  const saved = readRunState(recorded.state, path.basename(recorded.folder));
  const { request, model, role, limits, skill_limits: skillLimits, whereabouts, servers } = saved;
  const told = { whereabouts, servers };
  const state = newRunState({ request, model, ...(role && { role }), limits, skillLimits, ...told });
  const again = createTape(recorded);
  const session = await openSession(
    {
      index,
      search,
      context,
      clock,
      bodyLines,
      catalogTokens,
      model: again.model,
      run: { record: again.record, keep: again.keep },
      effects: { replay: (call) => again.answer(call) },
      // A later change is a difference to report.
      requireUnchanged: () => {},
      noteArtifact: (name) => name,
      readKept: (kept) => again.textOf(kept),
      goOn: async ({ budget }) => again.wasExtended(budget, 'answer'),
      stop: new AbortController().signal,
    },
    { state, save: () => {}, runInside: runLoop },
  );
  let ending = await runLoop(session);
  while (ending.kind === 'budget' && again.wasExtended(ending.name, 'resume')) {
    renewBudget(session);
    ending = await runLoop(session);
  }
  const differences = compareRuns(recorded.records, again.events, (kept) => again.textOf(kept));
  return { turns: state.spent.turns, ending: ending.kind, differences: [...differences, ...again.changed] };
}

/** The record as a stand-in: the model's answers, the results of calls, the names of texts. */
function createTape({ folder, records, digestNow }: RecordedRun) {
  const events: AuditEvent[] = [];
  const changed: Difference[] = [];
  const texts = new Map<string, string>();
  const names = namesOf(records);
  const observations = records.filter((record) => record.type === 'observation');
  const intents = records.filter((record) => record.type === 'call-intent');
  const extensions = extensionsIn(records);
  const answers = recordedAnswers(records, folder);
  const redactor = createRedactor([], { keyShapes: true });
  let observed = 0;
  let calls = 0;
  return {
    events,
    changed,
    model: answers.model,
    record(event: AuditEvent): AuditRecord {
      events.push(event);
      if (event.type === 'observation') observed++;
      return event as AuditRecord;
    },
    keep(text: string | Uint8Array): TextRef {
      const stored = redactor.text(typeof text === 'string' ? text : asBuffer(text).toString());
      const hash = sha256(stored);
      const ref = names.get(hash)?.shift();
      texts.set(hash, stored);
      return { sha256: hash, bytes: Buffer.byteLength(text), ...(ref !== undefined && { ref }) };
    },
    textOf: (kept: KeptPlace) => texts.get(kept.sha256) ?? readKeptText(kept, folder),
    /** Whether that happened between this answer of the model and the next. */
    wasExtended(budget: BudgetName, by: 'answer' | 'resume'): boolean {
      return extensions.some((one) => one.budget === budget && one.by === by && one.answers === answers.used());
    },
    answer(_call: Call): Acted {
      const intent = intents[calls++];
      const now = intent?.skill === undefined ? undefined : digestNow(intent.skill);
      if (intent?.digest && now !== intent.digest)
        changed.push({
          at: intent.seq,
          what: `files of ${intent.skill}`,
          recorded: intent.digest,
          replayed: now ?? 'gone',
        });
      const seen = observations[observed]?.text;
      return recordedAct(seen && readKept(seen, folder)?.text);
    },
  };
}

/** Each with how often the model had answered before. */
function extensionsIn(records: readonly AuditRecord[]) {
  return records.flatMap((record, at) => {
    if (record.type !== 'budget-extended') return [];
    const answers = records.slice(0, at).filter(({ type }) => type === 'model').length;
    return [{ budget: record.budget, by: record.by, answers }];
  });
}

function recordedAnswers(records: readonly AuditRecord[], folder: string): { model: Model; used(): number } {
  const answers = records.filter((record) => record.type === 'model');
  let next = 0;
  const model: Model = {
    name: 'replay',
    async decide() {
      const answer = answers[next++];
      const kept = answer && readKept(answer.answer, folder);
      if (!answer || !kept)
        throw new Fault('DataNotFound', { en: 'no further answer is recorded', zh: '记录中没有更多回答' });
      const { input_tokens, output_tokens, cost = 0 } = answer;
      return { text: kept.text, usage: { inputTokens: input_tokens, outputTokens: output_tokens, cost } };
    },
  };
  return { model, used: () => next };
}

/** The text of an observation begins with the state of its outcome; without one the run was still waiting. */
function recordedAct(text = ''): Acted {
  const state = /^(\w+): /.exec(text)?.[1] ?? 'interrupted';
  if (state !== 'interrupted') return { state, text, effect: true };
  const by = { agent: 'agent', surface: 'own', language: 'en', startedAt: 0, now: () => 0 } as const;
  return { state, text, effect: true, waiting: interruptedOutcome(by, '', { waitsFor: 'approval' }, {}) };
}

/** Texts keep the names of the record, in their order, so that equal prompts stay equal. */
function namesOf(records: readonly AuditRecord[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  const add = ({ sha256: hash, ref }: TextRef) => {
    if (ref !== undefined) names.set(hash, [...(names.get(hash) ?? []), ref]);
  };
  for (const record of records) {
    if (record.type === 'observation') add(record.text);
    if (record.type === 'plan') add(record.plan);
    if (record.type === 'model') add(record.answer);
  }
  return names;
}
