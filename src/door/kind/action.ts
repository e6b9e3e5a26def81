// `call`: one action of a protocol skill. The request goes in on stdin, and one response on stdout is the result.

import { Fault, findErrorType } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { type Answering, type Data, makeOutcome, type Outcome, type Product, tell } from '../../base/outcome.ts';
import { isInside } from '../../base/paths.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { nearest, visible } from '../../base/text.ts';
import type { Allowance } from '../../policy/policy.ts';
import { excerptOf } from '../../process/excerpt.ts';
import { renderRequest } from '../../protocol/request.ts';
import { judgeResponse, type Response } from '../../protocol/response.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill } from '../../skill/digest.ts';
import type { Param } from '../../skill/skill.ts';
import { checkRange, refuseUnknown } from '../../skill/value.ts';
import { runScript } from '../../tools/run-script.ts';
import type { CallAction } from '../call.ts';
import type { Door } from '../door.ts';
import type { Executed } from '../executed.ts';
import { fail } from '../fail.ts';
import { checkGivenFile } from '../given-file.ts';
import { concludeFailure, printedBy, sandboxOf } from '../output/conclude.ts';
import { namedOutputs } from '../output/name.ts';
import { networkHint } from '../output/refused-network.ts';
import { failureOf, isExplained } from '../output/verdict.ts';
import { checkPatterns } from '../param-pattern.ts';
import { baseOf, pathInProject, takesPath } from '../typed-path.ts';
import { allowanceOf, secondsFor, secretsOf, secretWords, type Work, wantsNetwork } from '../work.ts';

/** What the authoring kits answer for every skill. */
export const AUTOMATIC_ACTIONS: readonly string[] = ['describe', 'test'];

export async function understandAction(call: CallAction, door: Door): Promise<Work> {
  const described = describeAction(call, await findSkillSource(call, door), door);
  if (!call.isTrial) await checkPatterns(paramsOf(described.skill, call.action), call.params);
  return { ...described, digest: digestSkill(described.skill).digest };
}

