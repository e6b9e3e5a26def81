// Runs the checks and the tests, and sees to it that they leave the machine as they found it; with --table, only the
// tests of rules or threats, shown as a table; with --surface, that table without running a test.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { passShims } from './python-path.ts';
import { RULE_PATTERN } from './rule/list.ts';
import { slowFiles } from './slow-files.ts';
import { groupFiles } from './test-groups.ts';
import { type Guard, openGuard } from './test-guard.ts';
import { collectResults, type Result } from './test-results.ts';
import { type Shown, THREAT_PATTERN, tableOfRules, tableOfThreats } from './test-tables.ts';

/** Bundling pays only where many tests start the command line. */
const FEW_FILES = 10;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  options: {
    long: { type: 'boolean' },
    // Also the files that take long.
    whole: { type: 'boolean' },
    table: { type: 'string' },
    // Only what the code of the tests says.
    surface: { type: 'boolean' },
    // Nobody else uses this machine: whatever is new on it was made by a test.
    alone: { type: 'boolean' },
    // Where to write what came of each test.
    results: { type: 'string' },
  },
  allowPositionals: true,
});

if (values.surface) {
  await showRules();
  process.exit();
}
if (values.long) process.env.SKILLWRIGHT_LONG = '1';
process.env.NODE_EXTRA_CA_CERTS = '';
passShims();
const code = makeCodeFolder();
const found = testFiles();
const files = found.length > FEW_FILES ? groupFiles(found, { root, folder: code }) : found;
if (!values.table && positionals.length === 0) check();
if (!values.table && found.length > FEW_FILES) await bundleCommandLine();
const guard = openGuard();
process.on('exit', () => guard.close());
await test();
await compare(guard);

/** Hundreds of processes load the same sources: what one has compiled the others need not compile again. */
function makeCodeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-test-code-'));
  // Tests under another user id read it, too.
  chmodSync(folder, 0o755);
  process.env.NODE_COMPILE_CACHE = path.join(folder, 'cache');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is shipped starts in half the time of its sources, and is what the tests are about. */
async function bundleCommandLine(): Promise<void> {
  const { buildCommandLine } = await import('./build.ts');
  await buildCommandLine(path.join(code, 'dist'));
  cpSync(path.join(root, 'skills'), path.join(code, 'skills'), { recursive: true });
  process.env.SKILLWRIGHT_TEST_CLI = path.join(code, 'dist', 'cli.cjs');
}

function check(): void {
  const { status } = spawnSync(process.execPath, [path.join(root, 'scripts', 'check.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

async function test(): Promise<void> {
  process.env.SKILLWRIGHT_TEST_PLACES = guard.places;
  const stream = run({
    cwd: root,
    files,
    execArgv: ['--import', new URL('test-place.ts', import.meta.url).href],
    // Most of what tests do is wait for processes, leases and clocks.
    concurrency: 3 * availableParallelism(),
    // Far more than any file needs: on a machine that is busy with other things it takes ten times as long.
    timeout: values.long ? 3_600_000 : 1_800_000,
    ...(values.table && { testNamePatterns: [values.table === 'rules' ? RULE_PATTERN : THREAT_PATTERN] }),
  });
  const results = collectResults(stream, root);
  const again = new Set<string>();
  stream.on('test:fail', ({ name, file, details }) => {
    process.exitCode = 1;
    const seed = /\bseed: (-?\d+)/.exec(reasonOf(details.error))?.[1];
    if (seed && file) again.add(`SKILLWRIGHT_SEED=${seed} node scripts/test.ts ${path.relative(root, file)}`);
    if (values.table) process.stderr.write(`✖ ${name}\n${reasonOf(details.error)}\n`);
  });
  if (values.table) for await (const _ of stream);
  else for await (const part of stream.compose(spec)) process.stdout.write(part);
  for (const command of again) process.stdout.write(`ℹ with the same values: ${command}\n`);
  if (values.table) await showTable(results);
  if (values.results) writeFileSync(values.results, JSON.stringify(results));
}

async function showTable(results: readonly Result[]): Promise<void> {
  const shown = results
    .filter(({ state }) => state !== 'skipped')
    .map(({ name, state }) => ({ name, passed: state === 'passed' }));
  if (values.table === 'rules') await showRules(shown);
  else process.stdout.write(tableOfThreats(shown).text);
}

/** Without results, what the tests claim. */
async function showRules(results?: readonly Shown[]): Promise<void> {
  // The parser is not loaded where only tests run.
  const { readClaims, surfacesOf } = await import('./rule/claim.ts');
  const { MUTANTS } = await import('../test/mutants/all.ts');
  const claims = readClaims(root);
  const shown = results ?? claims.map(({ name }) => ({ name, passed: undefined }));
  const withMutant = new Set(MUTANTS.map(({ rule }) => rule));
  const table = tableOfRules(shown, { surfaces: surfacesOf(claims), withMutant });
  process.stdout.write(table.text);
  // Every rule is shown by now: one that lost its test fails like one whose test fails.
  if (positionals.length === 0 && table.lacking > 0) process.exitCode = 1;
}

async function compare({ differences }: Guard): Promise<void> {
  const found = await differences(files);
  const failed = found.filter(({ isOurs }) => isOurs || values.alone);
  const noted = found.filter((one) => !failed.includes(one));
  const say = (title: string, lines: typeof found) => {
    if (lines.length > 0)
      process.stdout.write(`${title}\n${lines.map(({ text }) => `  ${text.replaceAll(`${root}/`, '')}\n`).join('')}`);
  };
  say('ℹ changed meanwhile, by a test or by another program:', noted);
  say('✖ the machine is not as the tests found it:', failed);
  if (failed.length > 0) process.exitCode = 1;
}

// The runner wraps what a test threw.
function reasonOf(error: Error | undefined): string {
  return String(error?.cause instanceof Error ? error.cause.message : (error?.message ?? ''));
}

function testFiles(): string[] {
  if (positionals.length > 0) return positionals.map((file) => path.resolve(file));
  const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root });
  const left = values.whole || values.long || values.table ? new Set<string>() : slowFiles(root);
  if (left.size > 0) process.stdout.write(`ℹ ${left.size} files that take long are left to npm run test:whole\n`);
  return tests
    .filter((file) => !left.has(file) && (!values.table || isInTable(file)))
    .sort()
    .map((file) => path.join(root, file));
}

/** Where every test of a file is left out, what it made before them is never taken away. */
function isInTable(file: string): boolean {
  const text = readFileSync(path.join(root, file), 'utf8');
  return values.table === 'rules' ? RULE_PATTERN.test(text) : text.includes('threat ');
}
