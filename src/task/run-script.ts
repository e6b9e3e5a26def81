// One script of a task: a shipped one is answered in this process, any other runs through the door.
import { Fault, toFault } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { type Answering, makeOutcome, type Outcome, pendingOutcome, saidBy } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import { fail } from '../door/fail.ts';
import { answering, perform } from '../door/perform.ts';
import { resumeCall, type SavedAnswer } from '../door/resume.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import { isEditResult } from '../tools/edit-file.ts';
import { writeFile } from '../tools/write-file.ts';
import { askQuestion, type ResumeOrder, resumeWorker } from './ask.ts';
import type { Leader } from './flight.ts';
import type { ScriptOrder } from './grammar.ts';
import { requireTrust, WORKER, type WorkerHost } from './host.ts';
import { refuse } from './refuse.ts';
import { settle } from './settle.ts';
import { findShipped, readShipped, type ShippedCall } from './shipped.ts';

/** A failure of one script is its outcome, so that those behind it still run. */
export async function runOrder(order: ScriptOrder, host: WorkerHost, leader?: Leader): Promise<Outcome> {
  const by = answering(host.door, WORKER);
  try {
    const shipped = findShipped(host.door.places.project, order.script);
    if (!shipped || order.interpreter !== 'python') return await runScript(order, host, by, leader);
    const outcome = await runShipped(readShipped(shipped, order.args), host, by);
    return order.quiet && outcome.state === 'success' ? { ...outcome, data: {} } : outcome;
  } catch (error) {
    return fail(by, toFault(error));
  }
}

/** Answers what a script, or the door on behalf of one, has asked. */
export async function resumeTask(answer: SavedAnswer, host: WorkerHost): Promise<Outcome> {
  const { question: id, words } = answer;
  const { door } = host;
  const by = answering(door, WORKER);
  const goOn = (order: ResumeOrder) => runScript(order, host, by);
  try {
    requireTrust(host);
    const script = approvedScript(await door.interrupts.get(id));
    if (script === undefined) return await resumeWorker(id, words, host, goOn);
    const raw = await resumeCall(answer, door);
    const ran = { script, quiet: false };
    return await settle(raw, ran, by, (asked) => askQuestion(asked, host, by, goOn));
  } catch (error) {
    return fail(by, toFault(error));
  }
}

/** Whether a saved question is about a script of bin/. */
export function isWorkerQuestion(saved: Interrupt): boolean {
  return saved.kind === 'worker' || approvedScript(saved) !== undefined;
}

function approvedScript(saved: Interrupt | undefined): string | undefined {
  const payload = saved?.kind === 'approval' ? saved.payload : undefined;
  const isWorker = isRecord(payload) && payload.kind === 'run_worker' && typeof payload.script === 'string';
  return isWorker ? String(payload.script) : undefined;
}

async function runScript(order: ResumeOrder, host: WorkerHost, by: Answering, leader?: Leader): Promise<Outcome> {
  const { interpreter, script, args, stdin } = order;
  const { door } = host;
  const call = {
    kind: 'run_worker',
    context: door.context,
    interpreter,
    script,
    args,
    ...(stdin !== undefined && { stdin }),
    ...(leader && { tag: leader.tag }),
  } as const;
  const raw = await perform(call, leader ? door.derive({ signal: leader.signal }) : door);
  const again = (next: ResumeOrder) => runScript(next, host, by, leader);
  return await settle(raw, order, by, (asked) => askQuestion(asked, host, by, again));
}

async function runShipped(call: ShippedCall, host: WorkerHost, by: Answering): Promise<Outcome> {
  if ('usage' in call) {
    const { usage } = call;
    throw new Fault(
      'InvalidArgs',
      { en: 'no such operation', zh: '没有此操作' },
      {
        details: { check: 'script', help: usage },
        hint: { en: usage, zh: usage },
      },
    );
  }
  if ('help' in call) return makeOutcome(by, 'success', HELP, { help: call.help }, { product: { printed: call.help } });
  if ('byPerson' in call) throw leftToPerson(call.byPerson);
  if ('missing' in call) return answerMissing(call, by);
  if ('look' in call) return saidBy(by, await host.look(call.look));
  const { door } = host;
  const args = { path: call.file, edits: [{ ...call.edit }] };
  const raw = await perform({ kind: 'use_tool', context: door.context, tool: writeFile.name, args }, door, WORKER);
  return raw.state === 'success' ? answerEdit(call, raw.product?.result, by) : raw;
}

const HELP: Text = { en: 'how the script is used', zh: '脚本用法' };

/** What comes in is shown to a person first; a task has nobody to show it to. */
function leftToPerson(command: string): Fault {
  return refuse(
    'person',
    {
      en: 'a person installs skills, because what comes in is shown first',
      zh: '安装技能须由人执行，安装前会显示内容',
    },
    { en: `Type \`${command}\`.`, zh: `请输入 \`${command}\`。` },
  );
}

/** As the `edit` command says it. */
function answerEdit({ edit }: Extract<ShippedCall, { edit: unknown }>, edited: unknown, by: Answering): Outcome {
  if (!isEditResult(edited)) throw new Fault('Internal', writeFile.name);
  const { path: file, changed, created } = edited;
  const shown = visible(file);
  const said = !changed ? UNCHANGED : created ? CREATED : CHANGED;
  const summary = { en: `${said.en}: ${shown}`, zh: `${said.zh}: ${shown}` };
  return makeOutcome(by, 'success', summary, { file, operation: edit.op, changed, created });
}

const UNCHANGED: Text = { en: 'already as wanted', zh: '无需更改' };
const CREATED: Text = { en: 'created', zh: '已创建' };
const CHANGED: Text = { en: 'changed', zh: '已更改' };

type MissingWords = Extract<ShippedCall, { missing: unknown }>;

function answerMissing({ missing, required, operations }: MissingWords, by: Answering): Outcome {
  const list = missing.join(', ');
  const prompt = operations
    ? {
        en: `Give one behind the script: ${operations.join(', ')}.`,
        zh: `请在脚本之后提供其一: ${operations.join('、')}。`,
      }
    : { en: `Give ${list} behind the operation.`, zh: `请在操作之后提供 ${list}。` };
  const next = inLanguage(prompt, by.language);
  const summary = { en: `waiting for: ${list}`, zh: `等待参数: 需要 ${list}` };
  return pendingOutcome(by, summary, { missing, next }, { required, optional: [], missing, prompt: next });
}
