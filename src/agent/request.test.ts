import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { readRequest, wordsAfter } from './request.ts';

const skill = (name: string, hidden = false) =>
  ({
    skillId: `project:${name}`,
    name,
    folderName: name,
    source: 'project',
    state: 'visible',
    manifest: { name, description: name, disableModelInvocation: hidden },
  }) as SkillEntry;
const index = {
  skills: [skill('notes'), skill('pdf-tools'), skill('secret-door', true)],
  invalid: [],
  roots: [],
  diagnostics: [],
} as unknown as Index;
const named = (text: string, skills: string[] = []) => readRequest(text, index, { skills }).named;

test('002-23 the request is kept as it came and tidied beside it', () => {
  const request = readRequest('  convert\n a.md   please ', index);
  assert.equal(request.text, '  convert\n a.md   please ');
  assert.equal(request.normalized, 'convert a.md please');
});

test('003-01 003-02 names are found as people write them', () => {
  for (const text of [
    '@notes a.md',
    '运行技能 notes a.md',
    '运行技能：notes',
    'run skill notes',
    'Run the skill "notes" now',
    'do it with (@notes).',
    '/notes a.md',
  ])
    assert.deepEqual(named(text), ['project:notes'], text);
  assert.deepEqual(named('@pdf-tools then @notes'), ['project:pdf-tools', 'project:notes']);
  assert.deepEqual(named('x', ['notes']), ['project:notes']);
});

test('what only looks like a name is none', () => {
  for (const text of [
    'write to ada@notes.org',
    'take notes',
    'tell @alice about it',
    'please run skill tests',
    'run skill for me',
    '/tmp/notes',
    'put it in /notes',
  ])
    assert.deepEqual(named(text), [], text);
});

test('002-57 a skill no model may choose is meant by its exact name only', () => {
  assert.deepEqual(named('use secret-door, please'), ['project:secret-door']);
  assert.deepEqual(named('use the secret door'), []);
});

test('a name at the very beginning that nobody has is an error with a suggestion', () => {
  assert.throws(() => named('@note a.md'), /note/);
  assert.throws(() => named('运行技能 note a.md'), /note/);
  assert.throws(() => named('run skill note'), /note/);
});

test('what stands behind the name is for the skill', () => {
  const request = readRequest('运行技能 notes a.md to b', index);
  assert.equal(wordsAfter(request, skill('notes')), 'a.md to b');
  assert.equal(wordsAfter(request, skill('pdf-tools')), undefined);
  assert.equal(wordsAfter(readRequest('/notes a.md', index), skill('notes')), 'a.md');
});
