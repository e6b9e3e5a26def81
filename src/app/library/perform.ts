// One call of a skill: an action, the skill by its name, or a script of it.
import { isRecord, type Json, toJson } from '../../base/json.ts';
import type { Product } from '../../base/outcome.ts';
import type { Ended } from '../../process/order.ts';
import { carryOut } from './carry-out.ts';
import type { Handle } from './handle.ts';
import type { CallOptions, ExecOptions } from './public/options.ts';
import type { CallOutcome } from './public/outcome.ts';
import type { ExecResult, InvokeResult, Params } from './public/result.ts';
import { requireText, wrongUse } from './wrong-use.ts';

export async function callAction(
  handle: Handle,
  skill: string,
  action: string,
  params: Params = {},
  options: CallOptions = {},
): Promise<CallOutcome> {
  requireText('skill', skill);
  requireText('action', action);
  const written = { given: jsonParams(params), written: new Map<string, string>() };
  return await carryOut<unknown>(
    handle,
    options,
    () => null,
    async (runtime, caller) => {
      const { callSkill } = await import('../skill/call.ts');
      const request = { skill, action, ...common(options), params: written, text: `${skill} ${action}` };
      const outcome = await callSkill(request, runtime, caller);
      const { reply } = outcome.product ?? {};
      return { outcome, ...(reply && { found: { result: plainCopy(reply.data) } }) };
    },
  );
}

export async function invokeByName(
  handle: Handle,
  skill: string,
  input: string | Params = {},
  options: CallOptions = {},
): Promise<CallOutcome<InvokeResult>> {
  requireText('skill', skill);
  const params = typeof input === 'string' ? {} : jsonParams(input);
  return await carryOut<InvokeResult>(
    handle,
    options,
    () => ({ artifacts: [] }),
    async (runtime, caller) => {
      const { invokeSkill } = await import('../skill/invoke.ts');
      const named = { skill, ...common(options), params, ...(typeof input === 'string' && { input }) };
      const outcome = await invokeSkill({ call: { kind: 'invoke', ...named }, text: `@${skill}` }, runtime, caller);
      const { product } = outcome;
      return { outcome, ...(product && { found: { result: invoked(product) } }) };
    },
  );
}

export async function execByPath(
  handle: Handle,
  skill: string,
  script: string,
  args: readonly string[] = [],
  options: ExecOptions = {},
): Promise<CallOutcome<ExecResult>> {
  requireText('skill', skill);
  requireText('script', script);
  if (!Array.isArray(args) || args.some((word) => typeof word !== 'string')) throw wrongUse('args', 'a list of texts');
  const { stdin } = options;
  const asked = { skill, script, args, ...common(options), ...(stdin !== undefined && { stdin }), byPerson: false };
  return await carryOut<ExecResult>(
    handle,
    options,
    () => NEVER_RUN,
    async (runtime, caller) => {
      const { execScript } = await import('../skill/exec.ts');
      const text = [skill, script, ...args].join(' ');
      const { outcome, ended } = await execScript({ ...asked, text }, runtime, caller);
      return { outcome, ...(ended && { found: { result: endedAs(ended) } }) };
    },
  );
}

const NEVER_RUN: ExecResult = { exit: null, stdout: '', stderr: '' };

function invoked({ content, printed, artifacts = [] }: Product): InvokeResult {
  return {
    ...(content !== undefined && { content }),
    ...(printed !== undefined && { stdout: printed }),
    artifacts,
  };
}

function endedAs({ exit, stdout, stderr }: Ended): ExecResult {
  return { exit, stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() };
}

function common({ source, timeout }: CallOptions) {
  return { ...(source && { source }), ...(timeout !== undefined && { timeoutSeconds: timeout }) };
}

/** As every other object of the program: what comes from outside was read without prototypes. */
export function plainCopy(value: unknown): unknown {
  return value === undefined ? null : structuredClone(value);
}

/** Throws a Fault for what JSON cannot hold. */
export function jsonParams(params: Params): Record<string, Json> {
  try {
    const json = toJson(params);
    if (isRecord(json)) return json;
  } catch {
    // Told below.
  }
  throw wrongUse('params', 'an object that JSON can hold');
}
