// `run_skill`: an action, a script or the command of a skill, in the one layer of the toolset.
import { Fault } from '../../../base/errors.ts';
import { isHiddenFile } from '../../../base/hidden-files.ts';
import { isTextList, toJson } from '../../../base/json.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Call } from '../../../door/call.ts';
import { judgeCall } from '../../../door/judge/judge-call.ts';
import { perform } from '../../../door/perform.ts';
import { resolveSkill } from '../../../registry/resolve.ts';
import type { Caller, OpenDoor } from '../../open-door.ts';
import { concludeChanges } from '../../workspace/conclude.ts';
import { isExecuted } from '../../workspace/executed.ts';
import type { Judged } from '../../workspace/judge.ts';
import type { ChangesAnswer, ShownChanges } from '../../workspace/settle.ts';
import { plainCopy } from '../perform.ts';
import type { ToolCallOptions } from '../public/toolset.ts';
import { type ToolInput, textIn } from './input.ts';
import { findOffered, type Ground } from './reading.ts';

/** Changes that somebody left undecided: a yes to a later call is not about them. */
export type Undecided = Map<string, string>;

/** Throws a Fault for a skill that is not there, and for an action that is not said. */
export function callOf(input: ToolInput, ground: Ground): Call {
  const { context } = ground.door;
  const written = textIn(input, 'skill') ?? '';
  const found = namesSkillOfRole(input, ground) ? undefined : findOffered(written, ground);
  const skill = found ? `${found.source}:${found.folderName}` : written;
  const [action, script, text] = ['action', 'script', 'input'].map((name) => textIn(input, name));
  const params = toObject(input.params);
  if (script !== undefined) return { kind: 'run_script', skill, script, args: wordsIn(input), context };
  if (action !== undefined) return { kind: 'call', skill, action, params, context };
  if (found?.kind === 'protocol') throw noAction((found.manifest.actions ?? []).map(({ name }) => name));
  return { kind: 'invoke', skill, params, ...(text !== undefined && { input: text }), context };
}

/** What roles keep for themselves is among no list of skills, and no way around who may choose one. */
function namesSkillOfRole(input: ToolInput, { runtime, names }: Ground): boolean {
  const written = textIn(input, 'skill') ?? '';
  if (names || !written.includes('/') || textIn(input, 'action') === undefined) return false;
  const resolved = resolveSkill(runtime.index(), written);
  return !('found' in resolved) || !resolved.found.manifest.disableModelInvocation;
}

function toObject(params: unknown): Record<string, ReturnType<typeof toJson>> {
  if (typeof params !== 'object' || params === null) return {};
  const json = toJson(params);
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
}

function wordsIn({ args }: ToolInput): readonly string[] {
  return isTextList(args) ? args : [];
}

function wordsOf(call: Call): string {
  return 'skill' in call ? `run_skill ${visible(call.skill ?? '')}` : 'run_skill';
}

function noAction(actions: readonly string[]): Fault {
  const list = actions.join(', ');
  return new Fault('ParamMissing', 'action', {
    hint: { en: `The skill has the actions ${list}.`, zh: `该技能的操作: ${list}。` },
  });
}

/** Whoever takes its turn: calls of one toolset share a layer, and none settles it while another writes. */
export async function runSkill(
  call: Call,
  { runtime, door }: Ground,
  undecided: Undecided,
  caller: Caller,
  { signal, approval, onProgress }: ToolCallOptions,
): Promise<Outcome> {
  const no = noIn(approval);
  if (no && !(await judgeCall(call, door))) throw new Fault('ApprovalDenied', wordsOf(call));
  let isApproved = false;
  const { ask, askChanges } = caller;
  const own: Caller = {
    ...caller,
    ...(no && { no }),
    ...(ask && {
      ask: async (question) => {
        const answer = await ask(question);
        isApproved ||= answer === 'once' || answer === 'run';
        return answer;
      },
    }),
    askChanges: async (shown) => await decideChanges(shown, isApproved, undecided, askChanges),
    onProgress: (progress) => {
      caller.onProgress?.(progress);
      onProgress?.(progress);
    },
    onSettled: async ({ waiting }) => remember(waiting, undecided),
  };
  const derived = door.derive({ caller: own, signal });
  const given = no ? undefined : await giveApproval(call, approval, derived);
  isApproved = given !== undefined;
  const done = await perform(call, derived);
  // Of a call that needed none after all nothing is left for another one.
  if (given) derived.approvals.take(given);
  return await concludeChanges(done, derived, runtime);
}

/** A no that came with the call, with its reason. */
export function noIn(approval: ToolCallOptions['approval']): Caller['no'] {
  if (approval === false) return {};
  return typeof approval === 'object' ? { reason: approval.no } : undefined;
}

/** The yes counts for these very files, arguments and rules, and for no more than `--yes` would; else it is none. */
async function giveApproval(call: Call, approval: ToolCallOptions['approval'], door: OpenDoor) {
  if (approval === undefined) return undefined;
  const judged = await judgeCall(call, door).catch(() => undefined);
  if (judged?.effect !== 'ask' || !judged.forYes) return undefined;
  if (approval !== true && approval !== judged.key) return undefined;
  door.approvals.give(judged.subject, 'once', 'client');
  return judged.subject;
}

/** A yes to the call covers new and changed ordinary files; the rest is asked about, or waits. */
async function decideChanges(
  shown: ShownChanges,
  isApproved: boolean,
  undecided: Undecided,
  ask: Caller['askChanges'],
): Promise<ChangesAnswer> {
  const covered = isApproved ? shown.judged.filter((one) => isOrdinary(one) && !isLeft(one, undecided)) : [];
  const only = covered.map(({ change }) => change.path);
  const rest = shown.judged.filter((one) => !covered.includes(one));
  const answer = ask && rest.some((one) => one.verdict !== 'refused') ? await ask({ ...shown, judged: rest }) : 'no';
  if (answer === 'no') return only.length > 0 ? { only } : 'no';
  const more = answer === 'yes' ? { only: rest.map(({ change }) => change.path) } : answer;
  return { ...more, only: [...only, ...more.only] };
}

function isOrdinary({ change, verdict }: Judged): boolean {
  const { path, after } = change;
  return verdict === 'plain' && after !== undefined && !isExecuted(change) && !isHiddenFile(path);
}

function isLeft({ change }: Judged, undecided: Undecided): boolean {
  return undecided.get(change.path) === stateOf(change);
}

function remember(waiting: readonly Judged[], undecided: Undecided): void {
  undecided.clear();
  for (const { change } of waiting) undecided.set(change.path, stateOf(change));
}

function stateOf({ after }: Judged['change']): string {
  return JSON.stringify(after ?? null);
}

/** What came out of it, for a model. */
export function resultIn({ product }: Outcome): unknown {
  if (!product) return undefined;
  const { reply, content, printed, script, artifacts = [] } = product;
  if (reply) return plainCopy(reply.success ? reply.data : reply.error);
  if (content !== undefined) return content;
  if (script) return { exit: script.exit, stdout: script.stdout, stderr: script.stderr };
  if (printed === undefined && artifacts.length === 0) return undefined;
  return { ...(printed !== undefined && { stdout: printed }), ...(artifacts.length > 0 && { files: artifacts }) };
}
