// Does a skill keep to the protocol? Musts and advice, found by calling it as anybody would, through the same door.

import { Fault } from '../base/errors.ts';
import { canonicalJson, isRecord, type Json } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import type { Outcome, SkillReply } from '../base/outcome.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import { actionsInScript } from '../protocol/spoken-action.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { readActions } from '../skill/read/param.ts';
import type { SkillAction } from '../skill/skill.ts';
import { savingBy } from '../store/interrupt-store.ts';
import type { CallAction } from './call.ts';
import { sampleParams } from './conform-sample.ts';
import type { Door } from './door.ts';
import { AUTOMATIC_ACTIONS, findSkillSource } from './kind/action.ts';
import { perform } from './perform.ts';

export interface ConformFinding {
  /** The check by its English name, which never changes with the language. */
  readonly check: string;
  readonly title: Text;
  /** A must that fails is a breach of the protocol; advice is what a good skill does beyond it. */
  readonly level: 'must' | 'advice';
  readonly ok: boolean;
  readonly detail?: Text | string;
}

export interface Conformity {
  readonly skill: string;
  readonly actions: readonly string[];
  readonly findings: readonly ConformFinding[];
  /** Set when the skill could not be tried: why, as the door said it. */
  readonly stopped?: Outcome;
}

export type Tried = Pick<CallAction, 'skill' | 'source' | 'context' | 'byPerson'>;

const UNKNOWN = 'no_such_action';

export async function conform(tried: Tried, door: Door): Promise<Conformity> {
  const { skill } = await findSkillSource(tried, door);
  if (skill.manifest.entry === undefined) throw notSpeaking(skill);
  const findings: ConformFinding[] = [];
  const calling = new Calling(tried, door);
  try {
    const unknown = await tryUnknownAction(calling, findings);
    await tryBrokenRequest(calling, findings);
    const { described, tested } = await tryAutomatic(calling, findings);
    const declared = ownActions((skill.manifest.actions ?? []).map(({ name }) => name));
    const spoken = ownActions([...described.map(({ name }) => name), ...unknown.supported]);
    compareActions(declared, spoken, findings);
    const named = [...new Set([...declared, ...spoken])];
    const actions = named.length > 0 ? named : ownActions(actionsInScript(skill.folder, skill.manifest.entry));
    const ended: Outcome[] = [];
    for (const action of actions) {
      const params = (skill.manifest.actions ?? described).find(({ name }) => name === action)?.params ?? [];
      ended.push(...(await tryAction(calling, skill, { name: action, params }, findings)));
    }
    findings.push(...judgeWork(ended, actions, { tested, unknown: unknown.code }));
    return { skill: skill.name, actions, findings };
  } catch (error) {
    if (error instanceof Stopped) return { skill: skill.name, actions: [], findings, stopped: error.outcome };
    throw error;
  }
}

function notSpeaking({ name, kind }: SkillEntry): Fault {
  const shown = visible(name);
  return new Fault(
    'InvalidArgs',
    { en: `${shown} is a ${kind} skill and speaks no protocol`, zh: `${shown} 是 ${kind} 技能，不使用协议` },
    {
      hint: {
        en: `\`skillwright validate ${typedWord(name)} --profile strict\` checks it.`,
        zh: `请用 \`skillwright validate ${typedWord(name)} --profile strict\` 检查。`,
      },
    },
  );
}

function ownActions(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !AUTOMATIC_ACTIONS.includes(name));
}

