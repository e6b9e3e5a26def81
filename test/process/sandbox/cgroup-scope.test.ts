// Whether the user's service manager is asked for a cgroup is read from what the kernel says; cgroup-machine asks a real one.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { managerOf, placesBeside } from '../../../src/process/sandbox/linux/cgroup-scope.ts';
import { temporaryFolder } from '../../support/support.ts';

const MOUNTS = '36 31 0:33 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw';
const SLICE = '/user.slice/user-1000.slice';

test('the service manager is asked from a login session of the same user, and from nowhere else', () => {
  const asked = (own: string, uid = 1000, mounts = MOUNTS) => managerOf({ own, mounts }, uid)?.folder;
  const folder = `/sys/fs/cgroup${SLICE}/user@1000.service`;
  assert.equal(asked(`0::${SLICE}/session-3.scope\n`), folder);
  assert.equal(asked(`1:name=systemd:/\n0::${SLICE}/session-c12.scope\n`), folder);
  const others = {
    'the session of who called sudo or su': asked(`0::${SLICE}/session-3.scope\n`, 1001),
    'a service of the system': asked('0::/system.slice/web.service\n'),
    'a service that only looks like a session': asked('0::/system.slice/session-3.scope\n'),
    'a service of the manager itself': asked(`0::${SLICE}/user@1000.service/app.slice/web.service\n`),
    'below a session, where somebody else has the say': asked(`0::${SLICE}/session-3.scope/inner\n`),
    'the root of a container': asked('0::/\n'),
    'the first version alone': asked('4:memory:/user.slice/user-1000.slice/session-3.scope\n'),
    'no cgroups mounted': asked(`0::${SLICE}/session-3.scope\n`, 1000, ''),
    'a mount that does not show the manager': asked(
      `0::${SLICE}/session-3.scope\n`,
      1000,
      MOUNTS.replace(' / ', ' /box '),
    ),
  };
  for (const [what, found] of Object.entries(others)) assert.equal(found, undefined, what);
});

test('the manager is reached by the socket of this user, whatever the environment says', () => {
  assert.equal(managerOf({ own: `0::${SLICE}/session-3.scope\n`, mounts: MOUNTS }, 1000)?.bus, '/run/user/1000/bus');
});

test('what a killed owner left is looked for in other scopes of ours, and in nothing else', (t) => {
  const slice = temporaryFolder(t);
  const names = ['skillwright-7-00ff.scope', 'skillwright-8-00aa.scope', 'skillwright-notes.service', 'run-1.scope'];
  for (const name of names) mkdirSync(path.join(slice, name));
  const at = (name: string) => ({ version: 2, memory: path.join(slice, name) }) as const;
  assert.deepEqual(placesBeside(at('skillwright-7-00ff.scope')), [at('skillwright-8-00aa.scope')]);
  assert.deepEqual(placesBeside(at('run-1.scope')), []);
  assert.deepEqual(placesBeside({ version: 1, memory: path.join(slice, 'skillwright-7-00ff.scope') }), []);
});
