// What tests of the Skill protocol share: a role with single-file skills, asked by the command line, and skills piped to.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type Files, home, makeProject } from './door-support.ts';
import { type Answer, readAnswer } from './rule-support.ts';
import { runCli } from './support.ts';

export const ROLE = 'dev_efficiency_analyst';

/** The files of the role: skills by name, each one Python file. */
export function roleFiles(skills: Files, yaml = `name: ${ROLE}\n`): Files {
  const scripts = Object.entries(skills).map(([name, body]) => [`agents/${ROLE}/.claude/skills/${name}.py`, body]);
  return { [`agents/${ROLE}/agent.yaml`]: yaml, ...Object.fromEntries(scripts) };
}

/** A script that answers with this Python expression, after these lines. */
export function answering(data: string, before = ''): string {
  const head = 'import json, os, sys\nfrom pathlib import Path\nraw = sys.stdin.read()\nrequest = json.loads(raw)';
  const answer = `{"success": True, "action": request["action"], "data": ${data}}`;
  return `#!/usr/bin/env python3\n${head}\n${before}\nprint(json.dumps(${answer}, ensure_ascii=False, indent=2))\n`;
}

/** What a skill prints, word for word as its caller wants it. */
export const PRINTS =
  'import json, sys\np = json.load(sys.stdin)["params"]\nsys.stdout.write(p["text"])\nsys.exit(p.get("exit", 0))\n';

/** What the skill answered; each test knows what its own says. */
type Reply = ReturnType<typeof JSON.parse>;

export interface Called extends Answer {
  readonly stderr: string;
  readonly reply: Reply;
}

export interface CallOptions {
  readonly input?: string;
  readonly env?: Record<string, string>;
}

/** `call SKILL WORD…`, agreed to and read as a program would. */
export async function callSkill(
  cwd: string,
  words: readonly string[],
  { input = '', env = {} }: CallOptions = {},
): Promise<Called> {
  const asked = await runCli(['call', ...words, '--yes', '--json'], { cwd, home, input, env });
  const answer = readAnswer(asked);
  return { ...answer, stderr: asked.stderr, reply: answer.data.response };
}

/** An author's skill: what `new` writes, with this in the place of its script. */
export interface Kit {
  readonly lang: 'python' | 'javascript';
  readonly script: string;
}

export interface Authored {
  readonly project: string;
  readonly folder: string;
  /** Pipes a request into the script itself, without any host. */
  pipe(request: unknown, env?: Record<string, string>): Promise<Piped>;
}

export interface Piped {
  readonly code: number | null;
  readonly response: Reply;
  readonly stdout: string;
  readonly stderr: string;
}

export async function authorSkill(t: TestContext, { lang, script }: Kit): Promise<Authored> {
  const project = makeProject(t, {});
  const words = ['new', 'sample', '--kind', 'protocol', '--lang', lang, '--json'];
  const made = await runCli(words, { cwd: project, home });
  assert.equal(made.code, 0, made.stdout + made.stderr);
  const folder = JSON.parse(made.stdout).data.path as string;
  const [program, name] = lang === 'python' ? ['python3', 'main.py'] : [process.execPath, 'main.mjs'];
  const file = path.join(folder, 'scripts', name);
  writeFileSync(file, script);
  return { project, folder, pipe: (request, env) => pipe([program, file], request, env) };
}

/** As `echo '…' | python3 skill.py`, over several lines where it is no text already. */
export async function pipe(
  [program, ...args]: readonly [string, ...string[]],
  request: unknown,
  env: Record<string, string> = {},
): Promise<Piped> {
  const own = { PATH: process.env.PATH ?? '', PYTHONDONTWRITEBYTECODE: '1', ...env };
  const child = spawn(program, args, { env: own });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(typeof request === 'string' ? request : JSON.stringify(request, null, 2));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, response: JSON.parse(stdout), stdout, stderr };
}
