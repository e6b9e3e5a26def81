// Every escape attempt at every tier: what is stopped is exactly what the tier says, and unsandboxed it gets through.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { type AttackResult, runAttacks } from '../src/process/sandbox/attack.ts';
import { ATTEMPTS } from '../src/process/sandbox/attack-table.ts';
import { describeHost } from '../src/process/sandbox/host.ts';
import { buildTier } from '../src/process/sandbox/probe.ts';
import { asOrdinaryUser, type Level, needsPerl, sandboxAt } from './sandbox-support.ts';

// Unsandboxed first: what the machine itself refuses proves nothing about a tier.
const LEVELS: readonly Level[] = ['bare', 'S0', 'S1', 'S2', 'S3'];
const results = new Map<Level, AttackResult[]>();
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-matrix-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

for (const level of LEVELS) {
  test(`every attempt at ${level} ends as its list of open points says`, async (t) => {
    if (!needsPerl(t)) return;
    const sandbox = await sandboxAt(level, folder, t);
    if (!sandbox) return;
    const found = await runAttacks(sandbox, { cacheFolder: folder });
    results.set(level, found);
    assert.ok(found.length > 40, `only ${found.length} attempts were made`);
    const wrong = found.filter(
      ({ probe, blocked, expected }) => blocked !== expected && !(blocked && isRefused(probe)),
    );
    assert.deepEqual(wrong, []);
    t.diagnostic(`${sandbox.tier}: ${found.filter(({ blocked }) => blocked).length} of ${found.length} stopped`);
  });
}

test('root without users of its own says that processes are not limited, and nothing else gets through', async (t) => {
  const host = describeHost();
  if (host.uid !== 0 || !host.bubblewrap) return t.diagnostic('not run: not root, or no bubblewrap');
  const emptyFile = path.join(folder, 'empty');
  writeFileSync(emptyFile, '', { mode: 0o444 });
  const way = buildTier(host, { tier: 'S3', ownUsers: false, landlockAbi: 0 }, emptyFile);
  assert.deepEqual(way.notEnforced, ['no-process-limit', 'disk-space']);
  const found = await runAttacks({ ...way, advice: [], failed: [] }, { cacheFolder: folder });
  assert.deepEqual(
    found.filter(({ blocked }) => !blocked).map(({ probe }) => probe),
    ['fork-bomb'],
  );
});

for (const threat of new Set(Object.values(ATTEMPTS).map((attempt) => attempt.threat))) {
  const ofThreat = (level: Level) => results.get(level)?.filter((result) => result.threat === threat);
  const names = Object.keys(ATTEMPTS).filter((name) => ATTEMPTS[name]?.threat === threat);

  test(`threat ${threat} blocked: in a sandbox none of ${names.join(', ')} gets through`, (t) => {
    const found = ofThreat('S3');
    if (!found) return t.diagnostic('not run: no tier S3 here');
    for (const { probe, blocked, said } of found) assert.ok(blocked, `${probe}: ${said}`);
  });

  test(`threat ${threat} control: without a sandbox each of them does`, (t) => {
    const found = ofThreat('bare');
    if (!found) return t.diagnostic('not run: no perl to attack with');
    const tried = found.filter(({ probe }) => !isRefused(probe));
    for (const { probe } of found) if (isRefused(probe)) t.diagnostic(`not run: this machine refuses ${probe} to all`);
    assert.ok(tried.length > 0);
    for (const { probe, blocked, said } of tried) assert.ok(!blocked, `${probe}: ${said}`);
  });
}

test('the same holds for an ordinary user', async (t) => {
  const ended = await asOrdinaryUser(t, import.meta.filename);
  if (ended) assert.equal(ended.code, 0, ended.text);
});

/** A container around us may filter rare calls and powers of root; files and the network are never among these. */
function isRefused(probe: string): boolean {
  const attempt = ATTEMPTS[probe];
  const mayBe = attempt?.root || attempt?.openBy.includes('no-call-filter');
  return mayBe === true && results.get('bare')?.find((result) => result.probe === probe)?.blocked === true;
}
