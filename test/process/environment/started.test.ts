// No program is started for packages: no build of a source, no git, nothing that settings of a user or a project name; and each is named.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hashOf } from '../../../src/environment/lock/lock-entry.ts';
import { plant } from '../../support/agent-support.ts';
import { attemptsIn, openEnvironmentDesk, storedIn, toldBy } from '../../support/environment/desk.ts';
import type { IndexContent, PackageIndex } from '../../support/environment/package-index.ts';
import { npmPackage, sourceArchive, wheel } from '../../support/environment/packages.ts';

const PYTHON = { 'requirements.txt': 'plain\n' };
const NODE = { 'package.json': '{"dependencies": {"plain": "*"}}' };

/** Says over the proxy that it runs. */
const tells = (port: number) =>
  `import urllib.request\ntry:\n    urllib.request.urlopen("http://127.0.0.1:${port}/ran")\nexcept Exception:\n    pass\n`;
/** Of a source that needs nothing to be built. */
const BACKEND = '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n';

interface Way {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  content(index: PackageIndex): IndexContent;
  readonly why: string;
  readonly names: RegExp;
}

const asks = (name: string, from: string): IndexContent => ({ wheels: [wheel({ name, requires: [from] })] });
const npmAsks = (from: string): IndexContent => ({
  packages: [npmPackage({ name: 'plain', manifest: { dependencies: { evil: from } } })],
});

const WAYS: readonly Way[] = [
  {
    title: 'a wheel that needs a repository',
    files: PYTHON,
    content: ({ port }) => asks('plain', `evil @ git+http://127.0.0.1:${port}/evil.git`),
    ...{ why: 'address', names: /evil/ },
  },
  {
    title: 'a wheel that needs a source archive by its address',
    files: PYTHON,
    content: ({ port }) => {
      const evil = sourceArchive('evil', tells(port), { 'pyproject.toml': BACKEND });
      const { wheels = [] } = asks('plain', `evil @ http://127.0.0.1:${port}/files/${evil.file}`);
      return { wheels: [...wheels, evil] };
    },
    ...{ why: 'address', names: /evil/ },
  },
  {
    title: 'an npm package that needs a repository',
    files: NODE,
    content: ({ port }) => npmAsks(`git+http://127.0.0.1:${port}/evil.git`),
    ...{ why: 'address', names: /evil/ },
  },
  {
    title: 'an npm package that needs a folder',
    files: NODE,
    content: () => npmAsks('file:../../..'),
    ...{ why: 'address', names: /evil/ },
  },
];

for (const { title, files, content, why, names } of WAYS)
  test(`threat 83 blocked: ${title} starts no program, and is named`, async (t) => {
    const desk = await openEnvironmentDesk(t, files);
    const { wheels = [], packages = [] } = content(desk.index);
    desk.index.wheels.push(...wheels);
    desk.index.packages.push(...packages);
    const told = await desk.ask(['prepare', 'uses', '--yes']);
    assert.deepEqual([told.code, told.data.type], [1, 'PackageRefused'], JSON.stringify(told));
    assert.equal((told.data.details as { why: string }).why, why);
    assert.match(told.summary, names);
    assert.deepEqual(storedIn(desk.home), []);
    const started = desk.index.asked.filter((asked) => asked === '/ran' || asked.startsWith('/evil.git'));
    assert.deepEqual(started, []);
  });

test('threat 83 control: a pip that may start programs runs the source of a package', async (t) => {
  const desk = await openEnvironmentDesk(t, PYTHON);
  const { port } = desk.index;
  const evil = sourceArchive('evil', tells(port), { 'pyproject.toml': BACKEND });
  const plain = wheel({ name: 'plain', requires: [`evil @ http://127.0.0.1:${port}/files/${evil.file}`] });
  desk.index.wheels.push(plain, evil);
  const open = { file: 'src/environment/python/pip.ts', from: "'-c', alone(),", to: "'-m', alone().slice(2, 5)," };
  toldBy(await desk.run(['prepare', 'uses', '--yes', '--json'], { change: [open] }));
  assert.ok(desk.index.asked.includes('/ran'));
});

