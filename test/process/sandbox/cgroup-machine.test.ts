// The second version of cgroups, as root, delegated to a user and by the user's service manager, in a virtual machine of
// this very file system, read-only.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { isLong, repository, temporaryFolder } from '../../support/support.ts';
import { ORDINARY_USER } from '../../support/world/sandbox-support.ts';

interface Guest {
  readonly place?: { readonly version: number; readonly memory?: string };
  readonly left: readonly string[];
  readonly results: readonly {
    readonly tier: string;
    readonly open: readonly string[];
    readonly found: readonly { readonly probe: string; readonly blocked: boolean; readonly expected: boolean }[];
  }[];
}

interface Doctor {
  readonly data: { readonly sandbox: { readonly not_enforced: readonly unknown[] } };
}

const SYSTEMD = [
  ...['/usr/lib/systemd/systemd', '/usr/lib/systemd/user/dbus.socket', '/usr/bin/busctl', '/usr/sbin/runuser'],
  '/usr/lib/x86_64-linux-gnu/security/pam_systemd.so',
];
const COMMAND = path.join(repository, 'src/bin.ts');

const guestFile = (name: string) => path.join(import.meta.dirname, '../../support/world', name);

test('threat 98 blocked and control: cgroups of the second version hold, as root and delegated', {
  timeout: 900_000,
}, (t) => {
  const folder = machineFor(t);
  if (folder === undefined) return;
  const output = startMachine(folder, 'cgroup-guest.sh');
  for (const who of ['root', 'user']) assertBounded(t, who, output);
});

test('threat 98 blocked and control: in a login session the service manager of the user gives a cgroup', {
  timeout: 900_000,
}, (t) => {
  if (!SYSTEMD.every((file) => existsSync(file)))
    return t.diagnostic('not run: no systemd with logins and a bus for users is installed');
  const folder = machineFor(t);
  if (folder === undefined) return;
  const output = startMachine(folder, 'cgroup-session.sh');
  assert.match(output, /^0::\/user\.slice\/user-12345\.slice\/session-[^/]+\.scope\r?$/m);
  const { memory = '' } = assertBounded(t, 'session', output);
  assert.match(memory, /\/user@12345\.service\/.*\/skillwright-\d+-[0-9a-f]+\.scope$/);
  assert.match(output, /^KEPT .*\/skillwright-\d+-[0-9a-f]+\.scope\r?$/m);
  assert.match(output, /^LEFT \r?$/m);
  const declared = (who: string) => openPoints(who, output).includes('memory-per-process');
  assert.deepEqual(['session', 'silent', 'alone'].map(declared), [false, true, true], output);
});

/** A folder with the machine in it, or undefined after saying why there is none. */
function machineFor(t: TestContext): string | undefined {
  const why = isLong() ? noMachine() : 'in the long run only';
  if (why !== undefined) return void t.diagnostic(`not run: ${why}`);
  const folder = temporaryFolder(t);
  fetchMachine(folder);
  return folder;
}

function noMachine(): string | undefined {
  if (findTrusted('apt-get') && findTrusted('dpkg') && process.arch === 'x64') return undefined;
  return 'no apt-get to fetch the machine with, or another architecture';
}

function said(who: string, output: string): string {
  return (output.split(`AS ${who}`)[1] ?? '').split(/^AS /m)[0] ?? '';
}

function assertBounded(t: TestContext, who: string, output: string): NonNullable<Guest['place']> {
  const found = /^RESULT (.*)$/m.exec(said(who, output))?.[1];
  assert.ok(found, output);
  const { place, left, results }: Guest = JSON.parse(found);
  assert.ok(place?.version === 2, who);
  assert.deepEqual(left, []);
  const [bounded, control] = results;
  assert.ok(bounded && control);
  assert.deepEqual(
    [bounded.open.includes('memory-per-process'), control.open.includes('memory-per-process')],
    [false, true],
  );
  assert.deepEqual(
    bounded.found.filter(({ blocked }) => !blocked),
    [],
    who,
  );
  assert.ok(
    control.found.some(({ probe, blocked }) => probe.startsWith('memory-') && !blocked),
    who,
  );
  t.diagnostic(`${who}: ${bounded.tier}, ${bounded.found.length} attempts stopped`);
  return place;
}

/** What `doctor` says is not enforced. */
function openPoints(who: string, output: string): readonly unknown[] {
  const text = /^\{"state".*$/m.exec(said(who, output))?.[0];
  assert.ok(text, output);
  const { data }: Doctor = JSON.parse(text);
  return data.sandbox.not_enforced;
}

/** Unpacked, not installed. */
function fetchMachine(folder: string): void {
  const fetched = spawnSync('apt-get', ['download', 'user-mode-linux', 'libvdeplug2'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(fetched.status, 0, fetched.stderr);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    assert.equal(spawnSync('dpkg', ['-x', file, 'machine'], { cwd: folder }).status, 0);
  assert.ok(existsSync(path.join(folder, 'machine/usr/bin/linux.uml')));
}

function startMachine(folder: string, init: string): string {
  const settings = ['mem=1500M', 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', 'quiet'];
  const console = ['con=null', 'con0=fd:0,fd:1', `uml_dir=${folder}`, `init=${guestFile(init)}`];
  const words = [process.execPath, guestFile('cgroup-guest.ts'), String(ORDINARY_USER), COMMAND];
  const { stdout } = spawnSync(
    path.join(folder, 'machine/usr/bin/linux.uml'),
    [...settings, ...console, '--', ...words],
    {
      cwd: folder,
      env: {
        LD_LIBRARY_PATH: path.join(folder, 'machine/usr/lib/x86_64-linux-gnu'),
        HOME: folder,
        TMPDIR: folder,
        PATH: '/usr/bin:/bin',
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 800_000,
      maxBuffer: 1 << 26,
    },
  );
  return stdout;
}
