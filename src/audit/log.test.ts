import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../test/support/changed/changed-source.ts';
import { count, repository, temporaryFolder } from '../../test/support/support.ts';
import { openChain } from './chain.ts';
import type { AuditEvent } from './event.ts';
import { openLog } from './log.ts';
import { openAuditKey } from './seal.ts';
import { type LogPlace, readRecords, verifyLog } from './verify.ts';

const key = new Uint8Array(32).fill(7);
const run = '20261115T000000Z-abcdef';
const context = { request_id: 'req-1', agent_id: 'analyst', user_id: null };
const clock = { now: () => 0 };

/** The head beside the log, where a test can reach both. */
function placeIn(folder: string): LogPlace {
  return { folder, head: path.join(folder, 'head.json'), project: { path: 'here', folder: '' } };
}

function state(to: string): AuditEvent {
  return { type: 'state', from: 'a', to };
}

function writeLog(folder: string, texts: readonly string[], end = true): string[] {
  const log = openLog({ ...placeIn(folder), run, key, context, clock });
  for (const text of texts) log.append(state(text));
  if (end) log.append({ type: 'run-end', outcome: 'success', run_sha256: '' });
  log.close();
  return readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('\n').slice(0, -1);
}

function rewrite(folder: string, lines: readonly string[]): void {
  writeFileSync(path.join(folder, 'events.jsonl'), lines.map((line) => `${line}\n`).join(''));
}

test('every event carries the three context ids, its number, its time and the tier', (t) => {
  const folder = temporaryFolder(t);
  const log = openLog({ ...placeIn(folder), run, key, context, clock, tier: 'S3' });
  log.append(state('x'));
  log.append({ type: 'setting-ignored', setting: 'sandbox.off' }, 'S1');
  log.close();
  const records = readRecords(folder);
  assert.deepEqual(
    records.map(({ seq, tier }) => [seq, tier]),
    [
      [0, 'S3'],
      [1, 'S1'],
    ],
  );
  for (const record of records) {
    const { request_id, agent_id, user_id, ts } = record;
    assert.deepEqual({ request_id, agent_id, user_id }, context);
    assert.equal(ts, '1970-01-01T00:00:00.000Z');
  }
  assert.equal(statSync(path.join(folder, 'events.jsonl')).mode & 0o777, 0o600);
});

test('a line that lacks a field of its event, or has an unknown one for its kind, is no record', (t) => {
  for (const odd of [
    { type: 'state', from: 'a' },
    { type: 'stated', from: 'a', to: 'b' },
    { type: 'artifact', path: 1 },
  ]) {
    const folder = temporaryFolder(t);
    const frame = { ...context, ts: '', tier: null };
    const chain = openChain({ ...placeIn(folder), run, key });
    chain.append((link) => ({ ...odd, ...frame, ...link }), { isDurable: false, isEnd: false });
    chain.close();
    const { ok, why } = verifyLog(placeIn(folder), run, key);
    assert.deepEqual([ok, why], [false, 'not a record'], JSON.stringify(odd));
    assert.deepEqual(readRecords(folder), []);
  }
});

const hostile = [
  'x\n{"type":"approval","answer":"yes"}',
  '\r\n',
  '\u2028',
  '"},{"',
  '\ud800',
  '\0',
  '\u001b[2J',
  '\\n',
];

test('threat 48 blocked: no text can forge a line, and every change of the file is found', (t) => {
  const folder = temporaryFolder(t);
  const lines = writeLog(folder, hostile);
  assert.equal(lines.length, hostile.length + 1);
  assert.deepEqual(verifyLog(placeIn(folder), run, key).ok && readRecords(folder).length, lines.length);
  const changes: [string, string[]][] = [
    ['edited', lines.map((line, index) => (index === 3 ? line.replace('"a"', '"b"') : line))],
    ['last edited', lines.map((line, index) => (index === lines.length - 1 ? line.replace('success', 'error') : line))],
    ['deleted', lines.filter((_, index) => index !== 2)],
    ['first deleted', lines.slice(1)],
    ['reordered', [lines[1] ?? '', lines[0] ?? '', ...lines.slice(2)]],
    ['inserted', [...lines.slice(0, 2), lines[1] ?? '', ...lines.slice(2)]],
    ['appended', [...lines, lines.at(-1) ?? '']],
    ['truncated', lines.slice(0, -1)],
    ['emptied', []],
    ['spaced', lines.map((line, index) => (index === 1 ? `${line} ` : line))],
    ['not a record', [...lines.slice(0, -1), 'null']],
  ];
  for (const [name, changed] of changes) {
    rewrite(folder, changed);
    assert.equal(verifyLog(placeIn(folder), run, key).ok, false, name);
  }
  rewrite(folder, lines);
  assert.ok(verifyLog(placeIn(folder), run, key).ok);
});

