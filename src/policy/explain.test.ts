import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesAt } from '../../test/support/world/places.ts';
import { decide } from './decide.ts';
import { callFromWords, effectWith, explainLines } from './explain.ts';
import type { Policy } from './policy.ts';

const policy: Policy = {
  settings: { default: 'ask' },
  skills: [{ name: 'demo', allowedTools: [{ tool: 'Bash', pattern: 'git:*' }] }],
  tier: 'S3',
  places: placesAt('/p', '/h'),
};

test('002-08 explain names the deciding rule of each layer', () => {
  const lines = explainLines(decide(callFromWords('Bash', ['git', 'status']), policy), 'en');
  assert.deepEqual(lines, [
    'ask (risk high)',
    '  user settings  ask     execution.require_approval_for: run_command',
    '  skill          allow   demo: allowed-tools lists Bash(git:*)',
    '  sandbox        allow   S3',
    'A person is asked, or a grant answers.',
  ]);
});

test('explain says why a pattern does not cover a command, in both languages, without raw control characters', () => {
  const decision = decide(callFromWords('Bash', ['git', '-c', 'x=\u001b[2J', 'log']), policy);
  assert.match(explainLines(decision, 'en').join('\n'), /deny .*Bash\(git:\*\): word 3 has hidden characters/s);
  assert.match(explainLines(decision, 'zh').join('\n'), /^拒绝/);
  const unknown = decide(callFromWords('la\u001bunch', []), policy);
  assert.doesNotMatch(explainLines(unknown, 'en').join(''), new RegExp(String.fromCharCode(0x1b)));
});

test('words become the arguments the tool takes', () => {
  assert.deepEqual(callFromWords('read_file', ['a']), { tool: 'read_file', paths: { path: 'a' } });
  assert.deepEqual(callFromWords('network', ['https://x']), { tool: 'network', url: 'https://x' });
  assert.deepEqual(callFromWords('run_script', ['s.py', '-v']), { tool: 'run_script', script: 's.py', argv: ['-v'] });
  assert.deepEqual(callFromWords('write_file', []), { tool: 'write_file' });
});

test('at tier S0 the advice is a grant', () => {
  const decision = decide({ tool: 'run_command', argv: ['git', 'status'] }, { ...policy, tier: 'S0' });
  assert.match(explainLines(decision, 'en').at(-1) ?? '', /names S0/);
});

test('every rule has Chinese words, and the names in it stay', () => {
  const rules = ['read_file', 'write_file', 'Bash', 'nothing-known'].flatMap((tool) => {
    const lines = explainLines(decide(callFromWords(tool, ['x']), { ...policy, tier: 'S0' }), 'zh');
    return lines.slice(1);
  });
  assert.match(rules.join('\n'), /允许读取[\s\S]*demo: allowed-tools 不包括 write_file[\s\S]*未知工具: nothing-known/);
  assert.doesNotMatch(rules.join('\n'), /is allowed|does not cover|needs a grant/);
});

test('a grant answers what policy asks, never what it denies', () => {
  const asked = decide(callFromWords('Bash', ['git', 'status']), policy);
  const denied = decide(callFromWords('write_file', ['a']), policy);
  const around = { grant: 'g1 (git status)', isDefault: true };
  assert.deepEqual(
    [effectWith(asked, around), effectWith(denied, around), effectWith(asked, {})],
    ['allow', 'deny', 'ask'],
  );
  const lines = explainLines(asked, 'en', around);
  assert.deepEqual([lines[0], lines.at(-1)], ['allow (risk high)', 'A grant answers: g1 (git status).']);
  assert.match(lines[1] ?? '', /^ {2}default settings/);
});
