// Scripts that try everything: none succeeds in a sandbox, and a lower tier lets through what it says and no more.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findHiddenFiles } from '../../src/base/hidden-files.ts';
import { randomId, sha256 } from '../../src/base/ids.ts';
import { visible } from '../../src/base/text.ts';
import { absolutePath } from '../../src/base/value/absolute-path.ts';
import { answerLauncher } from '../../src/process/child/bridge.ts';
import { openDescriptors } from '../../src/process/child/descriptor.ts';
import { type Interpreter, resolveInterpreter, scriptCommand } from '../../src/process/interpreter.ts';
import type { Ended, Launch, Limits, Order } from '../../src/process/order.ts';
import { runProcess } from '../../src/process/run.ts';
import { architectureOf } from '../../src/process/sandbox/host.ts';
import { callNumber } from '../../src/process/sandbox/linux/seccomp-table.ts';
import type { OpenPoint } from '../../src/process/sandbox/not-enforced.ts';
import type { Sandbox } from '../../src/process/sandbox/sandbox.ts';
import { isLong, temporaryFolder } from '../support/support.ts';
import { asOrdinaryUser, type Level, missing, sandboxAt, workIn } from '../support/world/sandbox-support.ts';

const EVIL = path.join(import.meta.dirname, '../fixtures/evil');
const LIMITS: Limits = { memoryBytes: 1 << 30, processes: 128, fileBytes: 128 << 20, openFiles: 256, cpuSeconds: 1 };
const OUTPUT_LIMIT = 1 << 20;

/** Which open point would let a script through; an empty list: the host itself stops it, at every tier. */
const SCRIPTS: Record<string, readonly OpenPoint[]> = {
  'read-home.py': ['no-file-isolation'],
  'read-home-spellings.py': ['no-file-isolation'],
  'read-through-link.sh': ['no-file-isolation'],
  'read-through-hardlink.pl': ['no-file-isolation'],
  'read-env-file.mjs': ['no-file-isolation'],
  'read-git-config.sh': ['no-file-isolation'],
  'read-through-proc.py': ['no-file-isolation'],
  'read-environments.py': ['no-process-isolation'],
  'read-command-lines.sh': ['no-process-isolation'],
  'read-inherited.py': ['inherited-descriptors'],
  'write-home.py': ['no-file-isolation'],
  'write-project.sh': ['no-file-isolation'],
  'write-skill.sh': ['no-file-isolation'],
  'delete-home.pl': ['no-file-isolation'],
  'mode-home.py': ['no-file-isolation'],
  'times-home.py': ['no-file-isolation'],
  'connect-tcp.py': ['no-network-isolation'],
  'connect-fetch.mjs': ['no-network-isolation'],
  'send-udp.py': ['no-network-isolation'],
  'connect-local.py': ['no-network-isolation'],
  'connect-abstract.py': ['no-network-isolation'],
  'kernel-calls.pl': ['no-call-filter'],
  'terminal-input.py': ['no-call-filter'],
  'signal-others.sh': ['no-process-isolation', 'signals'],
  'fork-bomb.py': ['no-process-limit', 'no-limits'],
  'fill-memory.py': ['no-limits'],
  'fill-shared-memory.py': ['no-limits'],
  'large-file.py': ['no-limits'],
  'fill-temporary.sh': ['no-file-isolation'],
  'spin.sh': ['no-limits'],
  'daemon.py': ['daemons-may-survive'],
  'ignore-term.sh': [],
  'hold-output.pl': [],
  'flood.mjs': [],
  'escape-codes.sh': [],
  'forge-record.py': [],
};

test('every evil script has its line here', () => {
  assert.deepEqual(readdirSync(EVIL).sort(), Object.keys(SCRIPTS).sort());
  assert.ok(Object.keys(SCRIPTS).length >= 30);
});

test('threat 40 blocked: at S3 no evil script succeeds', (t) => runAll(t, 'S3', () => []));

test('threat 40 blocked: what gets through at S2 is what S2 says', (t) => runAll(t, 'S2', allowedBy));

test('threat 40 blocked: what gets through at S1 is what S1 says', (t) => runAll(t, 'S1', allowedBy));

test('threat 40 control: without a sandbox every script that a sandbox stops succeeds', (t) => {
  return runAll(t, 'bare', () => Object.keys(SCRIPTS).filter((name) => SCRIPTS[name]?.length));
});

test('the same holds for an ordinary user', async (t) => {
  // Lower tiers as an ordinary user: in the long run, and in the worlds without bubblewrap.
  const ended = await asOrdinaryUser(t, import.meta.filename, isLong() ? [] : ['--test-name-pattern=S3']);
  if (ended) assert.equal(ended.code, 0, ended.text);
});

