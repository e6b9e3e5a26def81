// More than 200 ways in which a script prints the variables it was given, and files and names that hold them: what can
// be read afterwards is decided by decoders of the test's own.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { answer, makeWorld, plant, script, select, skillFile, tool, type World } from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/change.ts';
import { consentTo } from '../../support/consent/consented.ts';
import { openai, says, startModelServer } from '../../support/server/model-server.ts';
import { openReceiver } from '../../support/server/otlp-receiver.ts';
import { randomSeed, repository, runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';
import { readableIn } from '../../support/variable/readable.ts';

const WAYS = readFileSync(path.join(repository, 'test/fixtures/variables/ways.py'), 'utf8');
const LAST = '999';

const seed = randomSeed();
const VALUES = valuesFrom(seed);

/** A long one with punctuation, and one that is hardly long enough. */
function valuesFrom(from: number): Readonly<Record<'TOKEN' | 'KEY', string>> {
  const long = fc.stringMatching(/^[a-wyzA-WYZ1-9]{8}[-_/+.@!][a-zA-Z0-9\-_/+=&"$% ]{10}[a-zA-Z0-9]{8}$/);
  const short = fc.stringMatching(/^[a-wyzA-WYZ1-9]{3}[0-9][A-Z][a-z0-9]{5}$/);
  const isRich = (text: string) => new Set(text.toLowerCase()).size > 6;
  const [sample] = fc.sample(fc.record({ TOKEN: long.filter(isRich), KEY: short.filter(isRich) }), {
    seed: from,
    numRuns: 1,
  });
  assert.ok(sample);
  return sample;
}

function open(t: TestContext): World {
  const world = makeWorld(t, {
    ...skillFile('ways', 'secrets: [TOKEN, KEY]\n'),
    '.agent/skills/ways/scripts/ways.py': WAYS,
  });
  return consentTo(world, 'ways', 'TOKEN', 'KEY');
}

function exec(
  { project, home }: World,
  where: string,
  options: readonly string[],
  change: readonly Change[] = [],
  env = {},
) {
  const words = ['exec', 'ways', 'scripts/ways.py', '--yes', ...options, '--', where, '0', LAST];
  return runCli(words, { cwd: project, home, env: { ...VALUES, ...env }, change });
}

function assertUnreadable(texts: Readonly<Record<string, string>>): void {
  for (const [where, text] of Object.entries(texts))
    for (const [name, value] of Object.entries(VALUES)) {
      const how = readableIn(text, value);
      assert.equal(how, undefined, `${name} is readable in ${where}: ${how}; seed: ${seed}`);
    }
}

/** Every file below a folder, with its name. */
function textsBelow(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(
      (name) =>
        `${name}\n${statSync(path.join(folder, name)).isFile() ? readFileSync(path.join(folder, name), 'latin1') : ''}`,
    )
    .join('\n<<!>>\n');
}

const recordOf = ({ project }: World) => textsBelow(path.join(project, '.agent', 'runs'));

test('threat 79 blocked: in whatever way a script prints a variable, it is readable nowhere', async (t) => {
  const world = open(t);
  const receiver = await openReceiver(t);
  const printed = await exec(world, 'both', ['--debug'], [], receiver.env);
  assert.equal(printed.code, 0, printed.stderr);
  const told = await exec(world, 'both', ['--json'], [], receiver.env);
  const failed = await exec(world, 'fail', ['--json']);
  assert.equal(JSON.parse(failed.stdout).state, 'error');
  const progress = await exec(world, 'progress', []);
  assertUnreadable({
    stdout: printed.stdout,
    stderr: printed.stderr,
    outcome: JSON.stringify(Object.values(JSON.parse(told.stdout))),
    ...Object.fromEntries(
      ['stdout', 'stderr'].map((stream) => [`outcome ${stream}`, JSON.parse(told.stdout).data[stream]]),
    ),
    failure: failed.stdout,
    progress: progress.stderr,
    record: recordOf(world),
    telemetry: receiver.got.map(({ body }) => body).join('\n'),
  });
  assert.ok((printed.stdout + printed.stderr).split('[redacted]').length > 400);
});

const UNREDACTED: Change = {
  file: 'src/door/output/without-secrets.ts',
  from: 'if (!redactor) return executed;',
  to: 'return executed;',
};

test('threat 79 control: without redaction each of 200 ways is readable, and found so', async (t) => {
  const { stdout } = await exec(open(t), 'out', [], [UNREDACTED]);
  const ways = [...stdout.matchAll(/<<(\d+)!(TOKEN|KEY)>>(.*?)<<!>>/gs)];
  assert.ok(new Set(ways.map(([, way]) => way)).size >= 200);
  for (const [, way, name, text = ''] of ways)
    assert.ok(readableIn(text, VALUES[name as 'TOKEN']), `${way} ${name}: ${JSON.stringify(text)}; seed: ${seed}`);
});

test('threat 79 blocked: what is split over the two streams is not readable from both together', async (t) => {
  const world = open(t);
  const { stdout } = await exec(world, 'split', ['--json']);
  const { data } = JSON.parse(stdout);
  assert.deepEqual(joinable(data), []);
  assertUnreadable({ record: recordOf(world) });
});

test('threat 79 control: redacted one by one, the halves can be joined', async (t) => {
  const change = {
    file: 'src/door/output/without-secrets.ts',
    from: 'redactor.streams([ended.stdout, ended.stderr])',
    to: '[redactor.bytes(ended.stdout), redactor.bytes(ended.stderr)]',
  };
  const { stdout } = await exec(open(t), 'split', ['--json'], [change]);
  assert.ok(joinable(JSON.parse(stdout).data).length > 4);
});

/** The values that a part of one stream and a part of the other are together: behind each other, or by turns. */
function joinable({ stdout, stderr }: { stdout: string; stderr: string }): string[] {
  const partsOf = (text: string) => text.split('<<!>>').map((part) => part.trim());
  return partsOf(stdout).flatMap((first) =>
    partsOf(stderr).flatMap((second) => {
      const [one, other] = [first.split('\n'), second.split('\n')];
      const byTurns = one.map((piece, at) => piece + (other[at] ?? '')).join('');
      return Object.values(VALUES).filter((value) => first + second === value || byTurns === value);
    }),
  );
}

test('threat 79 blocked: a model sees none of it, nor what a later call reads of it', async (t) => {
  const world = open(t);
  const receiver = await openReceiver(t);
  const steps = Array.from({ length: 8 }, (_, part) =>
    script('ways', 'ways.py', 'both', `${part * 30}`, `${part * 30 + 30}`),
  );
  const reading = [script('ways', 'ways.py', 'files', '0', '1'), tool('read_file', { path: 'TOKEN-0.txt' })];
  const moving = [
    tool('move_file', { from: 'KEY-0.txt', to: 'moved.txt' }),
    tool('grep', { pattern: '.', path: 'moved.txt' }),
  ];
  const acts = [select('ways'), ...steps, ...reading, ...moving, answer('done')];
  const { url, seen } = await startModelServer(t, ...acts.map((act) => says(openai, { calls: [JSON.stringify(act)] })));
  const model = { provider: 'openai-compatible', name: 'test-model', base_url: url, key_env: 'TEST_KEY' };
  plant(world.home, { '.agent/config.json': JSON.stringify({ model }) });
  const env = { ...VALUES, TEST_KEY: 'sk-test-0123456789', ...receiver.env };
  const ran = await runCli(['run', 'print it', '--yes', '--json', '--budget', 'turns=30'], {
    cwd: world.project,
    home: world.home,
    env,
  });
  assert.equal(JSON.parse(ran.stdout).state, 'interrupted', ran.stdout);
  assert.equal(seen.length, acts.length, ran.stdout);
  const prompts = seen.map(({ body }) => JSON.stringify(body.messages));
  assert.ok(prompts.at(-1)?.includes('before\\n[redacted]\\nafter'), prompts.at(-1)?.slice(-3000));
  assertUnreadable({
    ...Object.fromEntries(prompts.map((prompt, turn) => [`prompt ${turn}`, prompt])),
    ...Object.fromEntries(
      prompts.map((prompt, turn) => [
        `prompt ${turn} as text`,
        prompt.replaceAll('\\\\n', '\n').replaceAll('\\n', '\n'),
      ]),
    ),
    outcome: ran.stdout,
    record: recordOf(world),
    telemetry: receiver.got.map(({ body }) => body).join('\n'),
  });
  assert.deepEqual(heldIn(ran.stdout).get('moved.txt'), ['KEY']);
  assert.ok(!existsSync(path.join(world.project, 'moved.txt')));
});

/** The variables that changes which wait hold, by their paths. */
function heldIn(stdout: string): Map<string, readonly string[] | undefined> {
  const { waiting } = JSON.parse(stdout).data.changes as { waiting: { path: string; holds?: readonly string[] }[] };
  return new Map(waiting.map((one) => [one.path, one.holds]));
}

const resultsOf = ({ project }: World) => readdirSync(path.join(project, 'mybox/output')).sort();

test('threat 79 blocked: results and changes that hold a variable wait, whatever was said in advance', async (t) => {
  const world = open(t);
  const { stdout, code } = await exec(world, 'files', ['--apply', 'always', '--json']);
  const { state, data } = JSON.parse(stdout);
  assert.deepEqual([state, code], ['interrupted', 4], stdout);
  assert.deepEqual(resultsOf(world), ['clean.txt']);
  const files = readdirSync(world.project).filter((name) => name.endsWith('.txt'));
  assert.deepEqual(files, ['clean.txt']);
  const held = heldIn(stdout);
  assert.ok(held.size >= 4 * 200, `${held.size}`);
  for (const [file, holds] of held)
    if (file.endsWith('.txt')) assert.deepEqual(holds, [path.basename(file).split('-')[0]], `${file}; seed: ${seed}`);
  assert.ok(
    data.refused.some((one: { why: string; holds: string[] }) => one.why === 'variable' && one.holds[0] === 'KEY'),
  );
  assert.match(data.resume_command, /^skillwright runs apply /);
  const shown = await runCli(['runs', 'changes', 'latest', '--diff'], { cwd: world.project, home: world.home });
  assert.match(shown.stdout, /TOKEN-0\.txt: not shown, it holds the value of TOKEN/);
  const applied = await runCli(['runs', 'apply', 'latest', '--yes', '--json'], {
    cwd: world.project,
    home: world.home,
  });
  assert.equal(JSON.parse(applied.stdout).state, 'interrupted');
  assertUnreadable({ outcome: stdout, diff: shown.stdout, applied: applied.stdout, record: recordOf(world) });
});

test('threat 79 control: without a look into files they lie in the project', async (t) => {
  const world = open(t);
  const change = {
    file: 'src/door/execute.ts',
    from: 'if (watch && !layer.isTooMuch()) markHolding(layer, watch);',
    to: '',
  };
  await exec(world, 'files', ['--apply', 'always', '--json'], [change]);
  assert.ok(resultsOf(world).includes('TOKEN-0.txt'));
  assert.equal(readFileSync(path.join(world.project, 'KEY-0.txt'), 'utf8'), `before\n${VALUES.KEY}\nafter\n`);
});

test('threat 79 blocked: no name and no link carries a variable out', async (t) => {
  const world = open(t);
  const { stdout } = await exec(world, 'names', ['--apply', 'always', '--json']);
  const names = readdirSync(world.project, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.agent'),
  );
  for (const name of names) assertUnreadable({ [name]: name });
  assertUnreadable({ outcome: stdout, record: recordOf(world) });
});

test('a person at a terminal is told which file holds which variable, and can say yes', async (t) => {
  const { project, home } = open(t);
  writeFileSync(
    path.join(project, '.agent/skills/ways/scripts/keep.sh'),
    'echo "$KEY" > kept.txt; echo x > plain.txt\n',
  );
  const { code, shown } = await atTerminal(['exec', 'ways', 'scripts/keep.sh'], {
    cwd: project,
    home,
    env: VALUES,
    until: 'Enter = no',
    type: 'y\n',
    more: [
      ['Apply these changes? [y/c/N/v/?] ', 'y\n'],
      ['Apply it? [y/c/N/v/?] ', 'y\n'],
    ],
    columns: 120,
  });
  assert.equal(code, 0, shown);
  assert.match(shown, /new kept\.txt \(11B\) — holds the value of KEY/);
  assertUnreadable({ terminal: shown });
  assert.equal(readFileSync(path.join(project, 'kept.txt'), 'utf8'), `${VALUES.KEY}\n`);
});

test('a value that is too short to be redacted is named in the outcome', async (t) => {
  const world = open(t);
  plant(world.project, { '.agent/skills/ways/scripts/short.sh': 'echo "$KEY $KEY" | tr a-z A-Z; echo "$KEY"\n' });
  consentTo(world, 'ways', 'TOKEN', 'KEY');
  const { stdout } = await runCli(['exec', 'ways', 'scripts/short.sh', '--yes', '--json'], {
    cwd: world.project,
    home: world.home,
    env: { ...VALUES, KEY: 'pass42' },
  });
  const { data } = JSON.parse(stdout);
  assert.deepEqual([data.not_redacted, data.stdout], [['KEY'], 'PASS42 PASS42\n[redacted]\n']);
});
