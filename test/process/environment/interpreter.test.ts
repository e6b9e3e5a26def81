// Another interpreter is another environment, never half of one; and `doctor` says of a skill what is prepared.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openEnvironmentDesk, storedIn } from '../../support/environment/desk.ts';
import { npmPackage, wheel } from '../../support/environment/packages.ts';

const FILES = {
  'requirements.txt': 'Plain_Thing>=1\n',
  'package.json': '{"dependencies": {"upper": "*"}}',
  'scripts/use.py': 'import plain_thing\nprint("plain", plain_thing.VERSION)\n',
};
const CONTENT = { wheels: [wheel({ name: 'plain-thing' })], packages: [npmPackage({ name: 'upper' })] };

interface ShownNeed {
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly version: string | null;
  readonly command: string | null;
}

test('doctor says of the packages of a skill which are prepared, and the one command for the others', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, CONTENT);
  const packages = async () => {
    const { data } = await desk.ask(['doctor', 'uses']);
    return (data.needs as ShownNeed[])
      .filter(({ kind }) => kind === 'package')
      .map(({ name, state, version, command }) => [name.toLowerCase().replaceAll('_', '-'), state, version, command])
      .toSorted();
  };
  const missing = (name: string) => [name, 'missing', null, 'skillwright prepare uses'];
  assert.deepEqual(await packages(), [missing('plain-thing'), missing('upper')]);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.deepEqual(await packages(), [
    ['plain-thing', 'present', '1.0', null],
    ['upper', 'present', '1.0.0', null],
  ]);
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  assert.deepEqual(await packages(), [missing('plain-thing'), missing('upper')]);
});

test('an interpreter that was replaced at its place is not used with the packages of the former one', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, CONTENT);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  const replaced = {
    file: 'src/environment/store/program-stamp.ts',
    from: 'return stats ?',
    to: 'return stats === null ?',
  };
  const change = [replaced];
  const { stderr, stdout } = await desk.run(['exec', 'uses', 'scripts/use.py', '--yes'], { change });
  assert.match(
    stdout + stderr,
    /python packages of uses were built for cpython-3\.\d+\.\d+, and \S+ is another program/,
  );
  assert.match(stdout + stderr, /`skillwright prepare uses` builds them for it/);
  assert.equal((await desk.run(['prepare', 'uses', '--yes'], { change })).code, 0);
  assert.match((await desk.run(['exec', 'uses', 'scripts/use.py', '--yes'], { change })).stdout, /^plain 1\.0\n/);
});

/** Folders of the PATH whose Pythons are not the same. */
function twoPythons(): string[] {
  const folders = ['/usr/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(':')];
  const versions = new Map<string, string>();
  for (const folder of new Set(folders)) {
    const file = path.join(folder, 'python3');
    if (!existsSync(file)) continue;
    const words = ['-c', 'import pip, sys; print(sys.version)'];
    const { status, stdout } = spawnSync(file, words, { encoding: 'utf8' });
    if (status === 0 && !versions.has(stdout)) versions.set(stdout, folder);
  }
  return [...versions.values()].slice(0, 2);
}

test('two Pythons have an environment each, and neither runs with that of the other', async (t) => {
  const [one, other] = twoPythons();
  if (one === undefined || other === undefined) return t.diagnostic('not run: there is one Python with pip here');
  const desk = await openEnvironmentDesk(t, { ...FILES, 'package.json': '{}' }, CONTENT);
  const at = (folder: string) => ({ env: { PATH: `${folder}:/usr/bin:/bin` } });
  const use = async (folder: string) => {
    const { stdout, stderr } = await desk.run(['exec', 'uses', 'scripts/use.py', '--yes'], at(folder));
    return stdout + stderr;
  };
  assert.equal((await desk.run(['prepare', 'uses', '--yes'], at(one))).code, 0);
  assert.match(await use(one), /^plain 1\.0\n/);
  assert.match(await use(other), /its packages were built for .*`skillwright prepare <skill>`/s);
  assert.equal((await desk.run(['prepare', 'uses', '--yes'], at(other))).code, 0);
  assert.match(await use(other), /^plain 1\.0\n/);
  assert.equal(storedIn(desk.home).length, 2);
});
