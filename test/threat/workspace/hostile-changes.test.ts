// Change sets that a hostile script leaves: a yes, --yes and --apply always take none of it over; what was shown is
// what is applied, whatever is exchanged between the question and the answer.
import assert from 'node:assert/strict';
import { existsSync, globSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { home, makeProject, skillFiles, writeFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { isLong, runCli, temporaryFolder } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';
import { HOSTILE, type HostileChange, PRELUDE } from '../../support/workspace/hostile-change.ts';
import { type EnteredProject, enterWorld, type NamedWorld, worldsHere } from '../../support/world/enter.ts';

/** Each in a folder of its own. */
function projectOf(cases: readonly HostileChange[]): Record<string, string> {
  const code = cases.map(
    ({ code: one }, number) =>
      `os.makedirs('c${number}', exist_ok=True); os.chdir('c${number}')\n${one}\nos.chdir('..')`,
  );
  const own = cases.flatMap(({ files = {} }, number) =>
    Object.entries(files).map(([name, text]) => [`c${number}/${name}`, text]),
  );
  const plain = "put('plain.txt')";
  const skill = skillFiles('evil', 'name: evil\ndescription: x', {
    'scripts/e.py': `${PRELUDE}${[...code, plain].join('\n')}\n`,
  });
  return { ...skill, ...Object.fromEntries(own), 'conf/.env': 'T=1' };
}

type Waiting = { path: string; obeyed_by?: string; refused?: string };

async function execAll({ run }: EnteredProject, world: NamedWorld, apply: string[], change: readonly Change[] = []) {
  const { stdout, stderr } = await run(['exec', 'evil', 'scripts/e.py', '--yes', '--json', ...apply], change);
  assert.notEqual(stdout, '', stderr);
  const { data } = JSON.parse(stdout);
  assert.equal(data.exit, 0, stdout);
  assert.equal(data.sandbox.tier, world.tier);
  return (data.changes?.waiting ?? []) as Waiting[];
}

/** In a long run one change set a case; else all of them in one. */
const SETS = isLong() ? HOSTILE.map((one) => [one]) : [HOSTILE];

test('threat 66 threat 67 blocked: there are at least 60 hostile change sets, all different', () => {
  assert.ok(HOSTILE.length >= 60, String(HOSTILE.length));
  assert.equal(new Set(HOSTILE.map(({ name }) => name)).size, HOSTILE.length);
});

for (const world of worldsHere()) {
  test(`threat 66 threat 67 threat 68 threat 69 blocked: ${world.title}: no hostile change reaches the project by --yes, nor by --apply always`, async (t) => {
    for (const [number, set] of SETS.entries()) {
      const cases = set.filter(({ needsSockets }) => world.tier !== 'S1' || !needsSockets);
      const entered = enterWorld(t, world, projectOf(cases));
      if (!entered) return;
      const waiting = await execAll(entered, world, number % 2 === 0 ? [] : ['--apply', 'always']);
      assert.equal(readFileSync(path.join(entered.project, 'plain.txt'), 'utf8'), 'x');
      for (const [at, one] of cases.entries()) assertHeld(entered.project, `c${at}`, one, waiting);
    }
    t.diagnostic(`${HOSTILE.length} hostile changes in ${SETS.length} sets`);
  });
}

function assertHeld(project: string, folder: string, { name, held, why, files = {} }: HostileChange, all: Waiting[]) {
  for (const file of held) assert.equal(isThere(path.join(project, folder, file)), false, `${name}: ${file}`);
  for (const [file, text] of Object.entries(files))
    assert.equal(readFileSync(path.join(project, folder, file), 'utf8'), text, `${name}: ${file}`);
  const told = all.filter(({ path: below }) => below.startsWith(`${folder}/`) || below === folder);
  const reasons = told.flatMap(({ obeyed_by, refused }) => obeyed_by ?? refused ?? []);
  assert.ok(
    reasons.some((reason) => why.test(reason)),
    `${name}: ${JSON.stringify(told)}`,
  );
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

test('threat 66 threat 67 threat 68 threat 69 control: without the judgement of changes every one of them reaches the project', async (t) => {
  const world = worldsHere().find(({ tier, user }) => tier === 'S2' && user === undefined);
  const possible = HOSTILE.filter(({ impossible, held }) => !impossible && held.length > 0);
  const entered = world && enterWorld(t, world, projectOf(possible));
  if (!entered) return;
  const file = 'src/app/workspace/judge.ts';
  const careless = [
    { file, from: "if (why) return { change, verdict: 'refused', why };", to: '' },
    { file, from: "by ? { change, verdict: 'guarded', by }", to: "by && why ? { change, verdict: 'guarded', by }" },
    { file: 'src/loader/contained.ts', from: "if (relativePath.includes('\\\\')) throw", to: 'if (false) throw' },
  ];
  await execAll(entered, world, [], careless);
  const missed = possible.flatMap(({ name, held }, at) =>
    held.every((one) => isThere(path.join(entered.project, `c${at}`, one))) ? [] : [name],
  );
  assert.deepEqual(missed, []);
});

const QUESTION = 'Apply these changes? [y/c/N/v/?] ';

/** Leaves changes that wait, and asks about them; `swap` happens while the person reads. */
async function exchanged(
  t: TestContext,
  exchange: (at: { cwd: string; layer: string; spare: string }) => [string, string],
) {
  const skill = skillFiles('does', 'name: does\ndescription: x', { 'scripts/do.sh': 'eval "$1"\n' });
  const cwd = makeProject(t, { ...skill, 'a.txt': 'own\n', 'sub/b.txt': 'own\n' });
  const code = 'echo run > a.txt; echo run > sub/b.txt; echo run > new.txt';
  const done = await runCli(['exec', 'does', 'scripts/do.sh', '--yes', '--apply', 'never', '--', code], { cwd, home });
  assert.equal(done.code, 0, done.stderr);
  const run = String(readAnswer(await runCli(['runs', 'changes', 'latest', '--json'], { cwd, home })).data.run);
  const [layer = ''] = globSync(path.join(home, '.agent/state/*/layers', run));
  const swap = exchange({ cwd, layer, spare: temporaryFolder(t) });
  const asked = await atTerminal(['runs', 'apply', 'latest'], {
    cwd,
    home,
    until: QUESTION,
    type: 'y\n',
    swap: [swap],
  });
  return { cwd, asked, read: (name: string) => readFileSync(path.join(cwd, name), 'utf8') };
}

/** What the layer has written, whatever mechanism it is. */
function writtenAt(layer: string, name: string): string {
  const places = ['disk/upper', 'sealed'].map((part) => path.join(layer, part, name));
  return places.find((place) => existsSync(place)) ?? '';
}

const RACES: Record<string, (at: { cwd: string; layer: string; spare: string }) => [string, string]> = {
  'the layer gets another content behind our back': ({ layer, spare }) => {
    writeFiles(spare, { evil: 'EVIL\n' });
    return [path.join(spare, 'evil'), writtenAt(layer, 'a.txt')];
  },
  'the project gets another content': ({ cwd, spare }) => {
    writeFiles(spare, { own: 'person\n' });
    return [path.join(spare, 'own'), path.join(cwd, 'a.txt')];
  },
  'a new file is made in the project': ({ cwd, spare }) => {
    writeFiles(spare, { own: 'person\n' });
    return [path.join(spare, 'own'), path.join(cwd, 'new.txt')];
  },
};

for (const [name, exchange] of Object.entries(RACES))
  test(`threat 67 blocked: between the question and the yes ${name}: nothing but what was shown is applied`, async (t) => {
    const { asked, read, cwd } = await exchanged(t, exchange);
    assert.equal(asked.asked, true, asked.shown);
    // An overlay that is mounted goes on to show what was there: then what was shown is applied.
    const isAsShown = asked.code === 0;
    if (!isAsShown) assert.match(asked.shown, /Conflict|IntegrityMismatch/);
    assert.ok(!isAsShown || name.startsWith('the layer'), asked.shown);
    assert.equal(read('sub/b.txt'), isAsShown ? 'run\n' : 'own\n');
    assert.doesNotMatch(read('a.txt'), isAsShown ? /EVIL|own/ : /EVIL|run/);
    assert.deepEqual(
      readdirSync(cwd).filter((one) => one.startsWith('.skillwright')),
      [],
    );
  });

test('threat 67 blocked: records of a layer that are no records stop nothing, and allow nothing', async (t) => {
  const skill = skillFiles('does', 'name: does\ndescription: x', { 'scripts/do.sh': 'eval "$1"\n' });
  const cwd = makeProject(t, { ...skill, 'a.txt': 'own\n' });
  const words = [
    'exec',
    'does',
    'scripts/do.sh',
    '--yes',
    '--apply',
    'never',
    '--',
    'echo run > a.txt; echo x > CLAUDE.md',
  ];
  await runCli(words, { cwd, home });
  const { data } = readAnswer(await runCli(['runs', 'changes', 'latest', '--json'], { cwd, home }));
  const [layer = ''] = globSync(path.join(home, '.agent/state/*/layers', String(data.run)));
  for (const file of ['touched.json', 'allowed.json', 'permitted.json', 'made.json', 'sealed.json'])
    for (const text of ['{', '[]', '{"CLAUDE.md": {"result": 1}}', 'true'])
      if (file !== 'sealed.json' || existsSync(path.join(layer, file))) {
        writeFileSync(path.join(layer, file), text);
        const shown = await runCli(['runs', 'changes', 'latest'], { cwd, home });
        assert.doesNotMatch(shown.stderr, /at .*\.ts:\d+/, `${file} ${text}`);
      }
  await runCli(['runs', 'apply', 'latest', '--yes'], { cwd, home });
  assert.equal(existsSync(path.join(cwd, 'CLAUDE.md')), false);
});

test('threat 67 blocked: a journal in the project, or one that nobody sealed, is followed by no command', async (t) => {
  const cwd = makeProject(t, { 'a.txt': 'own\n', '.skillwright-0/0': 'EVIL\n' });
  const journal = { id: '0', at: 1, kind: 'apply', project: cwd, run: 'r', state: 'committing', closed: [] };
  const after = { kind: 'file', mode: 0o644, size: 5, digest: `sha256:${'0'.repeat(64)}` };
  const text = JSON.stringify({ ...journal, changes: [{ path: 'b.txt', after }] });
  await runCli(['runs', 'list'], { cwd, home });
  for (const folder of [path.join(cwd, '.agent/applies'), ...globSync(path.join(home, '.agent/state/*/applies'))]) {
    mkdirSync(path.join(folder, '0'), { recursive: true });
    writeFileSync(path.join(folder, '0/journal.json'), text);
    writeFileSync(path.join(folder, '.open-0'), '');
  }
  assert.equal((await runCli(['runs', 'list'], { cwd, home })).code, 0);
  assert.equal(existsSync(path.join(cwd, 'b.txt')), false);
});
