import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { randomId } from '../base/ids.ts';
import { endTagged, newTag } from './host.ts';
import { TAG_NAME } from './kill-tree.ts';

test('a process is ended by its tag where it can be seen; one that carries the tag of elsewhere is left alone', async (t) => {
  const begin = async (tag: string) => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
      env: { [TAG_NAME]: tag },
    });
    t.after(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  };
  const [own, foreign] = [newTag(), `${randomId(6)}-${randomId()}`];
  const [mine, other] = [await begin(own), await begin(foreign)];
  const gone = once(mine, 'exit');
  assert.deepEqual([await endTagged(foreign), await endTagged(own), await endTagged('')], [false, true, false]);
  await gone;
  assert.deepEqual([other.exitCode, other.signalCode], [null, null]);
  assert.notEqual(newTag(), own);
});
