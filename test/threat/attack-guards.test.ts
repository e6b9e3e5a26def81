// The attempts of `doctor --attack` on guards other than the sandbox: stopped by this source, and not without the guard.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRuntime, type Runtime } from '../../src/app/runtime.ts';
import { attackGuards } from '../../src/cli/attack/guards.ts';
import { countGuards, judgeGuards, renderGuards } from '../../src/cli/attack/report.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { makeWorld } from '../support/agent-support.ts';
import { repository } from '../support/changed/change.ts';
import { type Change, changed, changedProcess } from '../support/changed/changed-source.ts';
import { UNGUARDED_RESULTS } from '../support/changed/unguarded-results.ts';
import { temporaryFolder } from '../support/support.ts';

type Guards = typeof import('../../src/cli/attack/guards.ts');
type Commands = typeof import('../../src/cli/commands.ts');

const UNBOUND = { file: 'src/door/run-file.ts', from: 'return [...found.values()];', to: 'return [];' };

/** By attempt: the finding it stands for, and what takes its guard away. */
const CONTROLS: Readonly<Record<string, readonly [finding: number | 'threat 77', ...changes: Change[]]>> = {
  'results-into-home': [
    2,
    { file: 'src/config/layer.ts', from: '  output_folder: plainFolder,\n', to: '' },
    UNGUARDED_RESULTS,
  ],
  'runtime-outside': [
    23,
    {
      file: 'src/config/runtime.ts',
      from: 'return isBelow(places.project, folder) ? whyNoRuntime(folder, places) : NOT_INSIDE;',
      to: 'return undefined;',
    },
    { file: 'src/config/runtime.ts', from: 'if (why === undefined) continue;', to: 'continue;' },
  ],
  'replace-model': [
    6,
    {
      file: 'src/config/layer.ts',
      from: "if (section === 'model') return () => ({ ignored: USERS_CHOICE });",
      to: "if (section === 'model') return (asked) => ({ use: asked });",
    },
  ],
  'question-hides-network': [
    9,
    { file: 'src/door/permit.ts', from: 'question: tellFacts(facts, door.language)', to: 'question: wordsOf(work)' },
  ],
  'yes-for-other-bytes': [12, UNBOUND],
  'grant-for-other-bytes': [12, UNBOUND],
  'stretched-prefix': [
    20,
    { file: 'src/policy/pattern.ts', from: 'refuseStretch(argv, spelledOut(words))', to: 'undefined' },
  ],
  'claimed-signer': [
    3,
    {
      file: 'src/distribution/verify.ts',
      from: 'const signer = checkSigner(home, { name, digest });',
      to: 'const signer = claimed;',
    },
  ],
  'silent-downgrade': [
    13,
    {
      file: 'src/distribution/judge.ts',
      from: 'if (order !== undefined && order >= 0)',
      to: 'if (order === undefined || order >= 0)',
    },
    { file: 'src/distribution/judge.ts', from: 'keys.highest(manifest.name, signer)', to: 'undefined' },
  ],
  'git-redirect': [
    21,
    { file: 'src/distribution/source/git.ts', from: 'http.followRedirects=false', to: 'http.followRedirects=initial' },
  ],
  'request-redirect': [
    8,
    {
      file: 'src/tools/network.ts',
      from: 'if (!isSameHost(previous.url, url) || covers?.(url.href) === false) throw elsewhere(url);',
      to: '',
    },
  ],
  'read-before-look': [
    18,
    {
      file: 'src/cli/command/project/edit.ts',
      from: 'const edits = await readEdits(',
      to: "process.getBuiltinModule('node:fs').readFileSync(file); const edits = await readEdits(",
    },
  ],
  'rewrite-killed-run': [
    10,
    {
      file: 'src/audit/chain.ts',
      from: 'head.write({ ...fixed, events, hash, flushed, ended: isEnd',
      to: 'if (isDurable) head.write({ ...fixed, events, hash, flushed, ended: isEnd',
    },
    { file: 'src/audit/verify.ts', from: 'if (key && unsealJson(line, key) === undefined)', to: 'if (false)' },
  ],
  'delete-texts': [19, { file: 'src/audit/run-archive.ts', from: 'recorded.has(file) || sealedFrom > 0', to: 'true' }],
  'run-of-other-project': [
    19,
    { file: 'src/audit/verify.ts', from: 'if (!isOfProject(head, place))', to: 'if (false)' },
  ],
  'secret-in-halves': [
    14,
    {
      file: 'src/door/output/without-secrets.ts',
      from: 'redactor.streams([ended.stdout, ended.stderr])',
      to: '[redactor.bytes(ended.stdout), redactor.bytes(ended.stderr)]',
    },
  ],
  'beyond-the-host': [
    'threat 77',
    {
      file: 'src/network/reach.ts',
      from: 'isCovered(rulesOf(options), host, port) || allowed.has(keyOf(host, port));',
      to: 'isCovered(rulesOf(options), host, port) || !allowed.has(keyOf(host, port));',
    },
  ],
  'secret-in-name': [14, { file: 'src/door/execute.ts', from: 'output.deliver(watch)', to: 'output.deliver()' }],
};

/** Their guards are in what the attempts call themselves, or in what is there before any command. */
const BESIDE_COMMANDS = new Set([
  'results-into-home',
  'runtime-outside',
  'replace-model',
  'request-redirect',
  'rewrite-killed-run',
]);

