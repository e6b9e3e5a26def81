// Settings and lists that decide what is started and what is read, through the command line.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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

test('002-13 a file that awk is to run needs awk in the list, as a script does; a program among the words does not', async (t) => {
  const { run, home } = makePlace(t, {
    'project/.agent/skills/file/SKILL.md': skill('name: file\ndescription: F.\ncommand: awk -F , -f {input}'),
    'project/.agent/skills/joined/SKILL.md': skill('name: joined\ndescription: J.\ncommand: gawk --file={input}'),
    'project/.agent/skills/words/SKILL.md': skill(
      `name: words\ndescription: W.\ncommand: awk -F , 'BEGIN {print "words -f"}' -f`,
    ),
    'project/p.awk': 'BEGIN {print "file"}\n',
  });
  const invoke = async (...words: string[]) => JSON.parse((await run('invoke', ...words, '--yes', '--json')).stdout);
  for (const name of ['@file', '@joined']) {
    const { data, summary } = await invoke(name, 'p.awk', '--lang', 'zh');
    assert.deepEqual([data.type, /解释器 "g?awk" 不在允许列表中/.test(summary)], ['PermissionDenied', true], summary);
  }
  assert.equal((await invoke('@words')).data.stdout, 'words -f\n');
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent/config.json'), JSON.stringify({ interpreters: ['awk'] }));
  assert.equal((await invoke('@file', 'p.awk')).data.stdout, 'file\n');
});

test('an entry of allowed-tools that never matches a command is a finding of validate; one that does is none', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/ops/SKILL.md': skill(
      'name: ops\ndescription: O.\nallowed-tools: Read, Bash(kubectl:*), Bash(docker ps *), Bash(git:*), Bash(kubectl get pods), Bash(awk:*), Bash(python3:*)',
    ),
  });
  const [{ code, stdout }, zh] = await Promise.all([
    run('validate', 'ops', '--json'),
    run('validate', 'ops', '--lang', 'zh'),
  ]);
  const { diagnostics } = JSON.parse(stdout).data.results[0];
  assert.deepEqual(
    diagnostics.map(({ code, severity, message }: Record<string, string>) => `${code} ${severity} ${message}`),
    ['Bash(kubectl:*) kubectl', 'Bash(docker ps *) docker'].map((one) => {
      const [, entry, program] = one.match(/^(.*\)) (\w+)$/) ?? [];
      return `command-pattern warning ${entry} allows nothing: what follows ${program} may start another program.`;
    }),
  );
  assert.equal(code, 0);
  assert.match(zh.stdout.replace(/\s+/g, ' '), /Bash\(kubectl:\*\) 不允许任何命令[^→]*→ 请逐词写出每条命令/);
  // The policy says the same.
  const asked = ['explain', 'ops', 'run_command'];
  const effects = ['kubectl get nodes', 'kubectl get pods', 'docker ps x', 'git status'].map(async (words) => {
    const { stdout } = await run(...asked, ...words.split(' '), '--json');
    return JSON.parse(stdout).data.effect;
  });
  assert.deepEqual(await Promise.all(effects), ['deny', 'ask', 'deny', 'ask']);
});

test('explain finds the grant for an action whose parameters are no texts, as call does', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/act/SKILL.md': skill(
      'name: act\ndescription: A.\nentry: scripts/m.py\nactions:\n  go: {params: {days: {type: integer, required: true}, deep: {type: boolean}}}',
    ),
    'project/.agent/skills/act/scripts/m.py':
      'import json, sys\njson.load(sys.stdin)\nprint(json.dumps({"success": True, "data": {}}))\n',
  });
  assert.equal((await run('grants', 'add', 'act', '--action', 'go')).code, 0);
  const params = ['days=3', 'deep=true'];
  const called = await run('call', 'act', 'go', ...params);
  assert.equal(called.code, 0, called.stdout);
  const explained = await run('explain', 'act', 'run_script', 'scripts/m.py', 'go', ...params);
  assert.match(explained.stdout, /act run_script: allow[\s\S]*A grant answers: [0-9a-f]+ \(action go\)/);
  const wrong = await run('explain', 'act', 'run_script', 'scripts/m.py', 'go', 'days=x');
  assert.deepEqual([wrong.code, /days is no integer: x/.test(wrong.stderr)], [1, true], wrong.stderr);
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
