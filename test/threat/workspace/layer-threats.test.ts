// What a layer promises while others write too: conflicts, bounds, a layer edited behind our back, a killed apply; each
// guard taken out of the source once, to show that it is what holds.
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { makeProject, skillFiles, writeFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const SKILL = skillFiles('does', 'name: does\ndescription: x', { 'scripts/do.sh': 'eval "$1"\n' });

function place(t: TestContext, files: Record<string, string>, settings: object = {}) {
  const cwd = makeProject(t, { ...SKILL, ...files });
  const own = temporaryFolder(t);
  writeFiles(own, { '.agent/config.json': JSON.stringify(settings) });
  const sw = (args: string[], change: readonly Change[] = []) => runCli(args, { cwd, home: own, change });
  return {
    cwd,
    home: own,
    sw,
    exec: (code: string, change?: readonly Change[]) =>
      sw(['exec', 'does', 'scripts/do.sh', '--yes', '--apply', 'never', '--', code], change),
    read: (name: string) => readFileSync(path.join(cwd, name), 'utf8'),
  };
}

const UNCOMPARED: readonly Change[] = [
  {
    file: 'src/app/workspace/apply.ts',
    from: 'new Set([...layer.raced(chosen), ...changedSince(project, chosen)])',
    to: 'new Set<string>()',
  },
  {
    file: 'src/workspace/transaction/commit.ts',
    from: 'const changed = changedSince(project, changes).map(visible);',
    to: 'const changed: string[] = [];',
  },
  {
    file: 'src/workspace/transaction/commit.ts',
    from: 'if (now !== undefined && !isSameEntry(now, before) && !isReached(now, before)) return false;',
    to: '',
  },
];

/** The person writes what the run has changed, too; then it is applied. */
async function applyOverPerson(t: TestContext, change?: readonly Change[]) {
  const { cwd, sw, exec, read } = place(t, { 'a.txt': 'own\n', 'b.txt': 'own\n' });
  await exec('echo run > a.txt; echo run > b.txt');
  writeFileSync(path.join(cwd, 'a.txt'), 'person\n');
  const applied = await sw(['runs', 'apply', 'latest', '--json'], change);
  return { type: readAnswer(applied).data.type, texts: [read('a.txt'), read('b.txt')] };
}

test('threat 71 blocked: what the person changed meanwhile is a conflict, and nothing is applied', async (t) => {
  assert.deepEqual(await applyOverPerson(t), { type: 'Conflict', texts: ['person\n', 'own\n'] });
});

test('threat 71 control: where nobody compares, the words of the person are lost', async (t) => {
  const { texts } = await applyOverPerson(t, UNCOMPARED);
  assert.deepEqual(texts, ['run\n', 'run\n']);
});

const QUESTION = 'Apply these changes? [y/c/N/v/?] ';

const UNBOUND: readonly Change[] = [
  { file: 'src/app/workspace/apply.ts', from: 'if (set.digest !== order.digest) throw anotherSet();', to: '' },
  {
    file: 'src/workspace/transaction/stage.ts',
    from: '!== digest) throw changedMeanwhile(shown);',
    to: '=== shown) throw changedMeanwhile(shown);',
  },
];

/** Whoever can write below home exchanges what lies in the layer while the person reads the question. */
async function exchangeWhileAsked(t: TestContext, change?: readonly Change[]) {
  const { cwd, home: own, sw, exec, read } = place(t, { 'a.txt': 'own\n' }, { workspace: { mechanism: 'copy' } });
  await exec('echo run > a.txt');
  const { data } = readAnswer(await sw(['runs', 'changes', 'latest', '--json']));
  const [kept = ''] = globSync(path.join(own, '.agent/state/*/layers', String(data.run), 'sealed/a.txt'));
  assert.ok(existsSync(kept), 'the layer is a copy');
  const evil = path.join(temporaryFolder(t), 'evil');
  writeFileSync(evil, 'EVIL\n');
  const asked = await atTerminal(['runs', 'apply', 'latest'], {
    ...{ cwd, home: own, until: QUESTION, type: 'y\n', swap: [[evil, kept]] },
    ...(change && { change }),
  });
  return { asked, text: read('a.txt') };
}

test('threat 70 blocked: a layer that is edited between the question and the yes is not what was said yes to', async (t) => {
  const { asked, text } = await exchangeWhileAsked(t);
  assert.equal(asked.asked, true, asked.shown);
  assert.match(asked.shown, /IntegrityMismatch|Conflict/);
  assert.equal(text, 'own\n');
});

test('threat 70 control: where a yes is bound to no digest, the other content is applied', async (t) => {
  assert.equal((await exchangeWhileAsked(t, UNBOUND)).text, 'EVIL\n');
});

const FLOOD = 'n=0; while [ $n -lt 600 ]; do : > f$n; n=$((n+1)); done; sleep 2';
const BOUNDS = { limits: { layer_files: 300, copy_files: 100, copy_mib: 1 } };

test('threat 72 blocked: a call that writes more files than a layer holds is ended, and named', async (t) => {
  const { cwd, exec } = place(t, {}, BOUNDS);
  const { code, stderr } = await exec(FLOOD);
  assert.notEqual(code, 0);
  assert.match(stderr, /LIMIT_LAYER_FILES/);
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('f')),
    [],
  );
});

