// What tests of the agent share: a project with skills, one run with a scripted model, and what it left behind.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { RunOrder } from '../../src/app/run/order.ts';
import { resumeRequest } from '../../src/app/run/resume.ts';
import { runRequest } from '../../src/app/run/start.ts';
import { createRuntime } from '../../src/app/runtime.ts';
import type { AuditRecord, TextRef } from '../../src/audit/event.ts';
import { readKeptBytes } from '../../src/audit/observation.ts';
import { readRecords } from '../../src/audit/verify.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import { type ScriptedAnswer, type ScriptOptions, scriptedModel } from '../../src/model/scripted.ts';
import { type CliResult, runCli, temporaryFolder } from './support.ts';

export interface World {
  readonly project: string;
  readonly home: string;
}

/** Files by their path below the project; a skill is `.agent/skills/<name>/SKILL.md`. */
export function makeWorld(t: TestContext, files: Readonly<Record<string, string>> = {}): World {
  const folder = temporaryFolder(t);
  const world = { project: path.join(folder, 'project'), home: path.join(folder, 'home') };
  mkdirSync(path.join(world.project, '.agent', 'skills'), { recursive: true });
  mkdirSync(world.home);
  plant(world.project, files);
  return world;
}

export function plant(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    const at = path.join(root, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
}

/** The path and text of a skill, with more frontmatter where it is needed. */
export function skillFile(name: string, fields = '', body = `# ${name}\nBODY-OF-${name}\n`): Record<string, string> {
  const text = `---\nname: ${name}\ndescription: Does ${name}. Use for ${name}.\n${fields}---\n${body}`;
  return { [`.agent/skills/${name}/SKILL.md`]: text };
}

export interface Ran {
  readonly outcome: Outcome;
  readonly folder: string;
  readonly events: readonly AuditRecord[];
  /** What the model was shown, turn by turn. */
  readonly prompts: readonly string[];
}

export type Script = readonly ScriptedAnswer[];
type Options = Partial<RunOrder> & {
  readonly request?: string;
  readonly skills?: readonly string[];
  readonly script?: ScriptOptions;
};

export async function runAgent(world: World, answers: Script, options: Options = {}): Promise<Ran> {
  const { request = 'do it', skills = [], script, ...order } = options;
  const given = scriptedModel(answers, script);
  return readRan(
    await runRequest(await openWorld(world), { text: request, skills }, { version: '0', given, ...order }),
  );
}

/** The same as a person would have it: the command line in a process of its own, with a case file for the model. */
export async function runProcess(
  world: World,
  answers: Script,
  options: ProcessOptions = {},
): Promise<Ran & CliResult> {
  const { request = 'do it', args = [], env = {} } = options;
  const caseFile = path.join(world.home, 'case.json');
  writeFileSync(caseFile, JSON.stringify(answers));
  const ran = await runCli(['run', request, '--model', `mock:${caseFile}`, '--json', ...args], {
    cwd: world.project,
    home: world.home,
    env,
  });
  return { ...ran, ...readRan(JSON.parse(ran.stdout)) };
}

interface ProcessOptions {
  readonly request?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

export async function resumeAgent(world: World, id: string, answers: Script, options: Options = {}): Promise<Ran> {
  const { request: _request, skills: _skills, script, ...order } = options;
  const given = scriptedModel(answers, script);
  return readRan(await resumeRequest(await openWorld(world), id, { version: '0', given, ...order }));
}

export async function openWorld({ project, home }: World) {
  return await createRuntime({ project, home, env: { ...process.env, HOME: home }, language: 'en' });
}

function readRan(outcome: Outcome): Ran {
  const folder = String(outcome.data.record ?? '');
  const events = folder === '' ? [] : readRecords(folder);
  const prompts = events.flatMap((event) => (event.type === 'model' ? [readText(folder, event.prompt)] : []));
  return { outcome, folder, events, prompts };
}

export function readText(folder: string, kept: TextRef): string {
  return readKeptBytes(folder, kept)?.toString('utf8') ?? '';
}

/** The texts of all observations, in order. */
export function observed({ events, folder }: Ran): string[] {
  return events.flatMap((event) => (event.type === 'observation' ? [readText(folder, event.text)] : []));
}

export const select = (...skills: (string | { name: string; source?: string })[]) => ({
  action: { type: 'select_skills', skills, reason: 'needed' },
});
export const answer = (content = 'done') => ({ action: { type: 'final_answer', content } });
export const tool = (name: string, args: Record<string, unknown> = {}, skill?: string) => ({
  action: { type: 'use_tool', tool: name, args, ...(skill !== undefined && { skill }) },
});
export const script = (skill: string, file: string, ...args: string[]) => ({
  action: { type: 'run_script', skill, relative_path: `scripts/${file}`, args },
});
export const resource = (skill: string, file: string, section?: string) => ({
  action: {
    type: 'load_resource',
    skill,
    relative_path: file,
    ...(section !== undefined && { section_hint: section }),
  },
});
export const invoke = (skill: string, params: Record<string, unknown> = {}, action?: string) => ({
  action: { type: 'invoke_skill', skill, params, ...(action !== undefined && { action }) },
});
