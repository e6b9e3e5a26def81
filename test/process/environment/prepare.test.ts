// Packages of a skill from an index of our own: resolved, locked, built in the sandbox, and seen by its code.
import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { attemptsIn, lockOf, openEnvironmentDesk, skillOf, storedIn } from '../../support/environment/desk.ts';
import { serveIndex } from '../../support/environment/package-index.ts';
import { npmPackage, wheel } from '../../support/environment/packages.ts';
import { enterWorld, execIn, worldsHere } from '../../support/world/enter.ts';

const PYTHON = {
  'requirements.txt': 'adder>=1\n',
  'scripts/use.py':
    'import adder, sys, os\nprint(adder.add(2, 3), adder.VERSION, os.environ["VIRTUAL_ENV"] == sys.prefix)\n',
};

const ADDER = wheel({
  name: 'adder',
  files: { 'adder.py': 'import under\nVERSION = "1.0"\ndef add(a, b):\n    return under.plus(a, b)\n' },
  requires: ['under==2.1'],
  scripts: ['adder-say = adder:VERSION.lower'],
});
const UNDER = wheel({
  name: 'under',
  version: '2.1',
  files: { 'under/__init__.py': 'def plus(a, b):\n    return a + b\n' },
});

test('Python packages and what they need are locked with hashes, built once, and imported by the skill', async (t) => {
  const desk = await openEnvironmentDesk(t, PYTHON, { wheels: [ADDER, UNDER] });
  assert.match(await desk.exec('scripts/use.py'), /No module named 'adder'/);
  const prepared = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(prepared.state, 'success', JSON.stringify(prepared));
  const [locked] = lockOf(desk).environments;
  assert.deepEqual(
    locked?.packages.map(({ name, version, hashes }) => [name, version, hashes]),
    [
      ['adder', '1.0', [`sha256:${ADDER.sha256}`]],
      ['under', '2.1', [`sha256:${UNDER.sha256}`]],
    ],
  );
  assert.match(await desk.exec('scripts/use.py'), /^5 1\.0 True\n/);
  assert.deepEqual([...new Set(attemptsIn(desk))], [`127.0.0.1:${desk.index.port} allowed`]);
  const before = desk.index.asked.length;
  const again = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(again.state, 'success');
  assert.equal(desk.index.asked.length, before, 'the second time nothing is asked');
  assert.equal(storedIn(desk.home).length, 1);
});

test('a file of a package may be larger than what calls may write', async (t) => {
  const files = { 'large.py': Buffer.alloc(3 * 1024 * 1024, '# filler\n') };
  const desk = await openEnvironmentDesk(
    t,
    { 'requirements.txt': 'large\n' },
    { wheels: [wheel({ name: 'large', files })] },
  );
  const settings = { ...JSON.parse(desk.index.settings()), limits: { file_mib: 1 } };
  writeFileSync(path.join(desk.home, '.agent/config.json'), JSON.stringify(settings));
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
});

const NODE = {
  'package.json': '{"dependencies": {"upper": "^1.0.0"}}',
  'scripts/use.mjs':
    'import upper from "upper";\nimport { readFileSync } from "node:fs";\nconsole.log(upper("abc"), typeof readFileSync);\n',
  'scripts/use.cjs': 'console.log(require("upper")("def"));\n',
};
const UPPER = npmPackage({
  name: 'upper',
  version: '1.2.0',
  files: { 'index.js': 'const shout = require("shout-it");\nmodule.exports = (text) => shout(text.toUpperCase());\n' },
  manifest: { dependencies: { 'shout-it': '~3.0.0' } },
});
const SHOUT = npmPackage({
  name: 'shout-it',
  version: '3.0.4',
  files: { 'index.js': 'module.exports = (text) => text + "!";\n' },
});

test('npm packages and what they need are locked with integrity, and found by modules and by scripts', async (t) => {
  const desk = await openEnvironmentDesk(t, NODE, { packages: [UPPER, SHOUT] });
  assert.match(await desk.exec('scripts/use.mjs'), /Cannot find package 'upper'/);
  const prepared = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(prepared.state, 'success', JSON.stringify(prepared));
  const [locked] = lockOf(desk).environments;
  assert.deepEqual(
    locked?.packages.map(({ name, version }) => `${name}@${version}`),
    ['shout-it@3.0.4', 'upper@1.2.0'],
  );
  assert.ok(locked?.packages.every(({ hashes }) => hashes.every((hash) => hash.startsWith('sha512-'))));
  assert.match(await desk.exec('scripts/use.mjs'), /^ABC! function\n/);
  assert.match(await desk.exec('scripts/use.cjs'), /^DEF!\n/);
  assert.deepEqual([...new Set(attemptsIn(desk))], [`127.0.0.1:${desk.index.port} allowed`]);
});

for (const world of worldsHere())
  test(`environments at ${world.title}: packages are built and seen by scripts of both kinds`, async (t) => {
    const index = await serveIndex(t, { wheels: [ADDER, UNDER], packages: [UPPER, SHOUT] });
    const entered = enterWorld(t, world, skillOf('uses', { ...PYTHON, ...NODE }));
    if (!entered) return;
    writeSettings(entered.project, index.settings(), world.user);
    const prepared = await entered.run(['prepare', 'uses', '--yes', '--json']);
    assert.equal(JSON.parse(prepared.stdout).state, 'success', prepared.stdout + prepared.stderr);
    assert.match(await execIn(entered, world, ['uses', 'scripts/use.py']), /^5 1\.0 True\n/);
    assert.match(await execIn(entered, world, ['uses', 'scripts/use.mjs']), /^ABC! function\n/);
    assert.match(await execIn(entered, world, ['uses', 'scripts/use.cjs']), /^DEF!\n/);
    assert.equal((await entered.run(['environments', 'verify'])).code, 0);
    assert.deepEqual([...new Set(attemptsIn(entered))], [`127.0.0.1:${index.port} allowed`]);
  });

/** For the home that stands beside the project of a world. */
function writeSettings(project: string, settings: string, user: number | undefined): void {
  const folder = path.join(path.dirname(project), 'home', '.agent');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'config.json'), settings);
  if (user !== undefined) for (const file of [folder, path.join(folder, 'config.json')]) chownSync(file, user, user);
}
