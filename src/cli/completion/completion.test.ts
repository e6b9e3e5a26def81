import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS } from '../commands.ts';
import type { CommandEntry } from '../frame/command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { buildVocabulary } from './words.ts';
import { zshScript } from './zsh.ts';

const nested: CommandEntry = {
  name: 'sample add',
  group: 'project',
  summary: { en: "Add: a person's grant", zh: '' },
  load: async () => ({
    command: {
      positionals: [],
      options: [{ name: 'expires', value: 'DAYS', summary: { en: '', zh: '' } }],
      examples: ['x'],
      run: () => Promise.reject(),
    },
  }),
};

test('bash completes commands, subcommands, options, choices and skills', async () => {
  const script = bashScript(await buildVocabulary([...COMMANDS, nested]));
  const complete = (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const ask = `skillwright() { if [[ $2 == --actions ]]; then echo "$3-go"; else echo 'pdf-tools'; fi; }\n${script}\nCOMP_WORDS=(skillwright ${quoted}); COMP_CWORD=${words.length}; _skillwright; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.trim().split('\n');
  };
  assert.deepEqual(complete('in'), ['inspect', 'invoke', 'install', 'init', 'interrupts']);
  assert.deepEqual(complete('gr'), ['grants']);
  assert.deepEqual(complete('sample', 'add', '--ex'), ['--expires']);
  assert.deepEqual(complete('list', '--so'), ['--source']);
  assert.deepEqual(complete('--format', 'json', 'list', '--source', 'u'), ['user']);
  assert.deepEqual(complete('inspect', 'pd'), ['pdf-tools']);
  assert.deepEqual(complete('completion', 'z'), ['zsh']);
  assert.deepEqual(complete('new', 'x', '--lang', 'pyt'), ['python']);
  assert.deepEqual(complete('runs', ''), [
    'list',
    'show',
    'verify',
    'replay',
    'changes',
    'apply',
    'discard',
    'undo',
    'prune',
  ]);
  assert.deepEqual(complete('grants', 're'), ['revoke']);
  assert.deepEqual(complete('invoke', '@pd'), ['@pdf-tools']);
  assert.deepEqual(complete('call', 'pdf-tools', ''), ['pdf-tools-go']);
  // Bash parts a word at the sign.
  assert.deepEqual(complete('call', '@', 'pdf-tools', 'pdf'), ['pdf-tools-go']);
  assert.deepEqual(complete('--l'), ['--lang']);
});

test('every script names every command and every option', async () => {
  const vocabulary = await buildVocabulary([...COMMANDS, nested]);
  for (const script of [bashScript(vocabulary), zshScript(vocabulary), fishScript(vocabulary)]) {
    for (const { name, options } of vocabulary.commands) {
      for (const word of name.split(' ')) assert.ok(script.includes(word), word);
      for (const { flags } of options) assert.ok(script.includes((flags[0] ?? '').slice(2)), flags[0]);
    }
  }
});

test('explanations cannot end the quotes they stand in', async () => {
  const vocabulary = await buildVocabulary([nested]);
  assert.match(zshScript(vocabulary), /'sample:Add - a person'\\''s grant'/);
  assert.match(fishScript(vocabulary), /-d 'Add: a person\\'s grant'/);
});