function allowedBy(notEnforced: readonly string[]): string[] {
  return Object.keys(SCRIPTS).filter((name) => SCRIPTS[name]?.some((point) => notEnforced.includes(point)));
}

async function runAll(t: TestContext, level: Level, expected: (notEnforced: readonly string[]) => string[]) {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const sandbox = await sandboxAt(level, folder, t);
  const interpreters = await findInterpreters(folder);
  if (!sandbox) return;
  if (!interpreters) return missing(t, 'no python to be evil with');
  const succeeded: string[] = [];
  const waiting = Object.keys(SCRIPTS);
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (await succeeds(name, sandbox, interpreters, folder)) succeeded.push(name);
    }
  };
  await Promise.all([work(), work(), work()]);
  assert.deepEqual(succeeded.sort(), expected(sandbox.notEnforced).sort());
}

type Interpreters = Record<string, Interpreter>;

async function findInterpreters(folder: string): Promise<Interpreters | undefined> {
  const search = { path: process.env.PATH ?? '', home: folder, project: '/nowhere', cacheFolder: folder };
  const names = { '.py': 'python', '.sh': 'bash', '.pl': 'perl', '.mjs': 'node' };
  try {
    const found = Object.entries(names).map(async ([ending, name]) => [ending, await resolveInterpreter(name, search)]);
    return Object.fromEntries(await Promise.all(found));
  } catch {
    return undefined;
  }
}

async function succeeds(name: string, sandbox: Sandbox, interpreters: Interpreters, parent: string): Promise<boolean> {
  const target = await raiseTarget(parent, name);
  try {
    const order = orderFor(name, interpreters, target);
    const launch = sandbox.prepare(order);
    const ended = name === 'read-inherited.py' ? await runWithLeak(launch, target) : await run(launch, name);
    return await hasSucceeded(name, ended, target, order.view.work);
  } finally {
    target.close();
  }
}

function orderFor(name: string, interpreters: Interpreters, target: Target): Order {
  const interpreter = interpreters[path.extname(name)];
  assert.ok(interpreter);
  const work = workIn(target.folder);
  const argv = scriptCommand(interpreter, { script: path.join(EVIL, name), args: [] });
  return {
    argv,
    cwd: work,
    env: { PATH: '/usr/bin:/bin', HOME: work, TMPDIR: work, ...target.env },
    view: {
      work,
      skill: { at: absolutePath(target.skill), from: absolutePath(target.skill) },
      project: { folder: absolutePath(target.project), hide: findHiddenFiles(target.project), writable: false },
      readOnly: [EVIL, ...interpreter.readOnly].map(absolutePath),
      writable: [],
    },
    network: 'none',
    limits: LIMITS,
    timeoutMs: 60_000,
  };
}

function run(launch: Launch, name: string): Promise<Ended> {
  // A busy machine gives a spinning script little of the second it may use; without that limit only time ends it.
  const spinMs = launch.notEnforced.includes('no-limits') ? 3000 : 60_000;
  const timeoutMs = name === 'ignore-term.sh' ? 300 : name === 'spin.sh' ? spinMs : 30_000;
  return runProcess(launch, { timeoutMs, graceMs: 200, outputLimit: OUTPUT_LIMIT });
}

async function hasSucceeded(name: string, ended: Ended, target: Target, work: string): Promise<boolean> {
  const output = Buffer.concat([ended.stdout, ended.stderr]).toString('latin1');
  // A script that never started would prove nothing.
  assert.ok(output.startsWith('started'), `${name}: ${output.slice(0, 500)}`);
  switch (name) {
    case 'ignore-term.sh':
      return ended.why !== 'timeout';
    case 'spin.sh':
      return ended.why === 'timeout';
    case 'flood.mjs':
      return ended.why !== 'output-limit' || ended.stdout.length > OUTPUT_LIMIT;
    case 'escape-codes.sh':
      return visible(output).includes('\u001b') || !output.includes('\u001b');
    case 'forge-record.py':
      return JSON.stringify({ output }).includes('\n') || !output.includes('approved');
    case 'daemon.py':
      return stillBeats(path.join(work, 'heartbeat'));
    default:
      // What was sent before the script ended is read in the next rounds of the loop.
      await sleep(100);
      return output.includes(target.canary) || output.includes('evil succeeded') || target.isHurt();
  }
}

// On a busy machine what is alive may not run for a second or two.
const BEAT_MS = 2000;

async function stillBeats(heartbeat: string): Promise<boolean> {
  const beats = () => statSync(heartbeat, { throwIfNoEntry: false })?.size ?? 0;
  await sleep(200);
  const before = beats();
  for (const end = Date.now() + BEAT_MS; Date.now() < end; await sleep(50)) if (beats() > before) return true;
  return false;
}

