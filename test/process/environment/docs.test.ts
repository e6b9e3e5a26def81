// The page on packages: its commands do what it says, and its names are those of the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { anotherHome, openEnvironmentDesk, storedIn } from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';
import { repository } from '../../support/support.ts';

const PAGE = readFileSync(path.join(repository, 'docs/environments.md'), 'utf8');

test('docs/environments.md: its commands run, in the order of the page, here and on a second machine', async (t) => {
  const files = {
    'requirements.txt': 'plain\n',
    'scripts/where.py': 'import os, plain\nprint(os.environ["VIRTUAL_ENV"])\n',
  };
  const desk = await openEnvironmentDesk(t, files, { wheels: [wheel({ name: 'plain' })] });
  const lines = [...PAGE.matchAll(/^skillwright (.+)$/gm)].map(([, line = '']) =>
    line.replace('pdf', 'uses').split(' '),
  );
  assert.deepEqual(
    lines.map(([name]) => name),
    ['prepare', 'prepare'],
  );
  const [first = [], second = []] = lines;
  assert.equal((await desk.ask([...first, '--yes'])).state, 'success');
  const where = await desk.exec('scripts/where.py');
  const { data } = await desk.ask(['doctor']);
  const stands =
    PAGE.includes(where.trim()) ||
    where.trim() === path.join(desk.home, '.agent/environments', storedIn(desk.home)[0] ?? '', 'tree');
  assert.ok(stands, `${where} ${JSON.stringify(data.sandbox ?? '')}`);
  assert.equal((await desk.ask(second, { home: anotherHome(desk) })).state, 'success');
  const [name = ''] = storedIn(desk.home);
  for (const words of [['list'], ['show', name], ['verify'], ['prune'], ['prune', '--days', '0']])
    assert.equal((await desk.ask(['environments', ...words])).state, 'success', words.join(' '));
  assert.deepEqual(storedIn(desk.home), []);
});

test('docs/environments.md: every setting has its line, with its default', () => {
  const defaults = readFileSync(path.join(repository, 'src/config/layer.ts'), 'utf8');
  const [, written = ''] = /environment: \{([^}]*)\}/.exec(defaults.slice(defaults.indexOf('DEFAULTS'))) ?? [];
  const names = [...written.matchAll(/(\w+):/g)].map(([, name = '']) => name);
  assert.deepEqual(names, ['index_hosts', 'isolated', 'max_mib', 'max_files', 'build_seconds']);
  for (const name of [...names, 'python_index', 'npm_registry']) assert.ok(PAGE.includes(`\`${name}\``), name);
  for (const amount of ['max_mib: 4096', 'max_files: 100_000', 'build_seconds: 900'])
    assert.ok(written.includes(amount), amount);
  assert.match(PAGE, /4096, 100000, 900/);
});
