// Every escape attempt at every tier: what is stopped is exactly what the tier says, and unsandboxed it gets through.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AttackResult, runAttacks } from '../../../src/process/sandbox/attack/attack.ts';
import { ATTEMPTS } from '../../../src/process/sandbox/attack/table.ts';
import { describeHost } from '../../../src/process/sandbox/host.ts';
import { buildTier } from '../../../src/process/sandbox/probe.ts';
import { isLong } from '../../support/support.ts';
import { asOrdinaryUser, type Level, needsPerl, sandboxAt } from '../../support/world/sandbox-support.ts';

// Unsandboxed first: what the machine itself refuses proves nothing about a tier.
const LEVELS: readonly Level[] = ['bare', 'S0', 'S1', 'S2', 'S3'];
const results = new Map<Level, Promise<AttackResult[] | undefined>>();
// On a disk, where the tests' own folder may lie in memory: some attempts are on what only disks have.
const folder = mkdtempSync('/var/tmp/skillwright-matrix-');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

for (const level of LEVELS) {
  test(`every attempt at ${level} ends as its list of open points says`, async (t) => {
    const found = await attack(level, t);
    if (!found) return;
    const refused = await refusedToAll(t);
    assert.ok(found.length > 40, `only ${found.length} attempts were made`);
    const wrong = found.filter(
      ({ probe, blocked, expected }) => blocked !== expected && !(blocked && refused.has(probe)),
    );
    assert.deepEqual(wrong, []);
    t.diagnostic(`${level}: ${found.filter(({ blocked }) => blocked).length} of ${found.length} stopped`);
  });
}

test('root without users of its own says that processes are not limited, and nothing else gets through', async (t) => {
  const host = describeHost();
  if (host.uid !== 0 || !host.bubblewrap) return t.diagnostic('not run: not root, or no bubblewrap');
  const emptyFile = path.join(folder, 'empty');
  writeFileSync(emptyFile, '', { mode: 0o444 });
  const way = buildTier(host, { tier: 'S3', variant: {}, landlockAbi: 0, grouped: false }, { emptyFile });
  assert.deepEqual(way.notEnforced, ['file-locks', 'disk-space', 'memory-per-process', 'no-process-limit']);
  const found = await runAttacks({ ...way, advice: [], failed: [] }, { cacheFolder: folder });
  assert.deepEqual(
    found.filter(({ blocked }) => !blocked).map(({ probe }) => probe),
    ['fork-bomb', 'memory-of-all', 'memory-shared', 'memory-sockets', 'memory-inodes'],
  );
});

for (const threat of new Set(Object.values(ATTEMPTS).map((attempt) => attempt.threat))) {
  const ofThreat = async (level: Level, t: TestContext) =>
    (await attack(level, t))?.filter((result) => result.threat === threat);
  const names = Object.keys(ATTEMPTS).filter((name) => ATTEMPTS[name]?.threat === threat);

  test(`threat ${threat} blocked: in a sandbox none of ${names.join(', ')} gets through`, async (t) => {
    const found = await ofThreat('S3', t);
    if (!found) return t.skip('no tier S3 here');
    for (const { probe, blocked, expected, said } of found) {
      // Only memory of a whole call, and only where no cgroup can be had.
      if (!expected) assert.match(probe, /^memory-/);
      assert.ok(blocked || !expected, `${probe}: ${said}`);
    }
  });

  test(`threat ${threat} control: without a sandbox each of them does`, async (t) => {
    const found = await ofThreat('bare', t);
    if (!found) return t.skip('no perl to attack with');
    const refused = await refusedToAll(t);
    const tried = found.filter(({ probe }) => !refused.has(probe));
    for (const { probe } of found)
      if (refused.has(probe)) t.diagnostic(`not run: this machine refuses ${probe} to all`);
    assert.ok(tried.length > 0);
    for (const { probe, blocked, said } of tried) assert.ok(!blocked, `${probe}: ${said}`);
  });
}

test('the same holds for an ordinary user', async (t) => {
  // Lower tiers as an ordinary user: in the long run, and in the worlds without bubblewrap.
  const ended = await asOrdinaryUser(t, import.meta.filename, isLong() ? [] : ['--test-name-pattern=S3']);
  if (ended) assert.equal(ended.code, 0, ended.text);
});

/** Made once for each level, by whichever test comes first: any of them can run alone. */
function attack(level: Level, t: TestContext): Promise<AttackResult[] | undefined> {
  const made = results.get(level) ?? attackOnce(level, t);
  results.set(level, made);
  return made;
}

async function attackOnce(level: Level, t: TestContext): Promise<AttackResult[] | undefined> {
  if (!needsPerl(t)) return undefined;
  const sandbox = await sandboxAt(level, folder, t);
  return sandbox && (await runAttacks(sandbox, { cacheFolder: folder }));
}

/** A container around us may filter rare calls and powers of root; files and the network are never among these. */
async function refusedToAll(t: TestContext): Promise<ReadonlySet<string>> {
  const refused = (await attack('bare', t))?.filter(({ probe, blocked }) => {
    const attempt = ATTEMPTS[probe];
    // Made in a namespace only, because what they make would outlive a process that is killed for it.
    const needsNamespace = ['memory-inodes', 'memory-semaphores', 'memory-messages'].includes(probe);
    return blocked && (attempt?.root || needsNamespace || attempt?.openBy.includes('no-call-filter'));
  });
  return new Set(refused?.map(({ probe }) => probe));
}