/** All that can be said without the content of its files. Throws a Fault where the action or its parameters are wrong. */
export function describeAction(
  call: CallAction,
  { skill, role, folder }: SkillSource,
  door: Door,
): Omit<Work, 'digest'> & { readonly skill: SkillEntry } {
  const { entry } = skill.manifest;
  if (entry === undefined) throw noActions(skill);
  const { action } = call;
  if (!call.isTrial) checkDeclared(skill, call);
  const params = placeParams(skill, call, door);
  const script = entry.replace(/^\.\//, '');
  const network = wantsNetwork(call, skill);
  const secrets = secretsOf(skill);
  const texts = Object.values(params).filter((value) => typeof value === 'string');
  const values = Object.entries(params).map(([name, value]) => `${name}=${wordOf(value)}`);
  return {
    tool: runScript.name,
    skill,
    ...(role && { role }),
    args: { script, action, params: { ...params }, stdin: call.stdin ?? null, secrets },
    words: [script, action, ...values, ...secretWords(skill)],
    asked: { tool: runScript.name, script, argv: [script], network },
    granted: { script, action, params },
    allowances: [allowanceOf(skill)],
    origin: 'skill',
    program: { script, args: [] },
    cwd: folder ?? door.places.project,
    stdin: call.stdin ?? renderRequest({ action, params, context: call.context }),
    seconds: secondsFor(call, skill, 'script', door),
    secrets,
    network,
    files: [...filesOf(skill, { ...call, params }, door), ...elsewhere(folder, door)],
    output: { folder: door.folders.output, names: namedOutputs(texts, door.folders.output, door) },
    // Trying a skill is no use of it.
    counts: call.isTrial !== true,
    conclude: (executed, by) => conclude(skill.name, action, executed, by),
  };
}

/** What an action declares about its parameters; nothing where the skill declares nothing. */
export async function declaredParams(
  call: Pick<CallAction, 'skill' | 'source' | 'action'>,
  door: Door,
): Promise<readonly Param[]> {
  const { skill } = await findSkillSource(call, door);
  return paramsOf(skill, call.action);
}

function paramsOf({ manifest }: SkillEntry, action: string): readonly Param[] {
  return manifest.actions?.find(({ name }) => name === action)?.params ?? [];
}

interface SkillSource {
  readonly skill: SkillEntry;
  readonly role?: Allowance;
  /** The folder of the role, where its skills work. */
  readonly folder?: string;
}

/** `role/skill` names a role's skill first; else it is a skill in a folder of that name. */
export async function findSkillSource(
  { skill: reference, source }: Pick<CallAction, 'skill' | 'source'>,
  door: Door,
): Promise<SkillSource> {
  const ofRole = source === undefined && reference.includes('/') ? await door.resolveRole(reference) : undefined;
  if (ofRole) return ofRole;
  const skill = door.resolve(reference, source);
  return { skill, ...(skill.ofRole && { folder: skill.ofRole.folder }) };
}

/** What a skill declares is known before anybody is asked. What it does not speak of, it answers for itself. */
function checkDeclared(skill: SkillEntry, { action, params }: CallAction): void {
  const declared = (skill.manifest.actions ?? []).map(({ name }) => name);
  if (declared.length > 0 && ![...declared, ...AUTOMATIC_ACTIONS].includes(action))
    throw unknownAction(action, declared);
  const known = paramsOf(skill, action).map(({ name }) => name);
  if (known.length > 0) refuseUnknown(Object.keys(params), known);
  checkRequired(skill, action, params);
  for (const param of paramsOf(skill, action)) {
    const value = params[param.name];
    if (value !== undefined) checkRange(param, value);
  }
}

function unknownAction(action: string, declared: readonly string[]): Fault {
  const [near] = nearest(action, declared);
  const list = declared.map(visible).join(', ');
  return new Fault('UnknownAction', visible(action), {
    details: { action, supported_actions: declared },
    hint:
      near === undefined
        ? { en: `It can do: ${list}.`, zh: `支持的操作: ${list}。` }
        : {
            en: `Did you mean ${visible(near)}? It can do: ${list}.`,
            zh: `您是否想输入 ${visible(near)}？支持的操作: ${list}。`,
          },
  });
}

function placeParams(skill: SkillEntry, call: CallAction, door: Door): CallAction['params'] {
  const base = baseOf(call, door);
  if (base === door.places.project) return call.params;
  const isPath = new Set(
    paramsOf(skill, call.action)
      .filter(takesPath)
      .map(({ name }) => name),
  );
  return Object.fromEntries(
    Object.entries(call.params).map(([name, value]) => {
      const placed = isPath.has(name) && typeof value === 'string' ? pathInProject(value, base, door) : value;
      return [name, placed];
    }),
  );
}

function checkRequired(skill: SkillEntry, action: string, params: CallAction['params']): void {
  const missing = paramsOf(skill, action).filter(
    (param) => param.required && param.default === undefined && !Object.hasOwn(params, param.name),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  throw new Fault('ParamMissing', names.join(', '), { details: { missing: names, action } });
}

/** The folder of a role that was fetched: what lies in the project is shown anyway. */
function elsewhere(folder: string | undefined, { places }: Door): string[] {
  return folder === undefined || isInside(places.project, folder) ? [] : [folder];
}

function filesOf(skill: SkillEntry, { action, params, byPerson = false }: CallAction, door: Door): string[] {
  return paramsOf(skill, action).flatMap(({ name, type }) => {
    const value = params[name];
    if (type !== 'file' || typeof value !== 'string') return [];
    return checkGivenFile(name, value, byPerson, door).show ?? [];
  });
}

function conclude(skill: string, action: string, executed: Executed, by: Answering): Outcome {
  const { ended } = executed;
  if (ended.why !== 'exit')
    return concludeFailure(skill, executed, by) ?? invalid(skill, { en: 'it was ended', zh: '已被终止' }, executed, by);
  const judged = judgeResponse(ended.stdout, action, ended.exit);
  if (!judged.ok) return invalid(skill, judged.reason, executed, by);
  const { response } = judged;
  if (!response.success) return skillFailed(skill, response.error, response, executed, by);
  const shown = visible(`${skill} ${action}`);
  const summary = response.message ?? { en: `done: ${shown}`, zh: `执行成功: ${shown}` };
  return makeOutcome(by, 'success', summary, dataOf(skill, response, executed), {
    product: productOf(response, executed),
  });
}

function metadataOf({ metadata }: Response, { ended }: Executed): Data {
  return { execution_time_ms: Math.round(ended.durationMs), ...metadata };
}

function productOf(response: Response, executed: Executed): Product {
  const reply = { ...response, metadata: metadataOf(response, executed) };
  const { copied, refused } = executed.outputs;
  return { reply, artifacts: copied.map((file) => file.path), refused };
}

function dataOf(skill: string, response: Response, executed: Executed): Data {
  const { mended, namedAction, metadata: _, ...answer } = response;
  const { outputs } = executed;
  return {
    skill,
    response: { ...answer, metadata: metadataOf(response, executed) },
    ...(mended.length > 0 && { mended }),
    ...(!namedAction && { action_filled: true }),
    ...(outputs.copied.length > 0 && { outputs: outputs.copied }),
    ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    sandbox: sandboxOf(executed),
  };
}

/** What the skill says about its failure stands as it said it; only the host ever says that time ran out. */
function skillFailed(
  skill: string,
  { code, message, details }: (Response & { success: false })['error'],
  response: Response,
  executed: Executed,
  by: Answering,
): Outcome {
  const type = findErrorType(code) ?? 'RuntimeFailed';
  const hint = networkHint(executed, message);
  const fault = new Fault(type, message, {
    code,
    ...(details && { details }),
    ...(type === 'Internal' && { hint: SKILL_FAILED }),
    ...hintFrom(details?.supported_actions),
    ...(hint && { hint }),
  });
  const data = { ...dataOf(skill, response, executed), sandbox: sandboxOf(executed, hint !== undefined) };
  const failed = fail(by, fault, data, skill, productOf(response, executed));
  const failure = { ...failed.failure, msg: message };
  return { ...tell(failed, { msg: message }), state: 'error', summary: `${code}: ${message}`, failure };
}

const SKILL_FAILED: Text = {
  en: 'The skill itself failed; --debug shows what it wrote to stderr.',
  zh: '技能自身出错；--debug 显示其 stderr 输出。',
};

function hintFrom(supported: unknown): { hint?: Text } {
  if (!Array.isArray(supported)) return {};
  const list = supported.map(String).map(visible).join(', ');
  return { hint: { en: `It can do: ${list}.`, zh: `支持的操作: ${list}。` } };
}

/** No answer that counts: where the script itself fell over, that is the better explanation. */
function invalid(skill: string, reason: Text, executed: Executed, by: Answering): Outcome {
  const { ended } = executed;
  const said = { skill, sandbox: sandboxOf(executed), ...printedBy(executed) };
  if (ended.exit !== 0 && ended.stdout.length === 0) {
    const failure = failureOf(ended);
    if (isExplained(failure) || failure.reason !== undefined) return fail(by, failure, said);
  }
  const { exit, signal } = ended;
  const stderr = excerptOf(ended.stderr);
  const end = reason.en.includes('exit code') ? { en: '', zh: '' } : endText(exit, signal);
  const last = stderr.split('\n').at(-1) ?? '';
  const note = last === '' ? '' : ` (${last})`;
  const detail = { en: `${reason.en}${end.en}${note}`, zh: `${reason.zh}${end.zh}${note}` };
  return fail(by, new Fault('InvalidResponse', detail, { details: { reason: reason.en, exit, signal, stderr } }), said);
}

function endText(exit: number | null, signal: string | null): Text {
  if (signal) return { en: `, ended by ${signal}`, zh: `，由 ${signal} 终止` };
  return exit === 0 ? { en: '', zh: '' } : { en: `, exit code ${exit}`, zh: `，退出码 ${exit}` };
}

function wordOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function noActions(skill: SkillEntry): Fault {
  const shown = visible(skill.name);
  const typed = typedWord(`@${skill.name}`);
  return new Fault(
    'InvalidArgs',
    { en: `${shown} is a ${skill.kind} skill and has no actions`, zh: `${shown} 是 ${skill.kind} 技能，没有操作` },
    { hint: { en: `\`skillwright invoke ${typed}\``, zh: `\`skillwright invoke ${typed}\`` } },
  );
}