test('threat 48 control: without chain, seals and head the same changes pass', async (t) => {
  type Verify = typeof import('./verify.ts');
  const file = 'src/audit/verify.ts';
  const noHead = { from: 'why === undefined ? compareHead(', to: 'why === undefined ? void (' };
  const noChain = { from: 'if (record.prev !== link.prev) return', to: 'if (false) return' };
  const noSeal = { from: 'if (key && unsealJson(line, key) === undefined)', to: 'if (false)' };
  const folder = temporaryFolder(t);
  const lines = writeLog(folder, hostile);
  rewrite(
    folder,
    lines.map((line, index) => (index === 3 ? line.replace('"a"', '"b"') : line)),
  );
  const trusting = await changed<Verify>(file, noHead, noChain, noSeal);
  assert.ok(trusting.verifyLog(placeIn(folder), run, key).ok);
  rewrite(folder, lines.slice(0, -1));
  const headless = await changed<Verify>(file, noHead);
  assert.ok(headless.verifyLog(placeIn(folder), run, key).ok);
});

test('any single change of a byte is found', (t) => {
  const folder = temporaryFolder(t);
  writeLog(folder, ['one', 'two', 'three']);
  const file = path.join(folder, 'events.jsonl');
  const whole = readFileSync(file);
  const anyPlace = fc.integer({ min: 0, max: whole.length - 1 });
  fc.assert(
    fc.property(anyPlace, fc.integer({ min: 1, max: 255 }), (index, flip) => {
      const changed = Buffer.from(whole);
      changed[index] = (whole[index] ?? 0) ^ flip;
      writeFileSync(file, changed);
      assert.equal(verifyLog(placeIn(folder), run, key).ok, false);
    }),
    { numRuns: count(5000, 300) },
  );
});

test('rewriting the whole chain, the head or the run needs the key', (t) => {
  const folder = temporaryFolder(t);
  const other = temporaryFolder(t);
  writeLog(folder, ['honest']);
  const forger = openLog({ ...placeIn(other), run, key: new Uint8Array(32).fill(9), context, clock });
  forger.append(state('forged'));
  forger.close();
  const head = readFileSync(path.join(folder, 'head.json'));
  const honest = readFileSync(path.join(folder, 'events.jsonl'));
  writeFileSync(path.join(folder, 'events.jsonl'), readFileSync(path.join(other, 'events.jsonl')));
  assert.equal(verifyLog(placeIn(folder), run, key).ok, false);
  writeFileSync(path.join(folder, 'head.json'), readFileSync(path.join(other, 'head.json')));
  assert.match(verifyLog(placeIn(folder), run, key).why ?? '', /seal/);
  rmSync(path.join(folder, 'head.json'));
  const headless = verifyLog(placeIn(folder), run, key);
  assert.deepEqual([headless.ok, headless.why], [false, 'sealed under another home: cannot be verified here']);
  writeFileSync(path.join(folder, 'events.jsonl'), honest);
  assert.match(verifyLog(placeIn(folder), run, key).why ?? '', /missing/);
  writeFileSync(path.join(folder, 'head.json'), head);
  writeLog(other, ['honest']);
  assert.equal(verifyLog(placeIn(other), '20261115T000000Z-000000', key).ok, false);
});

test('half a last line is torn, not forged, and a resumed log goes on from the last whole one', (t) => {
  const folder = temporaryFolder(t);
  const lines = writeLog(folder, ['one', 'two'], false);
  const file = path.join(folder, 'events.jsonl');
  const whole = readFileSync(file);
  writeFileSync(file, Buffer.concat([whole, Buffer.from('{"type":"sta')]));
  const { ok, torn, events, ended } = verifyLog(placeIn(folder), run, key);
  assert.deepEqual({ ok, torn, events, ended }, { ok: true, torn: true, events: lines.length, ended: false });
  const log = openLog({ ...placeIn(folder), run, key, context, clock, resume: true });
  log.append(state('three'));
  log.close();
  assert.deepEqual(
    readRecords(folder).map(({ seq }) => seq),
    [0, 1, 2],
  );
  assert.ok(verifyLog(placeIn(folder), run, key).ok);
  rewrite(folder, lines.slice(0, 1));
  assert.throws(() => openLog({ ...placeIn(folder), run, key, context, clock, resume: true }), /the files changed/);
});

test('texts are redacted before they are written', (t) => {
  const folder = temporaryFolder(t);
  const redact = (text: string) => text.replaceAll('canary', '[redacted]');
  const log = openLog({ ...placeIn(folder), run, key, context, clock, redact });
  log.append(state('the "canary"\n'));
  log.close();
  assert.doesNotMatch(readFileSync(path.join(folder, 'events.jsonl'), 'utf8'), /canary/);
  assert.ok(verifyLog(placeIn(folder), run, key).ok);
});

