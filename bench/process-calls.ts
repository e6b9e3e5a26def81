// Calls in one process, interleaved: a bare spawn, the door without a sandbox, the door at the best tier, and a flood.
// Started by suite-process.ts, once as the caller and once as an ordinary user; prints its figures as JSON.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenDoor, openDoor } from '../src/app/open-door.ts';
import { createRuntime } from '../src/app/runtime.ts';
import { removeTree } from '../src/base/files.ts';
import type { Call } from '../src/door/call.ts';
import { perform } from '../src/door/perform.ts';
import { resolveInterpreter, scriptCommand } from '../src/process/interpreter.ts';
import { openSandbox, type Sandbox } from '../src/process/sandbox/sandbox.ts';

const SCRIPT = 'import json, sys\njson.dump({"read": len(sys.stdin.read())}, sys.stdout)\n';
const rounds = Number(process.argv[2] ?? '20');
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-calls-'));
const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
const skill = path.join(project, '.agent', 'skills', 'sample');

try {
  plantSkill();
  const cacheFolder = path.join(home, 'cache');
  const none = await openSandbox({ cacheFolder: path.join(cacheFolder, 'none'), tier: 'S0', without: ['perl'] });
  const best = await openSandbox({ cacheFolder: path.join(cacheFolder, 'best') });
  const bare = await bareCommand(cacheFolder);
  const times = { bare: [] as number[], none: [] as number[], best: [] as number[] };
  const doors = { none: await door(none), best: await door(best) };
  for (let round = -2; round < rounds; round++) {
    const taken = {
      bare: await timed(() => runBare(bare)),
      none: await timed(() => call(doors.none)),
      best: await timed(() => call(doors.best)),
    };
    if (round >= 0) for (const key of ['bare', 'none', 'best'] as const) times[key].push(taken[key]);
  }
  const flood = await measureFlood(doors.none);
  process.stdout.write(
    JSON.stringify({ tier: best.tier, bare: times.bare, none: times.none, best: times.best, ...flood }),
  );
} finally {
  // Snapshots are read-only, so that an ordinary user cannot just remove them.
  removeTree(folder);
}

function plantSkill(): void {
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(
    path.join(skill, 'SKILL.md'),
    '---\nname: sample\ndescription: Answers in a benchmark.\n---\n# Sample\n',
  );
  writeFileSync(path.join(skill, 'scripts', 'run.py'), SCRIPT);
  writeFileSync(path.join(skill, 'scripts', 'flood.sh'), 'head -c 100000000 /dev/zero\n');
  for (let number = 0; number < 7; number++) writeFileSync(path.join(skill, `part-${number}.md`), 'x'.repeat(2000));
}

async function bareCommand(cacheFolder: string): Promise<string[]> {
  const interpreter = await resolveInterpreter('python', { path: process.env.PATH ?? '', home, project, cacheFolder });
  return scriptCommand(interpreter, { script: path.join(skill, 'scripts', 'run.py'), args: [] });
}

async function door(sandbox: Sandbox): Promise<OpenDoor> {
  const runtime = await createRuntime({ project, home, env: process.env, language: 'en' });
  const open = openDoor(runtime, { kind: 'bench', request: 'bench', version: '0', yes: true });
  return Object.assign(open, { sandbox: async () => allowed(sandbox) });
}

// At the lowest tier only a grant runs a skill; the bench measures the work, not the refusal.
function allowed(sandbox: Sandbox): Sandbox {
  return sandbox.tier === 'S0' ? { ...sandbox, tier: 'S3' } : sandbox;
}

async function call(open: OpenDoor, script = 'scripts/run.py'): Promise<void> {
  const wanted: Call = {
    kind: 'run_script',
    skill: 'sample',
    script,
    args: [],
    stdin: '{"action":"x"}',
    context: open.context,
  };
  const { state, summary } = await perform(wanted, open);
  if (state !== 'success' && !summary.startsWith('OutputLimit')) throw new Error(summary);
}

function runBare([program = '', ...args]: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, { env: { PATH: process.env.PATH ?? '', HOME: home } });
  child.stdout.resume();
  child.on('error', reject);
  child.on('close', () => resolve());
  child.stdin.end('{"action":"x"}');
  return promise;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** How much a 100 MB flood takes beyond reading its first 10 MB, and what it costs in memory. */
async function measureFlood(open: OpenDoor): Promise<{ flood: number[]; capped: number[]; floodMb: number }> {
  const idle = process.memoryUsage().rss;
  const flood: number[] = [];
  const capped: number[] = [];
  writeFileSync(path.join(skill, 'scripts', 'capped.sh'), 'head -c 10000000 /dev/zero\n');
  for (let round = 0; round < 8; round++) {
    capped.push(await timed(() => call(open, 'scripts/capped.sh')));
    flood.push(await timed(() => call(open, 'scripts/flood.sh')));
  }
  return { flood, capped, floodMb: (process.resourceUsage().maxRSS * 1024 - idle) / 1024 ** 2 };
}