/** As a careless host would: with a file of its own open in the new process. */
async function runWithLeak(launch: Launch, target: Target): Promise<Ended> {
  const leaked = openSync(path.join(target.home, '.ssh', 'id_ed25519'), 'r');
  const handed = launch.descriptors;
  const descriptors = openDescriptors({ stdin: undefined, folder: undefined, handed, hideInherited: false });
  const { stdio } = descriptors;
  while (stdio.length < 9) stdio.push('ignore');
  const child = spawn(launch.file, launch.args, { cwd: launch.cwd, env: launch.env, stdio: [...stdio, leaked] });
  answerLauncher(child, descriptors);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.resume();
  const [exit] = await once(child, 'close');
  descriptors.close();
  closeSync(leaked);
  launch.release();
  return { exit, signal: null, stdout: Buffer.concat(chunks), stderr: new Uint8Array(), durationMs: 0, why: 'exit' };
}

/** What a script aims at: a home, a project and a skill that must not change, listeners, and another process. */
interface Target {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly skill: string;
  readonly canary: string;
  readonly env: Record<string, string>;
  /** Something was changed, or something arrived at a listener. */
  isHurt(): boolean;
  close(): void;
}

async function raiseTarget(parent: string, name: string): Promise<Target> {
  const folder = path.join(parent, `${name}-${randomId(4)}`);
  const canary = `canary-${randomId(12)}`;
  const tree = path.join(folder, 'tree');
  const [home, project, skill] = ['home', 'project', 'skill'].map((part) => path.join(tree, part)) as [
    string,
    string,
    string,
  ];
  plant(home, { '.ssh/id_ed25519': canary, 'notes.txt': 'notes' });
  plant(project, {
    '.env': canary,
    '.env.local': canary,
    'deploy/server.key': canary,
    '.git/config': canary,
    'package.json': '{}',
  });
  plant(skill, { 'SKILL.md': '---\nname: evil\n---\n' });
  const listeners = await listen(folder);
  const victim = await startVictim(canary);
  const before = printOf(tree);
  const env = {
    EVIL_HOME: home,
    EVIL_PROJECT: project,
    EVIL_SKILL: skill,
    EVIL_VICTIM: String(victim.pid),
    ...listeners.env,
  };
  return {
    ...{ folder, home, project, skill, canary },
    env: { ...env, EVIL_MEMORY: String(LIMITS.memoryBytes), EVIL_CALLS: callNumbers() },
    isHurt: () => listeners.received() > 0 || printOf(tree) !== before,
    close: () => {
      listeners.close();
      victim.kill('SIGKILL');
    },
  };
}

function plant(folder: string, files: Record<string, string>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content, { mode: 0o644 });
  }
}

/** Names, modes, times and contents of everything below a folder. */
function printOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return entries
    .map((entry) => {
      const file = path.join(folder, entry);
      const { mode, mtimeMs, nlink } = lstatSync(file);
      const content = lstatSync(file).isFile() ? sha256(readFileSync(file)) : '';
      return [entry, mode, mtimeMs, nlink, content].join(' ');
    })
    .join('\n');
}

async function listen(folder: string): Promise<{ env: Record<string, string>; received(): number; close(): void }> {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
  };
  const unix = path.join(folder, 's');
  const abstract = `evil-${randomId(6)}`;
  const serve = (where: string | number) =>
    createServer((socket) => socket.on('data', count).on('error', () => {})).listen(where);
  const tcp = serve(0);
  const servers = [tcp, serve(unix), serve(`\0${abstract}`)];
  const udp = createSocket('udp4').on('message', count).bind(0, '127.0.0.1');
  await Promise.all([...servers, udp].map((listener) => once(listener, 'listening')));
  const { port } = tcp.address() as AddressInfo;
  return {
    env: { EVIL_UNIX: unix, EVIL_ABSTRACT: abstract, EVIL_TCP: String(port), EVIL_UDP: String(udp.address().port) },
    received: () => received,
    close: () => {
      for (const server of servers) server.close();
      udp.close();
    },
  };
}

async function startVictim(canary: string): Promise<ChildProcess> {
  const code = 'process.stdout.write("ready"); setTimeout(() => {}, 60000)';
  const victim = spawn(process.execPath, ['-e', code, canary], {
    env: { CANARY: canary },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(victim.stdout, 'data');
  return victim;
}

function callNumbers(): string {
  const architecture = architectureOf(process.arch);
  if (!architecture) return '';
  const names = ['io_uring_setup', 'keyctl', 'unshare'] as const;
  return names.map((name) => `${name}=${callNumber(architecture, name)}`).join(',');
}
