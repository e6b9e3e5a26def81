// `task`: checks what is asked, runs the scripts of bin/ it names through the door, and answers once, with everything.
import path from 'node:path';
import { Fault, toFault } from '../base/errors.ts';
import { flatten, parseOutcome } from '../base/flat-outcome.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { type Answering, makeOutcome, type Outcome, tell } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import { fail } from '../door/fail.ts';
import { findScript } from '../door/kind/worker.ts';
import { answering } from '../door/perform.ts';
import { isShort } from './description.ts';
import type { FlightControl, Leader } from './flight.ts';
import { parsePrompt, type ScriptOrder } from './grammar.ts';
import { requireTrust, WORKER, type WorkerHost } from './host.ts';
import { refuse } from './refuse.ts';
import { requireWords, type TaskRequest } from './request.ts';
import { runOrder } from './run-script.ts';
import { warn } from './settle.ts';
import { SHIPPED_SCRIPTS } from './shipped.ts';
import { fromCache, payloadOf } from './stored.ts';

export interface TaskHost extends WorkerHost {
  /** Where results are shared; opened only for a task with a key. */
  flightControl(): Promise<FlightControl>;
  /** Do not take a stored result. */
  readonly fresh?: boolean;
}

/** Never throws. The result is in the return value; there is nothing to fetch later. */
export async function task(request: TaskRequest, host: TaskHost): Promise<Outcome> {
  const by = answering(host.door, WORKER);
  try {
    const warnings = checkRequest(request, host);
    const orders = parsePrompt(request.prompt);
    for (const { script } of orders) requireScript(script, host.door.places.project);
    const { idempotency_key: key } = request;
    const outcome =
      key === undefined ? await dispatch(orders, host, by) : await dispatchOnce(key, request.prompt, orders, host, by);
    return warn(outcome, ...warnings.map((text) => inLanguage(text, by.language)));
  } catch (error) {
    return fail(by, toFault(error));
  }
}

function checkRequest(request: TaskRequest, host: TaskHost): Text[] {
  const { agent, description } = request;
  if (agent !== WORKER.agent) {
    const shown = visible(String(agent));
    throw refuse('agent', {
      en: `there is no agent ${shown}, only ${WORKER.agent}`,
      zh: `没有智能体 ${shown}，只有 ${WORKER.agent}`,
    });
  }
  requireTrust(host);
  requireWords(request);
  return isShort(description) ? [] : [DESCRIPTION_LENGTH];
}

/** Of the shipped scripts it is known where they come from. */
function requireScript(script: string, project: string): void {
  try {
    findScript(script, project);
  } catch (error) {
    const isShipped = SHIPPED_SCRIPTS.some((name) => path.posix.normalize(script) === `bin/${name}`);
    if (!isShipped || !(error instanceof Fault) || error.type !== 'ScriptNotFound') throw error;
    const { type, detail, details = {} } = error;
    throw new Fault(type, detail, { details, hint: WRITTEN_BY_INIT });
  }
}

const WRITTEN_BY_INIT: Text = {
  en: '`skillwright init` writes this script; what is there already stays as it is.',
  zh: '`skillwright init` 会写入此脚本；已有的文件保持不变。',
};

const DESCRIPTION_LENGTH: Text = { en: 'the description should have 3 to 5 words', zh: '任务摘要宜为 3–5 个词' };

/** The same key executes once, here and in every other process; whoever comes in time gets that one outcome. */
async function dispatchOnce(
  key: string,
  prompt: string,
  orders: readonly ScriptOrder[],
  host: TaskHost,
  by: Answering,
): Promise<Outcome> {
  const control = await host.flightControl();
  const { result, way } = await control.fly(
    { key, payload: payloadOf(prompt), ...(host.fresh && { fresh: true }) },
    async (leader) => JSON.stringify(flatten(await dispatch(orders, host, by, leader))),
  );
  const outcome = parseOutcome(result);
  if (!outcome) throw unreadableResult(key);
  return way === 'stored' ? fromCache(outcome, by) : outcome;
}

function unreadableResult(key: string): Fault {
  const shown = visible(key);
  return new Fault(
    'StateUnusable',
    { en: `the stored result for ${shown} cannot be read`, zh: `${shown} 的已存结果无法读取` },
    { hint: { en: 'Ask again with --fresh: it takes no stored result.', zh: '请加 --fresh 重试: 不使用已存结果。' } },
  );
}

async function dispatch(
  orders: readonly ScriptOrder[],
  host: TaskHost,
  by: Answering,
  leader?: Leader,
): Promise<Outcome> {
  const [only, ...more] = orders;
  if (only && more.length === 0) return await runOrder(only, host, leader);
  const done: { order: ScriptOrder; outcome: Outcome }[] = [];
  for (const order of orders) {
    if (leader?.signal.aborted) break;
    const outcome = await runOrder(order, host, leader);
    done.push({ order, outcome });
    // Somebody has to decide first; what comes after may depend on it.
    if (outcome.state === 'interrupted') return stoppedAt(outcome, done, orders);
  }
  return summarize(done, orders.length, by);
}

type Done = readonly { readonly order: ScriptOrder; readonly outcome: Outcome }[];

function summarize(done: Done, total: number, by: Answering): Outcome {
  const { succeeded, failed } = sort(done);
  const results = done.map(({ order, outcome: { state, summary, data } }) => ({
    script: order.script,
    state,
    summary,
    data,
  }));
  const data = { succeeded, failed, results };
  if (succeeded.length === total)
    return makeOutcome(
      by,
      'success',
      { en: `all ${total} scripts succeeded`, zh: `执行成功: ${total}/${total} 个脚本` },
      data,
    );
  if (succeeded.length === 0) {
    const first = done[0]?.outcome.summary ?? '';
    return fail(by, new Fault('RuntimeFailed', first), data);
  }
  const some: Text = {
    en: `partly done: ${succeeded.length} of ${total} scripts succeeded`,
    zh: `部分完成: ${succeeded.length}/${total} 个脚本执行成功`,
  };
  return makeOutcome(by, 'partial', some, data);
}

function stoppedAt(last: Outcome, done: Done, orders: readonly ScriptOrder[]): Outcome {
  const waiting = orders.slice(done.length).map(nameOf);
  const { succeeded, failed } = sort(done.slice(0, -1));
  return tell(last, { succeeded, failed, not_run: waiting });
}

function sort(done: Done): { succeeded: string[]; failed: string[] } {
  const isGood = ({ outcome }: Done[number]) => outcome.state === 'success';
  return {
    succeeded: done.filter(isGood).map(({ order }) => nameOf(order)),
    failed: done.filter((one) => !isGood(one)).map(({ order }) => nameOf(order)),
  };
}

function nameOf({ script }: ScriptOrder): string {
  return script.slice('bin/'.length);
}
