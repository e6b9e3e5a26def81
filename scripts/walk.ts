// The four walks through the house as they are taken: the real command runs, and the stack at its effect is printed.
// `node scripts/walk.ts` prints all; the names of walks, only those.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { removeTree } from '../src/base/files.ts';
import { trustProject } from '../src/config/trust.ts';
import { writeZip } from '../src/distribution/archive/zip-writer.ts';
import type { Effect } from './walk-hook.ts';

export const WALKS = ['run', 'call', 'install', 'start'] as const;
export type WalkName = (typeof WALKS)[number];

export interface Walk {
  readonly name: WalkName;
  /** Functions from the first line to the effect. */
  readonly frames: readonly string[];
  /** Their files, each as often as it is entered. */
  readonly files: readonly string[];
  /** Files that were left and entered again. */
  readonly again: readonly string[];
}

interface Route {
  /** A command that has to come first. */
  readonly before?: readonly string[];
  readonly args: readonly string[];
  /** Which of the things that happen is the effect. */
  isEffect(effect: Effect): boolean;
  /** Goes on until it is stopped. */
  readonly stays?: boolean;
}

const passes = ({ stack }: Effect, file: string) => stack.some((place) => place.startsWith(`${file} `));
/** Neither the question which version an interpreter is, nor what holds the layer that the skill works in. */
const startsSkill = (effect: Effect) =>
  effect.kind === 'program started' &&
  passes(effect, 'src/door/execute.ts') &&
  !passes(effect, 'src/process/interpreter.ts') &&
  !passes(effect, 'src/workspace/workspace.ts');

const ROUTES: Readonly<Record<WalkName, Route>> = {
  run: { args: ['run', 'convert notes.md to HTML', '--model', 'offline', '--yes'], isEffect: startsSkill },
  call: { args: ['call', 'csv-insights', 'analyze', 'target=sales.csv', '--yes'], isEffect: startsSkill },
  install: {
    args: ['install', 'pack.zip', '--yes'],
    isEffect: ({ kind, what }) => kind === 'folder moved' && /\/skills\/greeter$/.test(what),
  },
  start: {
    before: ['grants', 'add', 'greeter/hello', '--action', 'say', '--yes'],
    args: ['start'],
    isEffect: startsSkill,
    stays: true,
  },
};

/** What `start` logs of a job that will not come to its effect. */
const HALTED = /"event":"job (?:waiting|failed|retrying)"/;

const SKILL = `---\nname: greeter\ndescription: Says hello. Use it to greet somebody.\n---\n# Greeter\nSay hello.\n`;
const ROLE = `description: Says hello
skills:
  - name: hello
    entry: .claude/skills/hello.py
    actions:
      say: {}
schedule:
  - id: often
    skill: hello
    action: say
    interval: 1s
`;
const HELLO = `import json, sys
json.load(sys.stdin)
print(json.dumps({"success": True, "action": "say", "data": {}}))
`;

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'notes.md': '# Notes\n',
  'sales.csv': 'day,amount\nmonday,3\ntuesday,4\n',
  'pack.zip': writeZip([{ name: 'greeter/SKILL.md', content: Buffer.from(SKILL), executable: false }]),
  'agents/greeter/agent.yaml': ROLE,
  'agents/greeter/.claude/skills/hello.py': HELLO,
};

if (import.meta.main) await main(process.argv.slice(2));

async function main(wanted: readonly string[]): Promise<void> {
  for (const name of WALKS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    process.stdout.write(`${renderWalk(await takeWalk(name))}\n\n`);
  }
}

/** In a project and a home of its own, which are gone afterwards. */
export async function takeWalk(name: WalkName): Promise<Walk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-walk-'));
  try {
    const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
    for (const made of [path.join(project, '.agent'), home]) mkdirSync(made, { recursive: true });
    for (const [file, content] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), content);
    }
    trustProject(project, home, Date.now());
    const { stack } = await follow(ROUTES[name], { project, home, to: path.join(folder, 'effects.jsonl') });
    const files = stack.map((place) => place.split(' ', 1)[0] ?? '').filter((file, at, all) => file !== all[at - 1]);
    return { name, frames: stack, files, again: files.filter((file, at) => files.indexOf(file) < at) };
  } finally {
    removeTree(folder);
  }
}

interface WalkPlace {
  readonly project: string;
  readonly home: string;
  /** Where the hook writes. */
  readonly to: string;
}

async function follow({ before, args, isEffect, stays }: Route, place: WalkPlace): Promise<Effect> {
  if (before) await once(command(before, place), 'exit');
  const hook = pathToFileURL(path.join(import.meta.dirname, 'walk-hook.ts')).href;
  const child = command(args, place, ['--import', hook]);
  const said = listen(child);
  const seen = () => readEffects(place.to).find(isEffect);
  const ended = once(child, 'exit');
  try {
    while (stays && !seen() && child.exitCode === null && !HALTED.test(said())) await Promise.race([ended, sleep(100)]);
  } finally {
    if (stays) child.kill('SIGTERM');
    await ended;
  }
  const effect = seen();
  if (!effect) throw new Error(`${args[0]}: nothing happened\n${said()}`);
  return effect;
}

function command(args: readonly string[], { project, home, to }: WalkPlace, nodeArgs: readonly string[] = []) {
  const bin = path.join(import.meta.dirname, '..', 'src', 'bin.ts');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    WALK_TO: to,
    NODE_DISABLE_COMPILE_CACHE: '1',
    LANG: 'C.UTF-8',
  };
  return spawn(process.execPath, [...nodeArgs, bin, ...args], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function readEffects(file: string): Effect[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  // What stands behind the last line break is still being written.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Effect);
}

function listen(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text));
  return () => said;
}

function renderWalk({ name, frames, files, again }: Walk): string {
  const left = again.length === 0 ? 'none is left and entered again' : `left and entered again: ${again.join(', ')}`;
  const rows = files.map((file, at) => {
    const functions = frames.filter((frame) => frame.startsWith(`${file} `)).map((frame) => frame.split(' ')[1]);
    return `  ${String(at + 1).padStart(2)}  ${file.padEnd(44)} ${functions.join(' → ')}`;
  });
  return [`${name}: ${frames.length} frames, ${files.length} files, ${left}`, ...rows].join('\n');
}
