// With the skills chosen: read them, run what can be run in the order of the request, then report the results.
import path from 'node:path';
import type { Language } from '../../base/language.ts';
import { argumentsOf } from '../../loader/argument.ts';
import { loadBody } from '../../loader/body.ts';
import type { Index, SkillEntry } from '../../registry/discover.ts';
import { resolveSkill } from '../../registry/resolve.ts';
import type { Action, Plan } from '../action.ts';
import { speaksOf } from './choice-word.ts';
import type { Choice } from './choose.ts';
import { fillParams } from './fill.ts';
import { readMaterial } from './material.ts';
import type { Part } from './part.ts';
import { pickAction } from './pick-action.ts';
import type { ProjectFiles } from './project.ts';
import { askFor, askForAction, goalOf, reportDone, reportFailure, reportMissing, reportPrompt } from './report.ts';
import type { OfflineStep, OfflineView } from './view.ts';
import { wantedBy } from './wanted.ts';

export interface Situation {
  readonly view: OfflineView;
  readonly index: Index;
  readonly project: ProjectFiles;
  readonly language: Language;
  readonly choice: Choice;
}

export interface Move {
  readonly action: Action;
  readonly plan?: Plan;
  readonly pending?: Readonly<Record<string, unknown>>;
  readonly failed?: Readonly<Record<string, unknown>>;
}

export function advance(parts: readonly Part[], situation: Situation): Move {
  const { steps } = situation.view;
  const runnable = parts.filter(({ skill }) => skill.kind !== 'prompt');
  const ran = steps.filter(({ type }) => type === 'invoke_skill');
  const failed = steps.find(({ state }) => state !== 'success' && state !== 'partial');
  if (failed) return tellFailure(failed, parts, ran, situation);
  const next = runnable[ran.length];
  const call = next && prepare(next, ran, situation);
  if (call?.pending) return call;
  const unread = parts.map(({ skill }) => skill).filter((skill) => isUnread(skill, situation.view));
  const selections = steps.filter(({ type }) => type === 'select_skills').length;
  if (unread.length > 0 && selections < parts.length)
    return { action: select(unread, situation), plan: planOf(parts, 0, situation) };
  if (call) return { ...call, plan: planOf(parts, ran.length, situation) };
  return tellResult(parts, ran, situation);
}

function select(unread: readonly SkillEntry[], { index, choice }: Situation): Action {
  const isNamed = choice.kind === 'chosen' && choice.by === 'name';
  return {
    type: 'select_skills',
    skills: unread.slice(0, 2).map((skill) => referTo(skill, index)),
    reason: isNamed ? 'the request names it' : 'it fits the request clearly better than any other',
  };
}

/** The call, or the question for what is missing. */
function prepare({ skill, text, behind }: Part, ran: readonly OfflineStep[], situation: Situation): Move {
  const { view, index, project, language } = situation;
  const ref = referTo(skill, index);
  if (worksAlone(skill, view)) return { action: { type: 'invoke_skill', skill: ref, params: { task: view.request } } };
  const action = skill.kind === 'protocol' ? pickAction(skill, readMaterial(text, project).prose, behind) : undefined;
  if (skill.kind === 'protocol' && action === undefined) return askAction(skill, situation);
  const wanted = wantedBy(skill, action);
  const words = behind !== undefined && action !== undefined ? withoutFirst(behind, action) : behind;
  const { params, missing, absent } = fillParams(wanted, {
    text,
    project,
    results: resultsFor(skill, ran.at(-1), situation),
    language,
    ...(words !== undefined && { behind: words }),
  });
  if (missing.length === 0)
    return { action: { type: 'invoke_skill', skill: ref, ...(action !== undefined && { action }), params } };
  const names = missing.map(({ name }) => name);
  const prompt = askFor(missing, absent, language);
  return waitFor(
    [doneSoFar(ran, situation), reportMissing(skill.name, names, prompt, language)].filter(Boolean).join('\n\n'),
    {
      reason: 'params',
      skill: skill.name,
      ...(action !== undefined && { action }),
      required: wanted.filter(({ needed }) => needed).map(({ name }) => name),
      optional: wanted.filter(({ needed }) => !needed).map(({ name }) => name),
      missing: names,
      prompt,
    },
  );
}

