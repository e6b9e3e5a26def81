// What the package exports, name by name with its type: a change of it is seen, and belongs into the CHANGELOG.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { typesBehind } from '../../../scripts/api/behind.ts';
import { readEntries } from '../../../scripts/api/entry.ts';
import { declaredOn, examplesOf, readExported } from '../../../scripts/api/exported.ts';
import { repository } from '../../support/support.ts';

const SNAPSHOT = path.join(repository, 'test/fixtures/library/api.txt');
const UPDATE = 'node test/process/library/api.test.ts --update --note "words of CHANGELOG.md about it"';
/** Skills bring it along as it stands, so it is short; its examples are those of docs/protocol.md. */
const KIT = 'src/protocol/sdk/define-skill.ts';

const ENTRIES = readEntries(repository).map((entry) => ({ ...entry, exported: readExported(repository, entry.file) }));
const EXPORTED = ENTRIES.flatMap(({ exported }) => exported);

test(`names and types are those of the snapshot, and CHANGELOG.md tells of them; the new ones are taken by ${UPDATE}`, () => {
  const now = describeAll();
  if (process.argv.includes('--update')) update(now);
  const [head = '', ...kept] = readFileSync(SNAPSHOT, 'utf8').split('\n');
  const fresh = now.split('\n');
  const other = [...kept.filter((one) => !fresh.includes(one)), ...fresh.filter((one) => !kept.includes(one))];
  assert.deepEqual(other, [], `the public API is another one; say so in CHANGELOG.md, then ${UPDATE}`);
  const [, hash = '', note = ''] = /^# (\w+) as noted: (.+)$/.exec(head) ?? [];
  assert.equal(hash, hashOf(now), `the snapshot was changed by hand: ${UPDATE}`);
  assert.ok(isNoted(note), `CHANGELOG.md does not say: ${note}`);
});

test('every export says what it is for, and what is called or constructed shows how', () => {
  assert.ok(EXPORTED.length > 100);
  const silent = EXPORTED.filter(({ said }) => said.length < 10).map(({ name }) => name);
  const unshown = EXPORTED.filter((one) => one.kind !== 'type' && one.file !== KIT && examplesOf(one).length === 0);
  assert.deepEqual([silent, unshown.map(({ name }) => name)], [[], []]);
});

test('no name of the library is written with an underscore', () => {
  const ofLibrary = EXPORTED.filter(({ file }) => file.startsWith('src/app/library/'));
  const odd = ofLibrary.flatMap((one) =>
    [...declaredOn(one).matchAll(/(?<=[{,;(] ?(?:readonly )?)([a-z]+_[a-z_]+)\??:/g)].map(
      ([, word]) => `${one.name}.${word}`,
    ),
  );
  assert.deepEqual(odd, []);
});

function describeAll(): string {
  const entries = ENTRIES.map(({ module, exported }) => [`## ${module}`, ...lines(exported, declaredOn)].join('\n'));
  const behind = typesBehind(repository, EXPORTED).map((one) => ({ ...one, kind: 'type' as const }));
  return `${[...entries, ['## behind them', ...lines(behind, declaredOn)].join('\n')].join('\n\n')}\n`;
}

function lines<One extends { readonly name: string }>(those: readonly One[], line: (one: One) => string): string[] {
  return those.map((one) => `${one.name}: ${line(one)}`).sort();
}

function update(now: string): void {
  const note = process.argv[process.argv.indexOf('--note') + 1] ?? '';
  assert.ok(process.argv.includes('--note') && isNoted(note), `say in CHANGELOG.md what is new, then ${UPDATE}`);
  writeFileSync(SNAPSHOT, `# ${hashOf(now)} as noted: ${note}\n${now}`);
}

function isNoted(note: string): boolean {
  return note.trim().length >= 10 && readFileSync(path.join(repository, 'CHANGELOG.md'), 'utf8').includes(note);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
