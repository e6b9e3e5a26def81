// Where a call worked: in the project, or in the copy of it where this machine can mount nothing.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { openSandbox } from '../../src/process/sandbox/sandbox.ts';
import { temporaryFolder } from './support.ts';

/** `below` is the folder in the project that is meant. */
export async function assertWorkedIn(cwd: unknown, project: string, t: TestContext, below = ''): Promise<void> {
  if (cwd === path.join(project, below)) return;
  assert.ok(String(cwd).endsWith(path.join('/copy', below)), String(cwd));
  assert.equal(await canMount(t), false, 'a copy where an overlay could be had');
}

export async function canMount(t: TestContext): Promise<boolean> {
  return (await openSandbox({ cacheFolder: temporaryFolder(t) })).can.mounts;
}
