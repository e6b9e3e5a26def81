// npm run bench [-- suite…]: builds, measures against the peers, prints ratios beside their goals.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Goal } from './goal.ts';
import { printGoals, printMeasured } from './goal.ts';

const root = path.dirname(import.meta.dirname);
const SUITES = [
  'start',
  'list',
  'validate',
  'router',
  'process',
  'network',
  'workspace',
  'environment',
  'archive',
  'vet',
  'edit',
  'loop',
  'worker',
  'evals',
  'jobs',
  'postgres',
  'telemetry',
  'library',
  'mcp',
] as const;

/** Some file systems look at all that was deleted in the last five seconds before they make a new file. */
const SETTLE_MS = 6_000;

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '10' } },
  allowPositionals: true,
});

prepare();
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-bench-'));
try {
  const goals: Goal[] = [];
  for (const suite of positionals.length > 0 ? positionals : SUITES) {
    await sleep(SETTLE_MS);
    const { bench } = (await import(`./suite-${suite}.ts`)) as typeof import('./suite-start.ts');
    const result = await bench({ root, folder, rounds: Number(values.rounds) });
    printMeasured(suite, result.measured, result.method);
    goals.push(...result.goals);
  }
  printGoals(goals);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function prepare(): void {
  runOrExit(process.execPath, [path.join(root, 'scripts', 'build.ts')], root);
  if (isPeerMissing()) {
    runOrExit('npm', ['install', '--no-save', '--omit=optional', '--loglevel=error'], path.join(root, 'bench'));
  }
  // Node reads that file at each start; only the registry above may need it.
  delete process.env.NODE_EXTRA_CA_CERTS;
  const load = loadavg().map((one) => one.toFixed(1));
  process.stdout.write(
    `Method: interleaved rounds (each round runs every command once), ${values.rounds} rounds after a warm-up, medians of wall time;\n` +
      `all commands under Node ${process.version}, empty HOME, warm page cache, ${cpus().length} cores, load ${load.join(' ')}.\n`,
  );
}

function isPeerMissing(): boolean {
  const folder = path.join(root, 'bench');
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.keys(dependencies).some((name) => !existsSync(path.join(folder, 'node_modules', name)));
}

function runOrExit(program: string, args: string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
