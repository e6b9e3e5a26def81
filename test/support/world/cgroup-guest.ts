// Runs in a small virtual machine whose cgroups are of the second version: what can be bounded there, and whether it holds.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAttacks } from '../../../src/process/sandbox/attack/attack.ts';
import { findPlace } from '../../../src/process/sandbox/linux/cgroup-place.ts';
import { openSandbox } from '../../../src/process/sandbox/sandbox.ts';

const PROBES = [
  ...['memory-of-all', 'memory-shared', 'memory-semaphores', 'memory-messages', 'memory-sockets', 'memory-inodes'],
  'fork-bomb',
];

const folder = mkdtempSync(path.join(tmpdir(), 'guest-'));
const results = [];
for (const without of [[], ['cgroup']] as const) {
  const sandbox = await openSandbox({ cacheFolder: path.join(folder, without.join()), without });
  const found = await runAttacks(sandbox, { cacheFolder: folder, probes: PROBES });
  results.push({
    tier: sandbox.tier,
    open: sandbox.notEnforced,
    blocked: found.filter((one) => one.blocked).length,
    found,
  });
}
// Only now: in a login session the first sandbox got the place.
const place = findPlace();
const left =
  place?.memory === undefined ? [] : readdirSync(place.memory).filter((name) => name.startsWith('skillwright-'));
process.stdout.write(`RESULT ${JSON.stringify({ place, left, results })}\n`);