test('threat 82 blocked: a lock that names another place for a package is refused, also with the right hash', async (t) => {
  const desk = await openEnvironmentDesk(t, NODE, { packages: [npmPackage({ name: 'plain' })] });
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  const file = path.join(desk.project, '.agent/environments.lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const [{ hash: _hash, resolved, trees: _trees, ...entry }] = lock.environments;
  entry.packages[0].more = { resolved: `git+http://127.0.0.1:${desk.index.port}/evil.git` };
  lock.environments = [{ hash: hashOf(entry), ...entry, resolved, trees: {} }];
  writeFileSync(file, JSON.stringify(lock));
  desk.index.asked.length = 0;
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.deepEqual([told.code, told.data.type], [1, 'StateUnusable'], JSON.stringify(told));
  assert.match(told.summary, /environments\.0\.packages\.0\.more/);
  assert.deepEqual(desk.index.asked, []);
});

test('threat 83 blocked: settings and variables of the user and of the project steer neither installer', async (t) => {
  const marker = path.join('/dev/shm', `started-${process.pid}`);
  const elsewhere = 'http://127.0.0.1:9/';
  const npmrc = `registry=${elsewhere}\nignore-scripts=false\nnode-options=--require=/nowhere.js\nscript-shell=/nowhere\n`;
  const pipConf = `[global]\nindex-url = ${elsewhere}\nextra-index-url = ${elsewhere}\nno-binary = :all:\n`;
  const packages = [npmPackage({ name: 'plain', manifest: { scripts: { prepare: `touch ${marker}` } } })];
  const desk = await openEnvironmentDesk(
    t,
    { ...PYTHON, ...NODE, '.npmrc': npmrc, 'pip.conf': pipConf },
    { wheels: [wheel({ name: 'plain' })], packages },
  );
  const ours = { '.npmrc': npmrc, '.pip/pip.conf': pipConf, '.config/pip/pip.conf': pipConf };
  plant(desk.home, ours);
  plant(desk.project, ours);
  const env = {
    PIP_INDEX_URL: elsewhere,
    PIP_NO_BINARY: ':all:',
    PIP_CONFIG_FILE: path.join(desk.home, '.pip/pip.conf'),
    PIP_TARGET: desk.home,
    PYTHONSTARTUP: '/nowhere.py',
    PYTHONPATH: desk.project,
    npm_config_registry: elsewhere,
    npm_config_ignore_scripts: 'false',
    NODE_PATH: desk.project,
  };
  const told = toldBy(await desk.run(['prepare', 'uses', '--yes', '--json'], { env }));
  assert.equal(told.state, 'success', JSON.stringify(told));
  assert.deepEqual([...new Set(attemptsIn(desk))], [`127.0.0.1:${desk.index.port} allowed`]);
  assert.equal(existsSync(marker), false);
  assert.equal(storedIn(desk.home).length, 2);
});

test('what a skill asks for by its address, folder or repository is named, and the rest is prepared', async (t) => {
  const lines = ['plain', './local', '-e .', 'git+https://example.com/a.git'];
  const desk = await openEnvironmentDesk(
    t,
    { 'requirements.txt': `${lines.join('\n')}\n` },
    { wheels: [wheel({ name: 'plain' })] },
  );
  const { code, stdout, stderr } = await desk.run(['prepare', 'uses', '--yes']);
  assert.equal(code, 0, stdout + stderr);
  for (const [at, line] of lines.slice(1).entries())
    assert.ok(
      (stdout + stderr).includes(`requirements.txt:${at + 2}: ${line} names no package of an index`),
      stdout + stderr,
    );
  const zh = await desk.run(['prepare', 'uses', '--yes', '--lang', 'zh']);
  assert.match(zh.stdout + zh.stderr, /requirements\.txt:3: -e \. 不是索引中的软件包/);
  assert.deepEqual([...new Set(attemptsIn(desk))], [`127.0.0.1:${desk.index.port} allowed`]);
});
