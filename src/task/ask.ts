// A script's question becomes a saved interrupt; a model or a person answers it, and the script's own command goes on.
import { toFault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson, type Json } from '../base/json.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { type Answering, type Data, interruptedOutcome, makeOutcome, type Outcome } from '../base/outcome.ts';
import { fail } from '../door/fail.ts';
import { findScript, workerFolder } from '../door/kind/worker.ts';
import { recordNo } from '../door/resume.ts';
import { type DecidedInterrupt, type Decisions, decideInterrupt, interrupt } from '../policy/interrupt/interrupt.ts';
import { damagedQuestion, notDecided } from '../policy/interrupt/not-decided.ts';
import { digestSkill } from '../skill/digest.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import { isScriptOrder, type ScriptOrder } from './grammar.ts';
import type { WorkerHost } from './host.ts';
import { decisionOf, pausedFor } from './paused.ts';
import { readQuestion, type ScriptQuestion, type TaskQuestion } from './question.ts';

export interface ResumeOrder extends ScriptOrder {
  readonly stdin?: string;
}

type GoOn = (order: ResumeOrder) => Promise<Outcome>;

/** Stands for the decisions as JSON in the resume command; they are on stdin too. */
const PLACEHOLDER = '{decisions}';

export async function askQuestion(
  { file, facts, analysis }: ScriptQuestion,
  host: WorkerHost,
  by: Answering,
  goOn: GoOn,
): Promise<Outcome> {
  try {
    const question = readQuestion(file);
    findScript(question.order.script, host.door.places.project);
    const saved = await save(question, host);
    const first = await decideFirst(saved, host);
    if ('decisions' in first) return await goOn(resumeOrder(question.order, first.decisions));
    const note = first.open && { note: inLanguage(first.open, by.language) };
    return interruptedOutcome(
      by,
      pausedFor(question.skills.length),
      {
        waitsFor: 'decisions',
        ...pickQuestion(question),
        decision: { ...decisionOf(saved), ...(analysis !== undefined && { analysis }) },
        next: saved.resumeCommand,
        ...note,
      },
      { ...describe(question, saved), ...note, ...facts },
    );
  } catch (error) {
    return fail(by, toFault(error), facts);
  }
}

/** The model's decisions, checked like a person's; else the question stays open, and why. */
async function decideFirst(
  saved: Interrupt,
  host: WorkerHost,
): Promise<{ readonly decisions: Decisions } | { readonly open?: Text }> {
  const { id, question, items, choices } = saved;
  if (!host.decide) return {};
  try {
    const words = await host.decide({ question, items, choices });
    if (!words) return { open: LEFT_OPEN };
    const decided = await decide(id, words, host, 'model');
    return decided.ok ? { decisions: decided.decisions } : { open: notDecided(id, decided).sentence };
  } catch (error) {
    return { open: toFault(error).sentence };
  }
}

const LEFT_OPEN: Text = { en: 'the model left this open', zh: '模型未作决定' };

/** Answers a saved question of a script and goes on. Throws a Fault for what is missing, unknown, expired or changed. */
export async function resumeWorker(
  id: string,
  words: readonly string[],
  host: WorkerHost,
  goOn: GoOn,
): Promise<Outcome> {
  const decided = await decide(id, words, host, 'person');
  if (!decided.ok) throw notDecided(id, decided, { dismissible: true });
  return await goOn(resumeOrder(orderOf(decided.interrupt), decided.decisions));
}

/** Removes the question; what asked it stays where it stopped. */
export async function dismissQuestion(
  saved: Interrupt,
  { door, reason }: Pick<WorkerHost, 'door'> & { readonly reason?: string | undefined },
  by: Answering,
): Promise<Outcome> {
  const { id } = saved;
  if (!(await door.interrupts.take(saved))) throw notDecided(id, { why: 'answered' });
  recordNo(id, reason, door);
  return makeOutcome(
    by,
    'success',
    { en: 'dismissed: nothing was run', zh: '已放弃: 未执行任何操作' },
    { id, dismissed: true },
  );
}

async function save(question: TaskQuestion, { door }: WorkerHost): Promise<Interrupt> {
  const { skills, allowed, command, order } = question;
  const saved = await interrupt(
    door.interrupts,
    {
      kind: 'worker',
      question: question.question ?? command,
      items: skills,
      choices: allowed,
      digest: digestOf(order, door.places.project),
      payload: { ...order, args: [...order.args] } satisfies Json,
    },
    door.clock.now(),
  );
  door.run.record({ type: 'interrupt', interrupt: saved.id, kind: saved.kind });
  return saved;
}

/** Of everything that will run: the command, and all of bin/ as it is now. */
function digestOf(order: ScriptOrder, project: string): string {
  return sha256(canonicalJson({ order, bin: digestSkill(workerFolder(project).folder).digest }));
}

async function decide(
  id: string,
  words: readonly string[],
  { door }: WorkerHost,
  by: 'person' | 'model',
): Promise<DecidedInterrupt> {
  const digestNow = (found: Interrupt) =>
    found.kind === 'worker' ? digestOf(orderOf(found), door.places.project) : '';
  const decided = await decideInterrupt(door.interrupts, { id, words, digestNow }, door.clock.now());
  const answer = door.run.keep(words.join(' '));
  const refused = !decided.ok && { refused: decided.why };
  door.run.record({ type: 'interrupt-answer', interrupt: id, by, answer, ...refused });
  return decided;
}

function resumeOrder(order: ScriptOrder, decisions: Decisions): ResumeOrder {
  const json = JSON.stringify(decisions);
  return { ...order, args: order.args.map((word) => (word === PLACEHOLDER ? json : word)), stdin: `${json}\n` };
}

/** Throws a Fault when it cannot be read. */
function orderOf({ id, payload }: Interrupt): ScriptOrder {
  if (isScriptOrder(payload)) return payload;
  throw damagedQuestion(id);
}

function pickQuestion({ question }: TaskQuestion): { readonly question?: string } {
  return question === undefined ? {} : { question };
}

function describe(asked: TaskQuestion, saved: Interrupt): Data {
  const { skills, allowed, command } = asked;
  return {
    id: saved.id,
    interrupted_skills: skills,
    ...pickQuestion(asked),
    allowed,
    resume_command: command,
    resume_with: saved.resumeCommand,
    expires: new Date(saved.expires).toISOString(),
  };
}
