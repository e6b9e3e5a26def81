// A call of `run_skill` in steps: the question about it, the call itself, and the question about changes that need a yes of their own.

import type { ProjectChange } from '../../app/library/public/change.ts';
import type { SkillTool, ToolCallOptions, ToolResult, Toolset } from '../../app/library/public/toolset.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import { isRecord } from '../../base/json.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';

/** `unasked`: the question reached nobody, so that it is saved for a terminal. */
export type Answer = 'yes' | 'unasked' | { readonly no: string };

/** Of the request that is being answered. */
export type Caught = Pick<ToolCallOptions, 'signal' | 'onProgress'>;

export interface AskedStep {
  /** All that a person decides on. */
  readonly question: string;
  readonly next: (answer: Answer, caught: Caught) => Promise<AskedStep | ToolResult>;
}

export interface RunGround {
  readonly set: Toolset;
  readonly tool: SkillTool;
  readonly language: Language;
  /** Changes that somebody has said no to: they are not asked about again. */
  readonly declined: Set<string>;
  /** Where requests belong to no connection: what later ones have to name. */
  readonly workspace?: string;
}

export function isStep(one: AskedStep | ToolResult): one is AskedStep {
  return typeof one.next === 'function';
}

/** The yes is for the very call that was judged: other words or files by then make it none. */
export async function beginRun(given: unknown, caught: Caught, ground: RunGround): Promise<AskedStep | ToolResult> {
  const { effect, question, approval } = await ground.tool.decide(given);
  if (effect !== 'ask' || question === undefined || approval === undefined)
    return await execute(given, caught, ground, {});
  return {
    question,
    next: async (answer, then) => {
      if (answer === 'unasked') return await ground.tool.execute(given, then);
      return await execute(given, then, ground, { approval: answer === 'yes' ? approval : answer });
    },
  };
}

async function execute(
  given: unknown,
  caught: Caught,
  ground: RunGround,
  decided: Pick<ToolCallOptions, 'approval'>,
): Promise<AskedStep | ToolResult> {
  const result = await ground.tool.execute(given, { ...caught, ...decided });
  return isRecord(result.changes) && result.ok ? await askAboutChanges(result, ground) : result;
}

/** What other tools obey or nobody sees stays for a terminal: a client's yes is not for it. */
async function askAboutChanges(result: ToolResult, ground: RunGround): Promise<AskedStep | ToolResult> {
  const { set, declined, language } = ground;
  const waiting = await set.changes();
  const asked = waiting?.changes.filter((change) => isForClient(change) && !declined.has(nameOf(change))) ?? [];
  if (!waiting || asked.length === 0) return result;
  const { digest } = waiting;
  const list = asked.map(({ kind, path }) => `  ${inLanguage(KINDS[kind], language)} ${visible(path)}`);
  return {
    question: [inLanguage(ASKED, language), ...list].join('\n'),
    next: async (answer) => {
      if (answer === 'yes') return await applied(result, { only: asked.map(({ path }) => path), digest }, set);
      if (answer !== 'unasked') for (const change of asked) declined.add(nameOf(change));
      return result;
    },
  };
}

const ASKED: Text = {
  en: 'The call is done. These changes need a yes of their own before they reach the project:',
  zh: '调用已完成。以下更改须另行同意才会应用到项目:',
};
const KINDS: Readonly<Record<ProjectChange['kind'], Text>> = {
  new: { en: 'new', zh: '新增' },
  changed: { en: 'changed', zh: '更改' },
  deleted: { en: 'deleted', zh: '删除' },
};

function isForClient({ path, guarded, refused }: ProjectChange): boolean {
  return guarded === undefined && refused === undefined && !isHiddenFile(path);
}

function nameOf({ path, kind, bytes }: ProjectChange): string {
  return JSON.stringify([path, kind, bytes]);
}

/** Bound to the digest: where other changes wait by now, nothing is applied, and the result says so. */
async function applied(
  result: ToolResult,
  wish: { readonly only: readonly string[]; readonly digest: string },
  set: Toolset,
): Promise<ToolResult> {
  const outcome = await set.apply(wish);
  if (!('result' in outcome) || outcome.result === undefined) return { ...result, hint: outcome.summary };
  const { applied: more, left } = outcome.result;
  const before = isRecord(result.changes) && Array.isArray(result.changes.applied) ? result.changes.applied : [];
  const { summary } = outcome;
  const changes = { ...Object(result.changes), applied: [...before, ...more], waiting: left };
  if (left.length > 0) return { ...result, summary, changes };
  const { hint: _, waitsFor: _waitsFor, ...done } = result;
  return { ...done, ok: true, state: 'success', summary, changes };
}
