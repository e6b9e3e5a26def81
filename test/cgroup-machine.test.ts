// The second version of cgroups, as root and delegated to a user, in a virtual machine of this very file system, read-only.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findTrusted } from '../src/process/sandbox/host.ts';
import { ORDINARY_USER } from './sandbox-support.ts';
import { isLong, temporaryFolder } from './support.ts';

interface Guest {
  readonly place?: { readonly version: number };
  readonly left: readonly string[];
  readonly results: readonly {
    readonly tier: string;
    readonly open: readonly string[];
    readonly found: readonly { readonly probe: string; readonly blocked: boolean; readonly expected: boolean }[];
  }[];
}

const guestFile = (name: string) => path.join(import.meta.dirname, 'support', name);

test('threat 98 blocked and control: cgroups of the second version hold, as root and delegated', {
  timeout: 900_000,
}, (t) => {
  if (!isLong()) return t.diagnostic('not run: in the long run only');
  if (!findTrusted('apt-get') || !findTrusted('dpkg') || process.arch !== 'x64')
    return t.diagnostic('not run: no apt-get to fetch the machine with, or another architecture');
  const folder = temporaryFolder(t);
  fetchMachine(folder);
  const output = startMachine(folder);
  for (const who of ['root', 'user']) {
    const found = /^RESULT (.*)$/m.exec(output.split(`AS ${who}`)[1] ?? '')?.[1];
    assert.ok(found, output);
    const { place, left, results }: Guest = JSON.parse(found);
    assert.equal(place?.version, 2, who);
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
  }
});

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

function startMachine(folder: string): string {
  const settings = ['mem=1500M', 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', 'quiet'];
  const console = ['con=null', 'con0=fd:0,fd:1', `uml_dir=${folder}`, `init=${guestFile('cgroup-guest.sh')}`];
  const words = [process.execPath, guestFile('cgroup-guest.ts'), String(ORDINARY_USER)];
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
