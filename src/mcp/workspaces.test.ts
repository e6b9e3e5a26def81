import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Toolset } from '../app/library/public/toolset.ts';
import { openWorkspaces } from './workspaces.ts';

const MOST = 64;

test('those that are being opened count, too, and one that fails to open leaves room', async () => {
  const { find } = openWorkspaces();
  const opening = Promise.withResolvers<Toolset>();
  const first = Array.from({ length: MOST }, () => find(undefined, () => opening.promise));
  await assert.rejects(
    find(undefined, () => opening.promise),
    /64 workspaces are open/,
  );
  opening.reject(new Error('no folder'));
  const ended = await Promise.allSettled(first);
  assert.ok(ended.every(({ status }) => status === 'rejected'));
  const set: Partial<Toolset> = {};
  const made = await find(undefined, async () => set as Toolset);
  assert.equal(await find(made.id, () => opening.promise), made);
});
