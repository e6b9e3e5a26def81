// What a call leaves behind and what it flushes: nothing that grows with the number of calls, and two flushes at most.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import fs, { existsSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDoor } from '../../../src/app/open-door.ts';
import { perform } from '../../../src/door/perform.ts';
import { door, home, makeProject, skillFiles } from '../../support/door-support.ts';
import { count } from '../../support/support.ts';

const SKILL = skillFiles('sample', 'name: sample\ndescription: Says hello in tests.', {
  'scripts/hello.sh': 'cat > /dev/null; echo hello; echo hello > "$SKILL_OUTPUT_DIR/hello.txt"',
  ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`reference/${at}.md`, 'x'.repeat(2000)])),
});

const hello = async (open: OpenDoor) => {
  const call = { kind: 'run_script', skill: 'sample', script: 'scripts/hello.sh', args: [], stdin: 'x' } as const;
  const outcome = await perform({ ...call, context: open.context }, open);
  assert.equal(outcome.state, 'success', outcome.summary);
  return outcome;
};

test('many calls leave no descriptor, process, listener or folder behind', async (t) => {
  const { signal } = new AbortController();
  const open = await door(makeProject(t, SKILL), { signal });
  const work = path.join(home, '.agent', 'work');
  const state = () => ({
    descriptors: readdirSync('/proc/self/fd').length,
    processes: childrenOf(process.pid).length,
    listeners: getEventListeners(signal, 'abort').length + process.listenerCount('exit'),
    folders: existsSync(work) ? readdirSync(work).filter((name) => name.startsWith('call-')).length : 0,
    snapshots: readdirSync(path.join(home, '.agent', 'snapshots')).length,
  });
  await hello(open);
  const before = state();
  for (let done = 0; done < count(1000, 30); done += 5) await Promise.all(Array.from({ length: 5 }, () => hello(open)));
  assert.deepEqual(state(), before);
  while (readdirSync(work).length > 0) await sleep(1);
  open.finish(await hello(open));
});

test('a call with its record is flushed twice: what is about to happen, and that it is over', async (t) => {
  const project = makeProject(t, SKILL);
  const first = await door(project);
  first.finish(await hello(first));
  const flushes = await countFlushes(async () => {
    const open = await door(project);
    open.finish(await hello(open));
  });
  assert.equal(flushes, 2);
});

async function countFlushes(work: () => Promise<void>): Promise<number> {
  const { fsyncSync, fdatasyncSync } = fs;
  let flushes = 0;
  const counted = (flush: (descriptor: number) => void) => (descriptor: number) => {
    flushes++;
    flush(descriptor);
  };
  Object.assign(fs, { fsyncSync: counted(fsyncSync), fdatasyncSync: counted(fdatasyncSync) });
  syncBuiltinESMExports();
  try {
    await work();
    return flushes;
  } finally {
    Object.assign(fs, { fsyncSync, fdatasyncSync });
    syncBuiltinESMExports();
  }
}

function childrenOf(parent: number): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === parent);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]);
  } catch {
    return undefined;
  }
}
