// Escape attempts against the sandbox of this machine: what a tier claims is tried, not believed.

import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, openSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assetPath } from '../../../base/assets.ts';
import { cleanUpOnSignal } from '../../../base/clean-up.ts';
import { makeFolder, removeTree, setMode, writeNewFile } from '../../../base/files.ts';
import { randomId } from '../../../base/ids.ts';
import { absolutePath } from '../../../base/value/absolute-path.ts';
import { answerLauncher } from '../../child/bridge.ts';
import { openDescriptors } from '../../child/descriptor.ts';
import type { Launch, Order, Tier } from '../../order.ts';
import { runProcess } from '../../run.ts';
import { shorten } from '../bait.ts';
import { architectureOf, findTrusted } from '../host.ts';
import { TEMPORARY_BYTES } from '../linux/bubblewrap.ts';
import { CALL_NAMES, callNumber } from '../linux/seccomp-table.ts';
import type { Sandbox } from '../sandbox.ts';
import { ATTEMPTS, type AttackAttempt } from './table.ts';

export interface AttackResult {
  readonly probe: string;
  readonly threat: number;
  readonly tier: Tier;
  readonly blocked: boolean;
  /** What the tier's list of open points says must happen. */
  readonly expected: boolean;
  readonly said: string;
}

export interface AttackOptions {
  /** A private folder of our own; everything the attempts aim at is made below it. */
  readonly cacheFolder: string;
  readonly probes?: readonly string[];
  /** The project they stand in for: what others may do with it decides as whom root runs a call. */
  readonly project?: string;
}

const PROBE_FILE = assetPath('process/sandbox/attack/probe.pl');
const VICTIM_FILE = assetPath('process/sandbox/attack/victim.pl');
const LEAKED_DESCRIPTOR = 9;
const LIMITS = { memoryBytes: 96 << 20, processes: 128, fileBytes: 128 << 20, openFiles: 256, cpuSeconds: 20 };
const TIMEOUT_MS = 20_000;

/** Empty where there is no perl to attack with. */
export async function runAttacks(sandbox: Sandbox, options: AttackOptions): Promise<AttackResult[]> {
  const perl = findTrusted('perl');
  if (!perl || !architectureOf(process.arch)) return [];
  const target = await raiseTarget(options, perl);
  try {
    const results: AttackResult[] = [];
    for (const [probe, attempt] of Object.entries(ATTEMPTS)) {
      if (options.probes && !options.probes.includes(probe)) continue;
      if (attempt.root && process.geteuid?.() !== 0) continue;
      results.push(await runAttempt(probe, attempt, sandbox, target, perl));
    }
    return results;
  } finally {
    target.close();
  }
}

async function runAttempt(
  probe: string,
  attempt: AttackAttempt,
  sandbox: Sandbox,
  target: Target,
  perl: string,
): Promise<AttackResult> {
  const work = path.join(target.folder, `work-${probe}`);
  makeFolder(work);
  target.restore();
  const launch = sandbox.prepare(attackOrder(probe, perl, work, target));
  const { through, said } = await carryOut(probe, launch, work, target);
  const isOpen = attempt.openBy.some((point) => launch.notEnforced.includes(point));
  const expected = !isOpen || attempt.closedBy?.(sandbox.can) === true;
  return { probe, threat: attempt.threat, tier: launch.tier, blocked: !through, expected, said };
}

function attackOrder(probe: string, perl: string, work: string, target: Target): Order {
  return {
    argv: [perl, PROBE_FILE, probe, `work=${work}`, ...target.words],
    cwd: work,
    env: { PATH: '/usr/bin:/bin', HOME: work, TMPDIR: work },
    view: {
      work: absolutePath(work),
      skill: { at: absolutePath(target.skill), from: absolutePath(target.skill) },
      project: { folder: absolutePath(target.project), hide: ['.env'], writable: false },
      readOnly: [absolutePath(PROBE_FILE)],
      writable: [],
    },
    network: 'none',
    limits: LIMITS,
    timeoutMs: TIMEOUT_MS,
  };
}

async function carryOut(probe: string, launch: Launch, work: string, target: Target) {
  if (probe === 'fake-verdict') return fakeVerdict(launch);
  const said = probe === 'inherited-files' ? await runWithLeak(launch, target) : await run(launch);
  const through = probe === 'daemon' ? await stillBeats(path.join(work, 'heartbeat')) : said === 'got through';
  return { through, said };
}

/** A tier without a launcher hands its program what the launcher would have closed. */
async function fakeVerdict(launch: Launch) {
  const descriptors = launch.descriptors.length > 0 ? launch.descriptors : (['report'] as const);
  const { unstarted } = await runProcess({ ...launch, descriptors }, { timeoutMs: TIMEOUT_MS });
  return { through: unstarted !== undefined, said: unstarted ?? 'stopped' };
}

async function run(launch: Launch): Promise<string> {
  // Only the tier's own means may end a daemon here; the search for leftovers would hide what the tier lets live.
  const ended = await runProcess(launch, { timeoutMs: TIMEOUT_MS, endLeftovers: false });
  return lastLine(ended.stdout) || lastLine(ended.stderr) || `ended: ${ended.why} ${ended.exit ?? ended.signal}`;
}