/** A call of an action that SKILL.md leaves out is refused before it runs; one the script does not know fails. */
function compareActions(declared: readonly string[], spoken: readonly string[], findings: ConformFinding[]): void {
  if (declared.length === 0 || spoken.length === 0) return;
  const undeclared = spoken.filter((name) => !declared.includes(name));
  const unknown = declared.filter((name) => !spoken.includes(name));
  const detail = [
    ...(undeclared.length > 0 ? [`only the script knows ${undeclared.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`only SKILL.md names ${unknown.join(', ')}`] : []),
  ].join('; ');
  const title = { en: 'SKILL.md and the script name the same actions', zh: 'SKILL.md 与脚本列出相同的操作' };
  findings.push(advice(title, detail === '', detail));
}

class Stopped extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super(outcome.summary);
    this.outcome = outcome;
  }
}

/** Codes by which the door blames the skill; with any other the skill was not run. */
const BLAMED = /^(?:INVALID_RESPONSE|TIMEOUT|OUTPUT_LIMIT|RUNTIME_FAILED|LIMIT_.*)$/;

class Calling {
  readonly #tried: Tried;
  readonly #door: Door;

  constructor(tried: Tried, door: Door) {
    this.#tried = tried;
    // A question saved for later would be about one call of many.
    this.#door = door.derive({ interrupts: savingBy(() => {}, door.interrupts) });
  }

  async perform(action: string, params: Record<string, Json> = {}, stdin?: string): Promise<Outcome> {
    const sent = stdin !== undefined && { stdin };
    const call: CallAction = { kind: 'call', ...this.#tried, action, params, isTrial: true, ...sent };
    const outcome = await perform(call, this.#door);
    if (outcome.product?.reply || BLAMED.test(codeOf(outcome))) return outcome;
    throw new Stopped(outcome);
  }
}

/** What was said about an action that is none. */
interface UnknownAnswer {
  readonly supported: readonly string[];
  readonly code?: string;
}

async function tryUnknownAction(calling: Calling, findings: ConformFinding[]): Promise<UnknownAnswer> {
  const outcome = await calling.perform(UNKNOWN);
  const reply = outcome.product?.reply;
  findings.push(
    must(
      { en: 'an unknown action is answered with a failure', zh: '未知操作以失败响应' },
      reply?.success === false,
      outcome,
    ),
  );
  if (!reply) return { supported: [] };
  const supported = supportedBy(reply);
  findings.push(
    advice(
      { en: 'an unknown action has the code UNKNOWN_ACTION', zh: '未知操作的错误代码为 UNKNOWN_ACTION' },
      codeOf(outcome) === 'UNKNOWN_ACTION',
    ),
  );
  findings.push(
    advice({ en: 'that failure lists supported_actions', zh: '该失败列出 supported_actions' }, supported.length > 0),
  );
  return { supported, code: codeOf(outcome) };
}

async function tryBrokenRequest(calling: Calling, findings: ConformFinding[]): Promise<void> {
  const outcome = await calling.perform(UNKNOWN, {}, '{');
  findings.push(
    must(
      { en: 'a broken request is answered with a failure', zh: '损坏的请求以失败响应' },
      outcome.product?.reply?.success === false,
      outcome,
    ),
  );
  findings.push(
    advice(
      { en: 'a broken request has the code INVALID_JSON', zh: '损坏请求的错误代码为 INVALID_JSON' },
      codeOf(outcome) === 'INVALID_JSON',
    ),
  );
}

interface Automatic {
  readonly described: readonly SkillAction[];
  /** Whether the skill found that it works. */
  readonly tested: boolean;
}

async function tryAutomatic(calling: Calling, findings: ConformFinding[]): Promise<Automatic> {
  const described = (await calling.perform('describe')).product?.reply;
  findings.push(
    advice({ en: 'describe says what the skill can do', zh: 'describe 说明技能的能力' }, described?.success === true),
  );
  const tested = (await calling.perform('test')).product?.reply?.success === true;
  findings.push(advice({ en: 'test lets the skill check itself', zh: 'test 让技能自检' }, tested));
  const actions = isRecord(described?.data) ? described.data.actions : undefined;
  return { described: (Array.isArray(actions) && readActions(actions, () => {})) || [], tested };
}

/** Whether anything was tried, and whether anything worked: an answer that is always the same failure keeps no promise. */
function judgeWork(
  ended: readonly Outcome[],
  actions: readonly string[],
  { tested, unknown = '' }: { readonly tested: boolean; readonly unknown: string | undefined },
): ConformFinding[] {
  if (actions.length === 0) return [finding(TRIED, 'must', false, NOTHING_TO_TRY)];
  const [first] = ended;
  // What is not well-formed has been told already.
  if (!first) return [];
  if (tested || ended.some(({ state }) => state === 'success')) return [finding(WORKS, 'must', true)];
  const isAlike = ended.every((outcome) => ['INTERNAL_ERROR', 'UNKNOWN_ACTION', unknown].includes(codeOf(outcome)));
  const detail = { en: `each failed; the first with ${first.summary}`, zh: `均失败；首个为 ${first.summary}` };
  return [finding(WORKS, isAlike ? 'must' : 'advice', false, detail)];
}

const TRIED: Text = { en: 'an action can be tried', zh: '有可试运行的操作' };
const WORKS: Text = { en: 'an action does its work', zh: '有操作能完成工作' };
const NOTHING_TO_TRY: Text = {
  en: 'no action was run: name them under actions, in describe, or in supported_actions of the failure',
  zh: '未运行任何操作: 请在 actions、describe 或失败响应的 supported_actions 中列出操作',
};

/** What came of it, where it was well-formed. */
async function tryAction(
  calling: Calling,
  skill: SkillEntry,
  { name: action, params: declared }: SkillAction,
  findings: ConformFinding[],
): Promise<readonly Outcome[]> {
  const params = sampleParams(declared, skill);
  const first = await calling.perform(action, params);
  const reply = first.product?.reply;
  findings.push(
    must(
      { en: `${action}: one well-formed response`, zh: `${action}: 恰好一个格式正确的响应` },
      reply !== undefined,
      first,
    ),
  );
  if (!reply) return [];
  findings.push(
    advice({ en: `${action}: the response names the action`, zh: `${action}: 响应注明操作名` }, reply.namedAction),
  );
  const { mended } = reply;
  findings.push(
    advice(
      { en: `${action}: nothing of an older form`, zh: `${action}: 不含旧格式` },
      mended.length === 0,
      mended.join('; '),
    ),
  );
  if (!skill.manifest.deterministic) return [first];
  const second = (await calling.perform(action, params)).product?.reply;
  const isSame = canonicalJson(contentOf(second)) === canonicalJson(contentOf(reply));
  findings.push(
    advice(
      { en: `${action}: the same request gives the same result`, zh: `${action}: 相同请求得到相同结果` },
      isSame,
      UNSTEADY,
    ),
  );
  return [first];
}

const UNSTEADY: Text = {
  en: 'the same request gave two results; say deterministic: false if that is meant',
  zh: '相同请求得到两个结果；若确属如此，请声明 deterministic: false',
};

function must(title: Text, ok: boolean, outcome: Outcome): ConformFinding {
  return finding(title, 'must', ok, outcome.summary);
}

function advice(title: Text, ok: boolean, detail: Text | string = ''): ConformFinding {
  return finding(title, 'advice', ok, detail);
}

function finding(title: Text, level: ConformFinding['level'], ok: boolean, detail: Text | string = ''): ConformFinding {
  return { check: title.en, title, level, ok, ...(!ok && detail !== '' && { detail }) };
}

function codeOf(outcome: Outcome): string {
  return ('failure' in outcome && outcome.failure.code) || '';
}

function contentOf(reply: SkillReply | undefined): unknown {
  return reply?.data ?? reply?.error;
}

function supportedBy({ error }: SkillReply): string[] {
  const listed = error?.details?.supported_actions;
  return Array.isArray(listed) ? listed.map(String) : [];
}
