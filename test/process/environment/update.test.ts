// `prepare --update`: what changes is shown before the lock changes, and the lock changes only once it was agreed to and built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type EnvironmentDesk, lockOf, openEnvironmentDesk, storedIn } from '../../support/environment/desk.ts';
import { npmPackage, wheel } from '../../support/environment/packages.ts';

const FILES = {
  'requirements.txt': 'plain\n',
  'scripts/use.py': 'import plain\nprint("plain", plain.VERSION)\n',
};

function lockText({ project }: EnvironmentDesk): string {
  return readFileSync(path.join(project, '.agent/environments.lock.json'), 'utf8');
}

function packagesIn(desk: EnvironmentDesk): string[] {
  return lockOf(desk).environments.flatMap(({ packages }) => packages.map(({ name, version }) => `${name} ${version}`));
}

test('threat 82 blocked: an update shows what changes, and leaves the lock alone until it is agreed to', async (t) => {
  const gone = wheel({ name: 'gone' });
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [wheel({ name: 'plain', requires: ['gone'] }), gone] });
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  const before = lockText(desk);
  desk.index.wheels.push(wheel({ name: 'plain', version: '2.0', requires: ['extra'] }), wheel({ name: 'extra' }));
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.equal(lockText(desk), before, 'control: nothing is looked up without --update');
  const waits = await desk.ask(['prepare', 'uses', '--update']);
  assert.deepEqual([waits.code, waits.state], [4, 'interrupted'], JSON.stringify(waits));
  assert.match(String(waits.data.question), /changes the lock: \+ extra 1\.0, - gone 1\.0, plain 1\.0 → 2\.0/);
  assert.equal(lockText(desk), before);
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/);
  const [, ...words] = String(waits.data.resume_command).split(' ');
  assert.equal((await desk.ask(words)).state, 'success');
  assert.deepEqual(packagesIn(desk), ['extra 1.0', 'plain 2.0']);
  assert.match(await desk.exec('scripts/use.py'), /^plain 2\.0\n/);
  const [locked] = lockOf(desk).environments;
  assert.equal(Object.keys(locked?.trees ?? {}).length, 1, 'with the digest of its tree');
});

test('an update that is agreed to in advance says what changed, and one without news changes nothing', async (t) => {
  const files = { ...FILES, 'package.json': '{"dependencies": {"upper": "*"}}' };
  const content = { wheels: [wheel({ name: 'plain' })], packages: [npmPackage({ name: 'upper' })] };
  const desk = await openEnvironmentDesk(t, files, content);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  const before = lockText(desk);
  const same = await desk.run(['prepare', 'uses', '--update', '--yes']);
  assert.equal(same.code, 0, same.stdout);
  assert.doesNotMatch(same.stdout, /changed/);
  assert.equal(lockText(desk), before);
  assert.equal(storedIn(desk.home).length, 2);
  desk.index.wheels.push(wheel({ name: 'plain', version: '3.0' }));
  desk.index.packages.push(npmPackage({ name: 'upper', version: '1.1.0' }));
  const told = await desk.run(['prepare', 'uses', '--update', '--yes']);
  assert.match(told.stdout, /changed +plain 1\.0 → 3\.0, upper 1\.0\.0 → 1\.1\.0/);
  assert.deepEqual(packagesIn(desk).toSorted(), ['plain 3.0', 'upper 1.1.0']);
  const frozen = await desk.run(['prepare', 'uses', '--update', '--frozen']);
  assert.equal(frozen.code, 2);
  assert.match(frozen.stderr, /--frozen changes no lock/);
});

test('an update that cannot be had leaves the lock and what is prepared', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [wheel({ name: 'plain' })] });
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  const before = lockText(desk);
  const taker = { 'plain.py': 'VERSION = "4.0"\n', 'sitecustomize.py': '' };
  desk.index.wheels.push(wheel({ name: 'plain', version: '4.0', files: taker }));
  const told = await desk.ask(['prepare', 'uses', '--update', '--yes']);
  assert.deepEqual([told.code, told.data.type], [1, 'PackageRefused'], JSON.stringify(told));
  assert.equal(lockText(desk), before);
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/);
});
