// Which tier is chosen, that it is chosen by trying, and that nothing ever runs in a lower one unsaid.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runProcess } from '../../../src/process/run.ts';
import { describeHost, findTrusted } from '../../../src/process/sandbox/host.ts';
import { describeOpenPoint } from '../../../src/process/sandbox/not-enforced.ts';
import { buildTier, findTier } from '../../../src/process/sandbox/probe.ts';
import { openSandbox } from '../../../src/process/sandbox/sandbox.ts';
import { temporaryFolder } from '../../support/support.ts';
import { HIDDEN_FOR, type Level, missing, orderOf, sandboxAt, workIn } from '../../support/world/sandbox-support.ts';

test('threat 60 blocked: without bubblewrap the tier is lower, says so, and says how to get it back', async (t) => {
  const sandbox = await openSandbox({ cacheFolder: temporaryFolder(t), without: ['bubblewrap'] });
  assert.notEqual(sandbox.tier, 'S3');
  assert.ok(sandbox.notEnforced.length > 1);
  assert.match(sandbox.advice[0]?.en ?? '', /bubblewrap|perl|Linux/);
  const launch = sandbox.prepare(orderOf({ argv: ['/bin/true'], work: workIn(temporaryFolder(t)) }));
  assert.equal(launch.tier, sandbox.tier);
  assert.deepEqual(launch.notEnforced, sandbox.notEnforced);
});

test('threat 60 control: with it the same call is at S3', async (t) => {
  const sandbox = await sandboxAt('S3', temporaryFolder(t), t);
  if (!sandbox) return;
  const launch = sandbox.prepare(orderOf({ argv: ['/bin/true'], work: workIn(temporaryFolder(t)) }));
  assert.equal(launch.tier, 'S3');
  assert.deepEqual(sandbox.advice, []);
});

test('threat 60 blocked: a bubblewrap that fails runs nothing', async (t) => {
  const host = describeHost();
  if (!host.perl || !host.architecture) return missing(t, 'perl is not installed');
  const folder = temporaryFolder(t);
  const emptyFile = path.join(folder, 'empty');
  writeFileSync(emptyFile, '');
  const found = { tier: 'S3', variant: {}, landlockAbi: 0, grouped: false } as const;
  const order = orderOf({ argv: ['/bin/sh', '-c', 'echo ran >ran'], work: workIn(folder) });
  for (const bubblewrap of ['/bin/false', '/no/such/bwrap']) {
    const way = buildTier({ ...host, bubblewrap }, found, { emptyFile });
    assert.equal(way.tier, 'S3');
    await runProcess(way.prepare(order), { timeoutMs: 5000 }).catch(() => {});
    assert.ok(!existsSync(path.join(order.view.work, 'ran')));
  }
});

test('threat 60 blocked: a tier that does not hold is not taken', async (t) => {
  const host = describeHost();
  if (!host.perl) return missing(t, 'perl is not installed');
  const options = { cacheFolder: temporaryFolder(t), emptyFile: '/dev/null', without: [], highest: 'S3' } as const;
  const found = await findTier({ ...host, bubblewrap: '/bin/true' }, options);
  assert.notEqual(found.tier, 'S3');
  assert.equal(found.failed[0]?.tier, 'S3');
});

test('threat 58 blocked: a program others could have put there is not trusted', (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o777);
  writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 });
  assert.equal(findTrusted('bwrap', [folder]), undefined);
  chmodSync(folder, 0o755);
  chmodSync(path.join(folder, 'bwrap'), 0o777);
  assert.equal(findTrusted('bwrap', [folder]), undefined);
});

test('threat 58 control: the same program is, once only its owner can change it', (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 });
  assert.equal(findTrusted('bwrap', [folder], process.geteuid?.()), path.join(folder, 'bwrap'));
});

test('an unknown architecture, a missing perl and another platform drop to S0 with advice', async (t) => {
  const { architecture: _, ...unknown } = describeHost();
  const cacheFolder = temporaryFolder(t);
  const options = { cacheFolder, emptyFile: '/dev/null', without: [], highest: 'S3' } as const;
  for (const host of [unknown, describeHost(['perl']), { ...describeHost(), platform: 'darwin' as const }]) {
    const found = await findTier(host, options);
    assert.equal(found.tier, 'S0');
    assert.equal(buildTier(host, found, options).tier, 'S0');
  }
  const sandbox = await openSandbox({ cacheFolder, without: ['perl'] });
  assert.match(sandbox.advice[0]?.en ?? '', /perl/);
  assert.ok(sandbox.notEnforced.includes('no-limits'));
});

test('what the probes found is remembered, and asked again when something changes', async (t) => {
  const cacheFolder = temporaryFolder(t);
  const first = await openSandbox({ cacheFolder });
  const file = path.join(cacheFolder, 'sandbox.json');
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...stored, failed: [{ tier: 'S3', why: 'mark' }] }));
  assert.equal((await openSandbox({ cacheFolder })).failed[0]?.why, 'mark');
  assert.deepEqual((await openSandbox({ cacheFolder, fresh: true })).failed, first.failed);
  writeFileSync(file, JSON.stringify({ ...stored, key: 'of another kernel', tier: 'S0' }));
  assert.equal((await openSandbox({ cacheFolder })).tier, first.tier);
  for (const junk of ['', '[]', '{"key":1}', JSON.stringify({ ...stored, tier: 'S9' })]) {
    writeFileSync(file, junk);
    assert.equal((await openSandbox({ cacheFolder })).tier, first.tier, junk);
  }
});

test('a lower tier can be asked for, a higher one cannot', async (t) => {
  const cacheFolder = temporaryFolder(t);
  assert.equal((await openSandbox({ cacheFolder, tier: 'S0' })).tier, 'S0');
  assert.equal((await openSandbox({ cacheFolder, tier: 'S3', without: ['perl'] })).tier, 'S0');
});

test('every open point of every tier is described in both languages', async (t) => {
  const cacheFolder = temporaryFolder(t);
  for (const level of Object.keys(HIDDEN_FOR) as Level[]) {
    const sandbox = await openSandbox({ cacheFolder, without: HIDDEN_FOR[level] });
    for (const id of sandbox.notEnforced) {
      const described = describeOpenPoint(id);
      assert.ok(described?.en && described.zh, id);
    }
  }
  assert.equal(describeOpenPoint('constructor'), undefined);
});
