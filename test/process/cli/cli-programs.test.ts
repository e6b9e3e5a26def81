// Settings and lists that decide what is started and what is read, through the command line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const decisions = (...actions: object[]) =>
  JSON.stringify([...actions, { type: 'final_answer', content: 'done' }].map((action) => ({ action })));

const script = (name: string) => ({ type: 'run_script', skill: { name }, relative_path: 'scripts/a.sh', args: [] });
const select = (name: string) => ({ type: 'select_skills', skills: [{ name }], reason: 'asked' });
const program = (...argv: string[]) => ({ type: 'use_tool', tool: 'run_command', args: { argv } });

test('002-13 execution.programs holds on every surface, and explain says so', async (t) => {
  const { run } = makePlace(t, {
    'home/.agent/config.json': JSON.stringify({ execution: { programs: ['echo', 'python3'] } }),
    'project/.agent/skills/good/SKILL.md': skill('name: good\ndescription: G.\ncommand: echo fine'),
    'project/.agent/skills/bad/SKILL.md': skill('name: bad\ndescription: B.\ncommand: cat --version'),
    'project/.agent/skills/sh/SKILL.md': skill('name: sh\ndescription: S.\ncommand: sh scripts/a.sh'),
    'project/.agent/skills/sh/scripts/a.sh': 'echo ran\n',
    'project/case.json': decisions(select('sh'), script('sh'), program('cat', '--version'), program('echo', 'listed')),
  });
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--yes', '--json')).stdout);
  assert.equal((await json('invoke', '@good')).data.stdout, 'fine\n');
  for (const name of ['bad', 'sh']) {
    const { data } = await json('invoke', `@${name}`);
    assert.equal(data.type, 'PermissionDenied', name);
    assert.match(JSON.stringify(data), /execution\.programs does not list (?:cat|sh)/);
  }
  const { data } = await json('run', 'go', '--model', 'mock:case.json');
  const { run: summary } = (await json('runs', 'show', data.run_id)).data;
  assert.deepEqual(summary.exit_codes, [0], 'only echo was started');
  assert.match(summary.tier, /^S[0-3]$/);
  for (const [words, effect] of [
    [['run_command', 'cat', 'x'], 'deny'],
    [['run_command', 'echo', 'x'], 'ask'],
    [['run_script', 'scripts/a.sh'], 'deny'],
  ] as const)
    assert.equal((await json('explain', 'sh', ...words)).data.effect, effect, words.join(' '));
});

test('002-13 an interpreter outside the list is refused for a command, too', async (t) => {
  const { run } = makePlace(t, {
    'home/.agent/config.json': JSON.stringify({ interpreters: ['python'] }),
    'project/.agent/skills/sh/SKILL.md': skill('name: sh\ndescription: S.\ncommand: sh a.sh'),
    'project/.agent/skills/sh/a.sh': 'echo ran\n',
  });
  const { stdout } = await run('invoke', '@sh', '--yes', '--json');
  assert.equal(JSON.parse(stdout).data.type, 'PermissionDenied');
});

test('002-37 load_resource is decided like any read, on the record, and explain knows it', async (t) => {
  const load = (name: string) => ({ type: 'load_resource', skill: { name }, relative_path: 'reference/r.md' });
  const { run } = makePlace(t, {
    ...Object.fromEntries(
      ['[]', '[read_file]', '["Read(reference/*)"]'].flatMap((tools, at) => [
        [`project/.agent/skills/s${at}/SKILL.md`, skill(`name: s${at}\ndescription: S.\nallowed-tools: ${tools}`)],
        [`project/.agent/skills/s${at}/reference/r.md`, '# R\n'],
      ]),
    ),
    'project/case.json': decisions(...[0, 1, 2].flatMap((at) => [select(`s${at}`), load(`s${at}`)])),
  });
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout);
  const { data } = await json('run', 'go', '--model', 'mock:case.json');
  const shown = (await json('runs', 'show', data.run_id, '--events')).data;
  const decided = shown.events.filter(({ type }: { type: string }) => type === 'decision');
  assert.deepEqual(
    decided.map(({ tool, effect }: { tool: string; effect: string }) => [tool, effect]),
    [
      ['read_file', 'deny'],
      ['read_file', 'allow'],
      ['read_file', 'allow'],
    ],
  );
  assert.deepEqual(
    shown.run.resources.map(({ skill: id }: { skill: string }) => id),
    ['project:s1', 'project:s2'],
  );
  for (const [at, effect] of ['deny', 'allow', 'allow'].entries())
    assert.equal((await json('explain', `s${at}`, 'load_resource', 'reference/r.md')).data.effect, effect);
});

test('allowed-tools as authors write them let a skill run its own scripts, and no others', async (t) => {
  const lists = { python: 'Bash(python3:*)', uv: 'Bash(uv run:*)', folder: 'Bash(./scripts/*)', git: 'Bash(git:*)' };
  const { run } = makePlace(
    t,
    Object.fromEntries(
      Object.entries(lists).flatMap(([name, tools]) => [
        [`project/.agent/skills/${name}/SKILL.md`, skill(`name: ${name}\ndescription: S.\nallowed-tools: ${tools}`)],
        [`project/.agent/skills/${name}/scripts/a.py`, 'print("ran")\n'],
      ]),
    ),
  );
  for (const name of ['python', 'uv', 'folder']) {
    const ran = await run('exec', name, 'scripts/a.py', '--yes');
    assert.deepEqual([ran.code, ran.stdout], [0, 'ran\n'], `${name}: ${ran.stderr}`);
    const told = JSON.parse((await run('explain', name, 'run_script', 'scripts/a.py', '--json')).stdout);
    assert.equal(told.data.effect, 'ask', name);
  }
  const refused = await run('exec', 'git', 'scripts/a.py', '--yes');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /PermissionDenied/);
});
