// Runs the checks and the tests; with --table, only the tests of rules or threats, shown as a table.
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RULE_PATTERN, type Shown, THREAT_PATTERN, tableOfRules, tableOfThreats } from './test-tables.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' }, table: { type: 'string' } },
  allowPositionals: true,
});

if (values.long) process.env.SKILLWRIGHT_LONG = '1';
process.env.NODE_EXTRA_CA_CERTS = '';
shareCompiledCode();
if (!values.table && positionals.length === 0) check();
await test();

/** Hundreds of processes load the same sources: what one has compiled the others need not compile again. */
function shareCompiledCode(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-test-code-'));
  // Tests under another user id read it, too.
  chmodSync(folder, 0o755);
  process.env.NODE_COMPILE_CACHE = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function check(): void {
  const { status } = spawnSync(process.execPath, [path.join(root, 'scripts', 'check.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

async function test(): Promise<void> {
  const shown: Shown[] = [];
  const stream = run({
    cwd: root,
    files: positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : testFiles(),
    // Half of what tests do is wait for processes, leases and clocks.
    concurrency: 2 * availableParallelism(),
    timeout: values.long ? 1_800_000 : 240_000,
    ...(values.table && { testNamePatterns: [values.table === 'rules' ? RULE_PATTERN : THREAT_PATTERN] }),
  });
  for (const result of ['test:pass', 'test:fail'] as const) {
    stream.on(result, ({ name, skip, details }: Ended) => {
      if (result === 'test:fail') process.exitCode = 1;
      if (result === 'test:fail' && values.table) process.stderr.write(`✖ ${name}\n${reasonOf(details.error)}\n`);
      if (!skip) shown.push({ name, passed: result === 'test:pass' });
    });
  }
  if (!values.table) {
    stream.compose(spec).pipe(process.stdout);
    return;
  }
  for await (const _ of stream);
  const table = values.table === 'rules' ? tableOfRules(shown) : tableOfThreats(shown);
  process.stdout.write(table.text);
  // Every rule is shown by now: one that lost its test fails like one whose test fails.
  if (values.table === 'rules' && positionals.length === 0 && table.open > 0) process.exitCode = 1;
}

interface Ended {
  readonly name: string;
  readonly skip?: string | boolean;
  readonly details: { readonly error?: Error };
}

// The runner wraps what a test threw.
function reasonOf(error: Error | undefined): string {
  return String(error?.cause instanceof Error ? error.cause.message : (error?.message ?? ''));
}

function testFiles(): string[] {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root })
    .sort()
    .map((file) => path.join(root, file));
}
