import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { randomId } from '../base/ids.ts';
import { endTagged, newTag } from './host.ts';
import { killTagged, TAG_NAME } from './kill-tree.ts';

test('a process is ended by its tag where it can be seen; one that carries the tag of elsewhere is left alone', async (t) => {
  const [own, foreign] = [newTag(), `${randomId(6)}-${randomId()}`];
  const [mine, other] = [await begin(t, own), await begin(t, foreign)];
  const gone = once(mine, 'exit');
  assert.deepEqual([await endTagged(foreign), await endTagged(own), await endTagged('')], [false, true, false]);
  await gone;
  assert.deepEqual([other.exitCode, other.signalCode], [null, null]);
  assert.notEqual(newTag(), own);
});

test('threat 43 blocked: a row of a shared queue with the beginning of a tag ends none of the processes here', async (t) => {
  const own = newTag();
  const child = await begin(t, own);
  for (const written of [own.slice(0, 13), own.slice(0, -1), `${own}\0`, `${own}0`])
    assert.equal(await endTagged(written), false, written);
  await killTagged(own.slice(0, -1));
  assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
});

test('threat 43 control: the whole tag ends it', async (t) => {
  const own = newTag();
  const gone = once(await begin(t, own), 'exit');
  assert.equal(await endTagged(own), true);
  await gone;
});

async function begin(t: TestContext, tag: string) {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    env: { [TAG_NAME]: tag },
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