/** A file the previous step wrote, preferring the type the skill mentions first. */
function resultsFor({ manifest }: SkillEntry, last: OfflineStep | undefined, { view, project }: Situation): string[] {
  if (!last) return [];
  const own = view.artifacts.filter((file) => last.named?.includes(file));
  const files = (own.length > 0 ? own : view.artifacts).flatMap((file) => placeOf(file, project));
  const isSpokenOf = (file: string) => speaksOf(manifest.description, path.extname(file).slice(1));
  return [...files.filter(isSpokenOf), ...files.filter((file) => !isSpokenOf(file))];
}

function askAction(skill: SkillEntry, { language }: Situation): Move {
  const actions = (skill.manifest.actions ?? []).map(({ name }) => name);
  const prompt = askForAction(actions, language);
  const data = {
    reason: 'params',
    skill: skill.name,
    required: ['action'],
    optional: [],
    missing: ['action'],
    actions,
    prompt,
  };
  return waitFor(reportMissing(skill.name, ['action'], prompt, language), data);
}

function tellFailure(
  failed: OfflineStep,
  parts: readonly Part[],
  ran: readonly OfflineStep[],
  situation: Situation,
): Move {
  const runnable = parts.filter(({ skill }) => skill.kind !== 'prompt');
  const at = ran.indexOf(failed);
  const skill = (at < 0 ? parts[0] : runnable[at])?.skill.name ?? '';
  const before = at > 0 ? doneSoFar(ran.slice(0, at), situation) : '';
  const content = reportFailure(skill, failed, before, situation.language);
  const { state, summary, hint } = failed;
  return {
    action: { type: 'final_answer', content },
    failed: { skill, state, summary, ...(hint !== undefined && { hint }) },
  };
}

function tellResult(parts: readonly Part[], ran: readonly OfflineStep[], situation: Situation): Move {
  const { language } = situation;
  const prompts = parts.filter(({ skill }) => skill.kind === 'prompt');
  const notes = prompts.map(({ skill, behind = '' }) => {
    const { text } = loadBody(skill, { arguments: argumentsOf(behind, skill.manifest) });
    return reportPrompt(skill, goalOf(text), language);
  });
  const content = [doneSoFar(ran, situation), ...notes].filter((part) => part !== '').join('\n\n');
  const first = prompts[0]?.skill;
  if (first) return waitFor(content, { reason: 'model', skill: first.name, path: first.file });
  return { action: { type: 'final_answer', content }, plan: planOf(parts, parts.length, situation) };
}

function doneSoFar(ran: readonly OfflineStep[], { view, project, language }: Situation): string {
  if (ran.length === 0) return '';
  const files = view.artifacts.map((file) => placeOf(file, project)[0] ?? file);
  return reportDone(ran, files, language);
}

export function waitFor(content: string, pending: Readonly<Record<string, unknown>>): Move {
  return { action: { type: 'final_answer', content }, pending };
}

function planOf(parts: readonly Part[], done: number, { view }: Situation): Plan {
  const steps = parts.map(({ skill }, at) => ({
    id: `s${at + 1}`,
    title: skill.name,
    status: at < done ? ('completed' as const) : at === done ? ('in_progress' as const) : ('pending' as const),
  }));
  return { goal: view.request.trim().slice(0, 500) || 'answer', steps, assumptions: [], constraints: {} };
}

function isUnread(skill: SkillEntry, view: OfflineView): boolean {
  return !view.loaded.includes(skill.skillId) && !worksAlone(skill, view);
}

/** Such a skill is a subagent; inside that run its instructions have been read. */
function worksAlone(skill: SkillEntry, { loaded }: OfflineView): boolean {
  return skill.manifest.runMode === 'subagent' && !loaded.includes(skill.skillId);
}

function referTo(skill: SkillEntry, index: Index): { name: string; source: SkillEntry['source'] } {
  const { name, folderName, source } = skill;
  const resolved = resolveSkill(index, name, { source });
  return { name: 'found' in resolved && resolved.found === skill ? name : folderName, source };
}

/** Calls name their results relative to the project or to the output folder. */
function placeOf(file: string, { has, output }: ProjectFiles): string[] {
  return [file, path.join(output, file)].filter((place) => has(place)).slice(0, 1);
}

function withoutFirst(behind: string, action: string): string {
  const rest = behind.replace(/^[:：\s]+/, '');
  return rest.startsWith(action) ? rest.slice(action.length).trim() : behind;
}
