// Whose yes a build rests on: a person's, to this very entry; never that of a lock, and for a guess never `--yes` alone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { anotherHome, lockOf, openEnvironmentDesk, storedIn, toldBy } from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';

const PLAIN = wheel({ name: 'plain' });
const FILES = { 'requirements.txt': 'plain\n', 'scripts/use.py': 'import plain\nprint("plain", plain.VERSION)\n' };

test('without a yes the packages are shown, nothing is built, and the answer to the question builds them', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  const waits = await desk.ask(['prepare', 'uses']);
  assert.deepEqual([waits.code, waits.state], [4, 'interrupted'], JSON.stringify(waits));
  assert.match(String(waits.data.question), /plain==1\.0/);
  assert.match(String(waits.data.question), new RegExp(String(lockOf(desk).environments[0]?.hash.slice(0, 19))));
  assert.deepEqual(storedIn(desk.home), []);
  const [, ...words] = String(waits.data.resume_command).split(' ');
  assert.equal((await desk.ask(words)).state, 'success');
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/);
});

test('threat 82 blocked: a lock in a project permits nothing, and a yes to one entry is none to another', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  const home = anotherHome(desk);
  const there = await desk.ask(['prepare', 'uses', '--frozen'], { home });
  assert.equal(there.state, 'interrupted', JSON.stringify(there));
  assert.deepEqual(storedIn(home), []);
  const before = lockOf(desk).environments[0]?.hash;
  desk.index.wheels.push(wheel({ name: 'plain', version: '2.0' }));
  const file = path.join(desk.project, '.agent/environments.lock.json');
  const kept = readFileSync(file, 'utf8');
  writeFileSync(file, '{"version": 1, "environments": []}\n');
  const again = await desk.ask(['prepare', 'uses']);
  assert.equal(again.state, 'interrupted', JSON.stringify(again));
  assert.notEqual(lockOf(desk).environments[0]?.hash, before);
  assert.match(String(again.data.question), /plain==2\.0/);
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/, 'what was agreed to stays until then');
  writeFileSync(file, kept);
});

test('threat 82 blocked: --yes does not answer for a name that was only guessed', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  const guessed = {
    file: 'src/app/environment/refuse.ts',
    from: "certainty === 'guessed'",
    to: "certainty !== 'guessed'",
  };
  const told = toldBy(await desk.run(['prepare', 'uses', '--yes', '--json'], { change: [guessed] }));
  assert.equal(told.state, 'interrupted', JSON.stringify(told));
  assert.deepEqual(storedIn(desk.home), []);
});

test('a login of the index is used and written nowhere', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN], login: 'me:s3cretword' });
  const refused = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(refused.state, 'error', JSON.stringify(refused));
  const index = desk.index.python.replace('//', '//me:s3cretword@');
  const settings = JSON.stringify({ environment: { python_index: index } });
  writeFileSync(path.join(desk.home, '.agent/config.json'), settings);
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  assert.doesNotMatch(JSON.stringify([told, lockOf(desk)]), /s3cretword/);
});

test('settings that deny commands deny a build', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  const settings = { ...JSON.parse(desk.index.settings()), execution: { denied: ['run_command'] } };
  writeFileSync(path.join(desk.home, '.agent/config.json'), JSON.stringify(settings));
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.deepEqual([told.code, told.data.type], [1, 'PermissionDenied'], JSON.stringify(told));
  assert.deepEqual(desk.index.asked, []);
});