/** Where hosts cannot be told apart, none is let through. */
const needsProxy = (probe: string) => probe === 'beyond-the-host';

async function openRuntime(t: TestContext): Promise<Runtime> {
  const { project, home } = makeWorld(t);
  const runtime = await createRuntime({ project, home });
  // The tier is found once, as `doctor` does before it attacks.
  await runtime.sandbox();
  return runtime;
}

/** Everything below the folders of the user and below the one for temporary files. */
function listAll({ project, home }: Runtime): string[] {
  return [project, home, tmpdir()].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }));
}

test('attack probes blocked: every guard stops its attempt; nothing of the user is touched and nothing is left', async (t) => {
  const runtime = await openRuntime(t);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = temporaryFolder(t);
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const before = listAll(runtime);
  const results = await attackGuards(runtime, { commands: COMMANDS });
  for (const { probe, ended, why } of results) assert.equal(ended, 'stopped', `${probe}: ${why}`);
  assert.deepEqual(results.map(({ probe }) => probe).toSorted(), Object.keys(CONTROLS).toSorted());
  assert.deepEqual(listAll(runtime), before);
});

for (const [probe, [finding, ...changes]] of Object.entries(CONTROLS))
  test(`${typeof finding === 'number' ? `attack ${finding} probe` : finding} control: without the guard ${probe} gets through, and doctor would say so`, async (t) => {
    const runtime = await openRuntime(t);
    if (needsProxy(probe) && !(await runtime.sandbox()).can.proxy)
      return t.skip('no tier here has a network of its own');
    const { COMMANDS: commands } = await changed<Commands>('src/cli/commands.ts', ...changes);
    // Results come out behind the commands only.
    const beside = changes.filter((change) => change !== UNGUARDED_RESULTS);
    const guards = BESIDE_COMMANDS.has(probe)
      ? await changed<Guards>('src/cli/attack/guards.ts', ...beside)
      : { attackGuards };
    const results = await guards.attackGuards(runtime, { commands, probes: [probe] });
    // With bubblewrap root shows no private folder of its own beside a layer, guarded or not.
    const { tier } = await runtime.sandbox();
    const isHeld = probe === 'runtime-outside' && process.geteuid?.() === 0 && tier === 'S3';
    assert.deepEqual(
      results.map(({ ended }) => ended),
      [isHeld ? 'untried' : 'through'],
      results[0]?.why,
    );
    if (isHeld) return;
    assert.match(judgeGuards(results)?.message ?? '', new RegExp(`1 attempt got past a guard: ${probe}`));
  });

test('what could not be tried is neither stopped nor a failure, and is said with its reason', async (t) => {
  const runtime = await openRuntime(t);
  const commands = COMMANDS.filter(({ name }) => name !== 'install');
  const results = await attackGuards(runtime, { commands, probes: ['claimed-signer', 'stretched-prefix'] });
  assert.deepEqual(results.map(({ ended }) => ended).toSorted(), ['stopped', 'untried']);
  assert.equal(judgeGuards(results), undefined);
  assert.deepEqual(countGuards(results), {
    en: '2 attempts on guards: 1 stopped, 1 not tried',
    zh: '2 次针对防护的尝试: 阻止 1，未尝试 1',
  });
  const table = renderGuards(results, 'en', { interactive: false, color: false, width: Infinity });
  assert.match(table, /^stretched-prefix +✓ stopped$/m);
  assert.match(table, /^claimed-signer +– not tried: install .*--yes: /m);
});

const GUARDS_ONLY = { file: 'src/app/doctor/examine.ts', from: 'await attackTiers(runtime)', to: '[]' };

/** Ends `doctor --attack` by a signal as soon as its folder for attempts is there; how it ended, and what is left. */
async function endEarly(t: TestContext, place: 'sandbox' | 'guards', ...changes: Change[]) {
  const { project, home } = makeWorld(t);
  const [temporary, cache] = [temporaryFolder(t), path.join(home, '.agent', 'cache', 'sandbox')];
  const folder = place === 'sandbox' ? cache : temporary;
  const attempts = () =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /^(skillwright-)?attack-/.test(name));
  const { nodeArgs, env } = changedProcess([...(place === 'guards' ? [GUARDS_ONLY] : []), ...changes]);
  const child = spawn(process.execPath, [...nodeArgs, path.join(repository, 'src/bin.ts'), 'doctor', '--attack'], {
    cwd: project,
    env: { ...process.env, ...env, HOME: home, TMPDIR: temporary },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (attempts().length === 0 && child.exitCode === null) await sleep(10);
  assert.equal(attempts().length, 1, 'it is under way');
  child.kill('SIGTERM');
  const [, signal] = await ended;
  return { signal, left: attempts() };
}

test('attempts that a signal ends leave nothing behind', async (t) => {
  for (const place of ['sandbox', 'guards'] as const)
    assert.deepEqual(await endEarly(t, place), { signal: 'SIGTERM', left: [] }, place);
});

test('attempts that a signal ends, control: without the clean-up their folder stays', async (t) => {
  const careless = { file: 'src/base/clean-up.ts', from: 'process.on(signal, onSignal)', to: 'void onSignal' };
  assert.equal((await endEarly(t, 'guards', careless)).left.length, 1);
});
