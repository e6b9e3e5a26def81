// Parameters of a command skill as its author declares them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const PARAMS = `params:
  - {name: input_file, required: true}
  - {name: format, required: false, default: html}
  - {name: quality, required: false}`;

test('003-18 003-27 required: false is obeyed: the placeholder goes, and the option word before it', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/bare/SKILL.md': skill(
      `name: bare\ndescription: Bare.\ncommand: "echo {input_file} {format} {quality}"\n${PARAMS}`,
    ),
    'project/.agent/skills/opt/SKILL.md': skill(
      `name: opt\ndescription: Opt.\ncommand: "echo --quality {quality} -q={quality} x{quality}y{input_file}"\n${PARAMS}`,
    ),
  });
  const stdout = async (...words: string[]) =>
    JSON.parse((await run('invoke', ...words, '--yes', '--json')).stdout).data.stdout;
  assert.equal(await stdout('@bare', 'a.md'), 'a.md html\n');
  assert.equal(await stdout('@bare', 'a.md', 'quality=9'), 'a.md html 9\n');
  assert.equal(await stdout('@opt', 'a.md'), 'xya.md\n');
  assert.equal(await stdout('@opt', 'a.md', 'quality=9'), '--quality 9 -q=9 x9ya.md\n');
  const pending = JSON.parse((await run('invoke', '@bare', '--json')).stdout);
  assert.equal(pending.state, 'pending');
  assert.deepEqual(
    [pending.data.required, pending.data.optional, pending.data.missing],
    [['input_file'], ['format', 'quality'], ['input_file']],
  );
});

test('002-58 user-invocable: yes is true, as YAML 1.1 has it, and off is false', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/shown/SKILL.md': skill('name: shown\ndescription: Shown.\nuser-invocable: yes'),
    'project/.agent/skills/hidden/SKILL.md': skill('name: hidden\ndescription: Hidden.\nuser-invocable: off'),
  });
  const { skills } = JSON.parse((await run('list', '--source', 'project', '--json')).stdout).data;
  assert.deepEqual(
    skills.map(({ name }: { name: string }) => name),
    ['shown'],
  );
});

test('003-51 a script that writes beside its input: what it wrote waits, and a yes puts it there', async (t) => {
  const { run, cwd } = makePlace(t, {
    'project/.agent/skills/conv/SKILL.md': skill('name: conv\ndescription: C.\ncommand: sh conv.sh'),
    'project/.agent/skills/conv/conv.sh': 'echo x > output.html\n',
  });
  const output = path.join(cwd, 'output.html');
  const waiting = await run('invoke', '@conv', '--yes', '--apply', 'never', '--json');
  assert.deepEqual([waiting.code, existsSync(output)], [0, false]);
  assert.deepEqual(JSON.parse(waiting.stdout).data.changes.waiting[0].path, 'output.html');
  const applied = await run('invoke', '@conv', '--yes');
  assert.equal(applied.code, 0, applied.stdout + applied.stderr);
  assert.equal(readFileSync(output, 'utf8'), 'x\n');
});

test('003-25 003-33 an exception of a script is told by its last line, the whole of it stands in the details', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/py/SKILL.md': skill('name: py\ndescription: P.\ncommand: python3 a.py'),
    'project/.agent/skills/py/a.py': 'def f():\n    raise ValueError("no such sheet")\nf()\n',
  });
  const [human, compact, json] = await Promise.all([
    run('invoke', '@py', '--yes'),
    run('invoke', '@py', '--yes', '--format', 'compact', '--lang', 'zh'),
    run('invoke', '@py', '--yes', '--json'),
  ]);
  assert.match(human.stdout + human.stderr, /^❌ RuntimeFailed: .*ValueError: no such sheet\n {2}hint: [^\n]+\n$/);
  assert.match(compact.stdout, /^❌ skills RuntimeFailed: 执行失败: ValueError: no such sheet\n/);
  assert.match(JSON.parse(json.stdout).data.details.stderr, /^Traceback[\s\S]+line 2, in f/);
});
