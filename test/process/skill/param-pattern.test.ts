// `pattern` of a declared parameter, through the command line: values that do not match, and patterns of no use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const NESTED = '^(a+)+$';
const ECHO = 'import json, sys\njson.load(sys.stdin)\nprint(json.dumps({"success": True, "data": {}}))\n';

test('a value that its pattern does not match is refused by name, and no pattern can hang a call', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/tag/SKILL.md': skill(
      `name: tag\ndescription: T.\ncommand: "echo {tag} {word}"\nparams:\n  tag: {required: true, pattern: '^v\\d+$'}\n  word: {default: a, pattern: '${NESTED}'}`,
    ),
    'project/.agent/skills/act/SKILL.md': skill(
      "name: act\ndescription: A.\nentry: main.py\nactions:\n  go:\n    params:\n      tag: {pattern: '^v[0-9]+$'}\n  stop: {description: Ends it.}",
    ),
    'project/.agent/skills/act/main.py': ECHO,
  });
  const [fits, other, nested, lines, list, shown] = await Promise.all([
    run('invoke', '@tag', 'v12', '--yes', '--json'),
    run('invoke', '@tag', 'version 12', '--yes', '--lang', 'zh'),
    run('invoke', '@tag', 'v1', `word=${'a'.repeat(5000)}!`, '--yes', '--json'),
    run('call', 'act', 'go', 'tag=v1\nrm', '--yes', '--json'),
    run('call', 'act', 'go', '--params', '{"tag": ["v1"]}', '--yes', '--json'),
    run('inspect', 'act'),
  ]);
  assert.equal(JSON.parse(fits.stdout).data.stdout, 'v12 a\n', fits.stdout);
  assert.deepEqual([other.code, /tag 须匹配 \^v\\d\+\$: version 12/.test(other.stderr)], [1, true], other.stderr);
  assert.match(JSON.parse(nested.stdout).summary, /word must match \^\(a\+\)\+\$: aaa/);
  // The ends of the whole value, not of a line in it.
  for (const { stdout } of [lines, list]) {
    const { data, summary } = JSON.parse(stdout);
    assert.deepEqual([data.type, /tag must match/.test(summary)], ['INVALID_PARAM', true], stdout);
  }
  // Each action and each parameter has a line of its own.
  assert.match(shown.stdout, /^ *actions +go\n +tag \(string, pattern \^v\[0-9\]\+\$\)\n +stop: Ends it\.$/m);
});

test('a pattern that is no expression, or none of linear time, is a finding of validate and of roles lint', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/bad/SKILL.md': skill(
      "name: bad\ndescription: B.\ncommand: echo {one} {two} {three}\nparams:\n  one: {pattern: '['}\n  two: {pattern: '(?=a)b'}\n  three: {pattern: 'a|b'}\n  four: {type: integer, pattern: a}",
    ),
    'project/agents/clerk/agent.yaml':
      "skills:\n  - name: file_it\n    actions:\n      go:\n        params:\n          key: {pattern: '(a)\\1'}\n",
    'project/agents/clerk/.claude/skills/file_it.py': ECHO,
  });
  const [validated, linted, called] = await Promise.all([
    run('validate', '.agent/skills/bad', '--json'),
    run('roles', 'lint', '--lang', 'zh'),
    run('call', 'clerk/file_it', 'go', 'key=aa', '--yes', '--json'),
  ]);
  const { diagnostics } = JSON.parse(validated.stdout).data.results[0];
  const found = diagnostics.map(({ code, message }: { code: string; message: string }) => `${code} ${message}`);
  assert.equal(validated.code, 1);
  assert.deepEqual(
    found.filter((one: string) => one.startsWith('param-pattern')),
    ['param-pattern pattern of one cannot be used: [', 'param-pattern pattern of two cannot be used: (?=a)b'],
  );
  assert.ok(
    found.some((one: string) => /pattern says nothing about the integer four/.test(one)),
    validated.stdout,
  );
  assert.match(linted.stdout, /key 的 pattern 无法使用: \(a\)\\1/);
  assert.match(JSON.parse(called.stdout).summary, /key has a pattern that cannot be used/);
});
