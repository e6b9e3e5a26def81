import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../../test/support/support.ts';
import type { OwnerEvent } from './event.ts';
import { appendOwner } from './log.ts';
import { openParts, PART_BYTES } from './part.ts';
import { verifyOwner } from './verify.ts';

type Log = typeof import('./log.ts');

const clock = { now: () => 0 };

function edit(name: string): OwnerEvent {
  return { type: 'begin', act: name, change: { command: 'edit', files: [name] } };
}

/** Parts so small that every event begins one, and few are kept. */
async function smallParts(): Promise<Log> {
  const file = 'src/audit/owner/part.ts';
  return await changed<Log>(
    'src/audit/owner/log.ts',
    { file, from: '512 * 1024', to: '300' },
    { file, from: 'PARTS_KEPT = 64', to: 'PARTS_KEPT = 4' },
  );
}

async function manyParts(t: TestContext, events: number) {
  const place = { home: temporaryFolder(t) };
  const { appendOwner: append } = await smallParts();
  for (let at = 0; at < events; at++) append(place, clock, [edit(`${at}`)]);
  return { place, parts: openParts(place), append };
}

test('a full part is followed by another; the oldest go, and what is left still verifies', async (t) => {
  const { place, parts } = await manyParts(t, 7);
  const { ok, records, breaks } = verifyOwner(place);
  assert.deepEqual([ok, breaks, parts.list().length], [true, [], 4]);
  const acts = records.flatMap((record) => (record.type === 'begin' ? [record.act] : []));
  assert.equal(acts.at(-1), '6');
  assert.ok(acts.length < 7);
});

test('a part that is gone is missed: in the middle, at the end, and with all before it', async (t) => {
  for (const which of [1, -1, 0]) {
    const { place, parts } = await manyParts(t, 7);
    const gone = parts.list().at(which) ?? 0;
    rmSync(parts.placeOf(gone).folder, { recursive: true });
    rmSync(parts.placeOf(gone).head);
    const { ok, breaks } = verifyOwner(place);
    assert.deepEqual([ok, breaks.length > 0], [false, true], `${which}`);
  }
});

test('a log of another project, or a part in the place of another, is not taken for its own', async (t) => {
  const home = temporaryFolder(t);
  const [one, other] = ['one', 'other'].map((name) => ({ home, project: path.join(home, name) }));
  assert.ok(one && other);
  for (const place of [one, other]) appendOwner(place, clock, [edit('x')]);
  const [from, to] = [openParts(one).placeOf(1), openParts(other).placeOf(1)];
  const { cpSync } = await import('node:fs');
  cpSync(from.folder, to.folder, { recursive: true });
  cpSync(from.head, to.head);
  assert.equal(verifyOwner(one).ok, true);
  assert.equal(verifyOwner(other).ok, false);
});

test('a text is cut, a password before a host is taken out, and the files are private', (t) => {
  const place = { home: temporaryFolder(t) };
  const source = 'https://me:hunter2@example.org/skills.git';
  const skills = [{ skill: 'x'.repeat(5_000), source, before: null, after: null }];
  const change = { command: 'install', scope: 'user', skills } as const;
  appendOwner(place, clock, [{ type: 'begin', act: 'a', change }]);
  const record = verifyOwner(place).records.find(({ type }) => type === 'begin');
  assert.ok(record?.type === 'begin' && 'skills' in record.change);
  const [skill] = record.change.skills;
  assert.deepEqual([skill?.skill.length, skill?.source], [500, 'https://[redacted]@example.org/skills.git']);
  const { folder, lock } = openParts(place);
  for (const file of [path.join(folder, '1', 'events.jsonl'), lock, path.join(path.dirname(lock), '1')])
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
});

test('a part stays near its limit, whatever a command changes', (t) => {
  const place = { home: temporaryFolder(t) };
  const long = 'y'.repeat(500);
  const skills = Array.from({ length: 50 }, () => ({ skill: long, source: long, before: long, after: long }));
  const event: OwnerEvent = { type: 'begin', act: 'a', change: { command: 'install', scope: 'user', skills } };
  for (let at = 0; at < 8; at++) appendOwner(place, clock, [event]);
  const { folder } = openParts(place);
  const sizes = readdirSync(folder).map((part) => statSync(path.join(folder, part, 'events.jsonl')).size);
  assert.ok(sizes.length > 1 && sizes.every((size) => size < PART_BYTES + 128 * 1024), String(sizes));
  assert.equal(verifyOwner(place).ok, true);
});