/** As a careless host would: with a file of its own open in the new process. */
async function runWithLeak(launch: Launch, { home }: Target): Promise<string> {
  const leaked = openSync(path.join(home, 'canary'), 'r');
  const { descriptors: handed } = launch;
  const descriptors = openDescriptors({ stdin: undefined, folder: undefined, handed, hideInherited: false });
  try {
    const { stdio } = descriptors;
    while (stdio.length < LEAKED_DESCRIPTOR) stdio.push('ignore');
    stdio.push(leaked);
    const child = spawn(launch.file, launch.args, { cwd: launch.cwd, env: launch.env, stdio, timeout: TIMEOUT_MS });
    answerLauncher(child, descriptors);
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return lastLine(Buffer.concat(chunks));
  } finally {
    descriptors.close();
    if (descriptors.report !== undefined) closeSync(descriptors.report);
    closeSync(leaked);
    launch.release();
  }
}

// On a busy machine what is alive may not run for a second or two.
const BEAT_MS = 2000;

async function stillBeats(heartbeat: string): Promise<boolean> {
  const beats = () => statSync(heartbeat, { throwIfNoEntry: false })?.size ?? 0;
  await sleep(150);
  const before = beats();
  for (const end = Date.now() + BEAT_MS; Date.now() < end; await sleep(50)) if (beats() > before) return true;
  return false;
}

function lastLine(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString().trim().split('\n').at(-1) ?? '';
}

/** What the attempts aim at: a stand-in for a home, a project and a skill, listeners, and somebody else's process. */
interface Target {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly skill: string;
  readonly words: readonly string[];
  restore(): void;
  close(): void;
}

async function raiseTarget({ cacheFolder, project: real }: AttackOptions, perl: string): Promise<Target> {
  const folder = path.join(cacheFolder, `attack-${randomId(4)}`);
  const canary = `canary-${randomId(12)}`;
  const [home, project, skill] = ['home', 'project', 'skill'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const raised = [() => removeTree(folder)];
  const close = cleanUpOnSignal(() => {
    for (const takeDown of raised.toReversed()) takeDown();
  });
  for (const place of [home, project, skill]) makeFolder(place, 0o755);
  if (real !== undefined) setMode(project, statSync(real).mode & 0o777);
  writeNewFile(path.join(home, 'canary'), canary, { mode: 0o644 });
  writeNewFile(path.join(project, '.env'), canary, { mode: 0o644 });
  const restore = () => restoreFiles(home, project);
  const listeners = await openListeners(folder, project);
  raised.push(listeners.close);
  const victim = startVictim(perl, path.join(folder, 'd'), canary);
  raised.push(() => victim.kill('SIGKILL'));
  await once(victim.stdout, 'data');
  const words = [
    ...Object.entries({ home, project, skill, ...listeners.words }).map(([key, value]) => `${key}=${value}`),
    ...[`victim=${victim.pid}`, `datagram=${path.join(folder, 'd')}`, `yranac=${[...canary].reverse().join('')}`],
    ...[`memory=${LIMITS.memoryBytes}`, `file-bytes=${LIMITS.fileBytes}`, `temporary=${TEMPORARY_BYTES}`],
    ...[`leak=${LEAKED_DESCRIPTOR}`, ...callWords()],
  ];
  return { folder, home, project, skill, words, restore, close };
}

function callWords(): string[] {
  const architecture = architectureOf(process.arch);
  if (!architecture) return [];
  return CALL_NAMES.map((name) => `${name}=${callNumber(architecture, name) ?? -1}`);
}

/** An attempt that gets through changes these; the next one must find them as they were. */
function restoreFiles(home: string, project: string): void {
  for (const name of ['victim', 'moved', 'written']) removeTree(path.join(home, name));
  for (const name of ['file', 'written']) removeTree(path.join(project, name));
  for (const file of [path.join(home, 'victim'), path.join(project, 'file')]) {
    writeNewFile(file, 'content', { mode: 0o644 });
    setMode(file, 0o644);
  }
}

async function openListeners(
  folder: string,
  project: string,
): Promise<{ words: Record<string, string>; close(): void }> {
  const unix = path.join(folder, 's');
  const inProject = shorten(path.join(project, 's'));
  const abstract = `skillwright-${randomId(6)}`;
  const servers = [unix, inProject.path, `\0${abstract}`, 0].map((address) =>
    createServer((socket) => socket.resume()).listen(address),
  );
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([...servers.map((server) => once(server, 'listening')), once(udp, 'listening')]);
  setMode(inProject.path, 0o777);
  const tcp = servers.at(-1)?.address() as AddressInfo;
  return {
    words: { unix, abstract, tcp: String(tcp.port), udp: String(udp.address().port) },
    close: () => {
      for (const server of servers) server.close();
      udp.close();
      inProject.close();
    },
  };
}

function startVictim(perl: string, socket: string, canary: string) {
  const architecture = architectureOf(process.arch);
  const capset = String(architecture && callNumber(architecture, 'capset'));
  return spawn(perl, [VICTIM_FILE, capset, socket, canary], {
    env: { CANARY: canary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