test('threat 72 control: where nobody watches, all of them are in the layer', async (t) => {
  const unwatched = [
    { file: 'src/workspace/watch.ts', from: '  if (files > most.files)\n', to: '  if (files > Infinity)\n' },
    { file: 'src/workspace/copy.ts', from: 'files: copyFiles + layerFiles,', to: 'files: Infinity,' },
  ];
  const { exec, sw } = place(t, {}, BOUNDS);
  const { code, stderr } = await exec(FLOOD, unwatched);
  assert.equal(code, 0, stderr);
  const { data } = readAnswer(await sw(['runs', 'changes', 'latest', '--json'], unwatched));
  assert.equal((data.changes as unknown[]).length, 600);
});

/** Ended by the kernel in the middle of its commit; then any other command is typed. */
async function killInside(t: TestContext, change: readonly Change[] = []) {
  const names = Array.from({ length: 6 }, (_, n) => `${n}.txt`);
  const { cwd, sw, exec, read } = place(t, Object.fromEntries(names.map((name) => [name, 'own\n'])));
  await exec('for n in 0 1 2 3 4 5; do echo run > $n.txt; done');
  const killed = await sw(['runs', 'apply', 'latest'], [DIES]);
  assert.equal(killed.code, null, killed.stderr);
  const between = new Set(names.map(read));
  assert.equal(between.size, 2, 'it was killed between two files');
  assert.equal((await sw(['runs', 'list'], change)).code, 0);
  const left = readdirSync(cwd).filter((name) => name.startsWith('.skillwright'));
  return { kinds: new Set(names.map(read)).size, left: left.length };
}

const DIES: Change = {
  file: 'src/workspace/transaction/commit.ts',
  from: '    renameSync(staged, at);\n',
  to: "    renameSync(staged, at);\n    if (at.endsWith('3.txt')) process.kill(process.pid, 'SIGKILL');\n",
};

test('threat 74 blocked: an apply that was killed between two files is finished or undone by the next command', async (t) => {
  assert.deepEqual(await killInside(t), { kinds: 1, left: 0 });
});

test('threat 74 control: where no command looks for an unfinished one, the project stays between', async (t) => {
  const unfinished = {
    file: 'src/workspace/transaction/unfinished.ts',
    from: 'return namesIfThere(folder).some((name) => name.startsWith(OPEN));',
    to: 'return false;',
  };
  const { kinds, left } = await killInside(t, [unfinished]);
  assert.equal(kinds, 2);
  assert.ok(left > 0);
});