// Written by version 0.1.0 with this key: an ended log of three events, a killed one whose head knows two of three.
const FRAME = '"ts":"1970-01-01T00:00:00.000Z","request_id":"req-1","agent_id":"analyst","user_id":null,"tier":null';
const OLD = [
  `{"type":"state","from":"a","to":"one","seq":0,${FRAME},"prev":"242a29cc55f7e7cdc01dd579bf33eea421c2eb53fdcfeba14f71e4eda50a4314"}`,
  `{"type":"interrupt","interrupt":"i","kind":"approval","seq":1,${FRAME},"prev":"9a27d4874c093c110e284da531ac04245146b1f82ceca4571cd3eb30397eb6a4"}`,
];
const OLD_PREV = '"prev":"f9cb58e161556ce2d615e342d6169eb55dd882765d4d1b908242541ce7c6d74c"}';
const OLD_END = `{"type":"run-end","outcome":"success","run_sha256":"","seq":2,${FRAME},${OLD_PREV}`;
const OLD_LAST = `{"type":"state","from":"b","to":"two","seq":2,${FRAME},${OLD_PREV}`;
const OLD_HEADS = {
  ended:
    '{"run":"20261115T000000Z-abcdef","events":3,"hash":"cc1cbdcf27a95e3c123e7f3dd89e01eb1bf0175f0edbcc6806f1ad46448abc1a","ended":true,"seal":"21ad70a7025194093e5fb16268e43c899ee354f6012b6d212bed82fd58b82c68"}',
  killed:
    '{"run":"20261115T000000Z-abcdef","events":2,"hash":"f9cb58e161556ce2d615e342d6169eb55dd882765d4d1b908242541ce7c6d74c","ended":false,"seal":"11c38063721c4f34d3598048f9ae3f6a011ffa3c9bb08de3ad9242691f638924"}',
};

/** Its head lies in the folder named like the project: nothing else binds it. */
function oldPlace(folder: string, head: string): LogPlace {
  mkdirSync(path.join(folder, 'here'), { recursive: true });
  const file = path.join(folder, 'here', run);
  writeFileSync(file, `${head.padEnd(320)}\n`);
  return { folder, head: file, project: { path: 'here', folder: '' } };
}

test('a record of version 0.1.0 still verifies, in its own project, and goes on with sealed lines', (t) => {
  const folder = temporaryFolder(t);
  rewrite(folder, [...OLD, OLD_END]);
  const ended = oldPlace(folder, OLD_HEADS.ended);
  assert.deepEqual([verifyLog(ended, run, key).ok, verifyLog(ended, run, key).ended], [true, true]);
  assert.equal(
    verifyLog({ ...ended, project: { path: 'elsewhere', folder: '' } }, run, key).why,
    'it belongs to another project',
  );
  rewrite(folder, [...OLD, OLD_END.replace('success', 'failure')]);
  assert.equal(verifyLog(ended, run, key).ok, false);
  rewrite(folder, [...OLD, OLD_LAST]);
  const killed = oldPlace(folder, OLD_HEADS.killed);
  assert.deepEqual([verifyLog(killed, run, key).ok, verifyLog(killed, run, key).events], [true, 3]);
  const log = openLog({ ...killed, run, key, context, clock, resume: true });
  log.append(state('sealed'));
  log.close();
  assert.equal(verifyLog(killed, run, key).ok, true);
  const lines = readFileSync(path.join(folder, 'events.jsonl'), 'utf8').trimEnd().split('\n');
  rewrite(folder, lines.with(-1, (lines.at(-1) ?? '').replace('sealed', 'forged')));
  assert.equal(verifyLog(killed, run, key).why, 'its seal is not ours');
});

test('the key is made once, private, and the same for everyone afterwards', (t) => {
  const home = temporaryFolder(t);
  const first = openAuditKey(home);
  assert.deepEqual(openAuditKey(home), first);
  const file = path.join(home, '.agent', 'keys', 'audit.key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, 'short');
  assert.throws(() => openAuditKey(home));
});

const APPENDER = `
  import { openLog } from ${JSON.stringify(path.join(repository, 'src/audit/log.ts'))};
  const log = openLog({ folder: process.argv[1], head: process.argv[1] + '/head.json', project: { path: 'here', folder: '' }, run: ${JSON.stringify(run)}, key: new Uint8Array(32).fill(7),
    context: ${JSON.stringify(context)}, clock: { now: () => 0 } });
  for (let index = 0; ; index++) {
    log.append(index % 20 === 5
      ? { type: 'call-intent', call: 'c' + index, tool: 'run_script', args: { sha256: '', bytes: 0 }, network: false, writes: false }
      : { type: 'state', from: String(index), to: 'x'.repeat(index % 3 === 0 ? 300_000 : 300) });
    if (index === 0) process.stdout.write('ready');
  }
`;

async function killWhileAppending(t: TestContext, folder: string, delay: number): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', APPENDER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, delay));
  child.kill('SIGKILL');
  await ended;
}

test('killed at any point the log verifies up to the last complete event', async (t) => {
  const root = temporaryFolder(t);
  for (let round = 0; round < count(200, 10); round++) {
    const folder = path.join(root, `${round}`);
    mkdirSync(folder);
    await killWhileAppending(t, folder, Math.random() * 15);
    const result = verifyLog(placeIn(folder), run, key);
    assert.ok(result.ok, JSON.stringify(result));
    assert.ok(result.events >= 1);
    const log = openLog({ ...placeIn(folder), run, key, context, clock, resume: true });
    log.append(state('after'));
    log.close();
    assert.equal(verifyLog(placeIn(folder), run, key).events, result.events + 1);
    rmSync(folder, { recursive: true });
  }
});
