// Calls with and without a proxy, and 100 MB through it and straight, interleaved; prints its figures as JSON.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenDoor, openDoor } from '../src/app/open-door.ts';
import { createRuntime } from '../src/app/runtime.ts';
import { removeTree } from '../src/base/files.ts';
import { absolutePath } from '../src/base/value/absolute-path.ts';
import { perform } from '../src/door/perform.ts';
import { openProxy } from '../src/network/proxy.ts';
import { certificateVariables, proxyVariables } from '../src/process/child/bridge.ts';
import { defaultLimits } from '../src/process/limits.ts';
import type { OrderNetwork } from '../src/process/order.ts';
import { runProcess } from '../src/process/run.ts';
import { openSandbox } from '../src/process/sandbox/sandbox.ts';

const rounds = Number(process.argv[2] ?? '20');
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-network-'));
chmodSync(folder, 0o755);
const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
const TIMEOUT_MS = 120_000;
const WAYS = ['http', 'https'] as const;

try {
  plantSkill();
  const calls = await measureCalls();
  const transfers = await measureTransfers();
  process.stdout.write(JSON.stringify({ ...calls, ...transfers }));
} finally {
  removeTree(folder);
}

function plantSkill(): void {
  const skill = path.join(project, '.agent', 'skills', 'sample');
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(skill, 'SKILL.md'), '---\nname: sample\ndescription: Answers.\n---\n');
  writeFileSync(path.join(skill, 'scripts', 'run.py'), 'print("done")\n');
}

/** With somebody to ask about hosts, a call has its proxy, whether it uses it or not. */
async function measureCalls(): Promise<{ without: number[]; ready: number[] }> {
  const runtime = await createRuntime({ project, home, env: process.env, language: 'en' });
  const common = { kind: 'bench', request: 'bench', version: '0', yes: true } as const;
  using without = openDoor(runtime, common);
  using ready = openDoor(runtime, { ...common, askHost: async () => 'no' });
  const times = { without: [] as number[], ready: [] as number[] };
  for (let round = -3; round < rounds; round++) {
    const taken = { without: await timed(() => call(without)), ready: await timed(() => call(ready)) };
    if (round < 0) continue;
    times.without.push(taken.without);
    times.ready.push(taken.ready);
  }
  return times;
}

async function call(open: OpenDoor): Promise<void> {
  const { context } = open;
  const { state, summary } = await perform(
    { kind: 'run_script', skill: 'sample', script: 'scripts/run.py', args: [], context },
    open,
  );
  if (state !== 'success') throw new Error(summary);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function measureTransfers(): Promise<Record<string, number[]>> {
  const server = spawn(process.execPath, [path.join(import.meta.dirname, 'network-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await new Promise<Buffer>((resolve) => void server.stdout.once('data', resolve)))
    .toString()
    .split('\n');
  const { port, tlsPort, certificate } = JSON.parse(line ?? '') as {
    port: number;
    tlsPort: number;
    certificate: string;
  };
  const sandbox = await openSandbox({ cacheFolder: path.join(home, 'cache') });
  const rules = [port, tlsPort].map((at) => ({ host: '127.0.0.2', port: at }));
  const times: Record<string, number[]> = { http: [], httpDirect: [], https: [], httpsDirect: [] };
  const fetch = async (url: string, isDirect: boolean) => {
    const proxy = openProxy({ rules: () => rules, record: () => {} });
    const seconds = await transfer(sandbox, url, certificate, isDirect ? 'all' : { proxy });
    await proxy.close();
    return seconds;
  };
  for (let round = -1; round < Math.min(rounds, 12); round++)
    for (const way of WAYS)
      for (const isDirect of [true, false]) {
        const seconds = await fetch(`${way}://127.0.0.2:${way === 'http' ? port : tlsPort}/`, isDirect);
        if (round >= 0) times[isDirect ? `${way}Direct` : way]?.push(seconds * 1000);
      }
  server.stdin.end();
  return times;
}

/** Seconds, as curl itself counts them: starting it is not part of it. */
async function transfer(
  sandbox: Awaited<ReturnType<typeof openSandbox>>,
  url: string,
  certificate: string,
  network: OrderNetwork,
): Promise<number> {
  const work = mkdtempSync(path.join(folder, 'work-'));
  chmodSync(work, 0o777);
  const file = path.join(work, 'ca.pem');
  writeFileSync(file, certificate);
  const proxied = network === 'all' ? {} : proxyVariables();
  const launch = sandbox.prepare({
    argv: ['/usr/bin/curl', '-sS', '-f', '-o', '/dev/null', '-w', '%{time_total} %{size_download}', url],
    cwd: work,
    env: { PATH: '/usr/bin:/bin', HOME: work, ...certificateVariables(file), ...proxied },
    view: { work: absolutePath(work), readOnly: [], writable: [] },
    network,
    limits: defaultLimits(TIMEOUT_MS),
    timeoutMs: TIMEOUT_MS,
  });
  const { stdout, stderr } = await runProcess(launch, { timeoutMs: TIMEOUT_MS });
  const [seconds, bytes] = Buffer.from(stdout).toString().split(' ').map(Number);
  if (bytes !== 100 * 1024 * 1024) throw new Error(Buffer.from(stderr).toString());
  return seconds ?? Number.NaN;
}
