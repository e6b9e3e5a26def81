import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Toolset } from '../app/library/public/toolset.ts';
import { openWorkspaces } from './workspaces.ts';

const MOST = 64;

test('those that are being opened count, too, and one that fails to open leaves room', async () => {
  const { find } = openWorkspaces();
  const opening = Promise.withResolvers<Toolset>();
  const first = Array.from({ length: MOST }, () => find(undefined, () => opening.promise));
  const ended = Promise.allSettled([...first, find(undefined, () => opening.promise)]);
  // Whoever asks meanwhile has been answered by then.
  await new Promise((resolve) => setImmediate(resolve));
  opening.reject(new Error('no folder'));
  const reasons = (await ended).map((one) => (one.status === 'rejected' ? String(one.reason.message) : one.status));
  assert.deepEqual(new Set(reasons.slice(0, MOST)), new Set(['no folder']));
  assert.match(reasons[MOST] ?? '', /64 workspaces are open/);
  const set: Partial<Toolset> = {};
  const made = await find(undefined, async () => set as Toolset);
  assert.equal(await find(made.id, () => opening.promise), made);
});
