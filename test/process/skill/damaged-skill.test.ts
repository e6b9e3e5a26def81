// A skill that cannot be used, as a person meets it: named with its file, and never answered for by another of its name.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const SHADOWED = {
  'project/.agent/skills/deploy/SKILL.md': skill('name: deploy\ncommand: echo PROJECT'),
  'home/.agent/skills/deploy/SKILL.md': skill('name: deploy\ndescription: The old one.\ncommand: echo USER'),
  'project/.claude/skills/md-tools-v1/SKILL.md': skill('name: markdown-converter\ncommand: echo MINE {file}'),
};

test('003-31 002-46 a damaged skill is named with its file, and no lower one of its name runs instead', async (t) => {
  const { cwd, run } = makePlace(t, SHADOWED);
  const [byFolder, byName, asked, below, list, inspected] = await Promise.all([
    run('invoke', '@deploy', '--yes', '--json'),
    run('invoke', '@markdown-converter', 'README.md', '--yes', '--lang', 'zh'),
    run('run', '@deploy', '--json'),
    run('invoke', '@user:deploy', '--yes', '--json'),
    run('list', '--json'),
    run('inspect', 'deploy', '--source', 'user', '--json'),
  ]);
  const broken = JSON.parse(byFolder.stdout);
  assert.deepEqual([byFolder.code, broken.data.type], [1, 'MetadataMissing']);
  assert.ok(broken.summary.includes(path.join(cwd, '.agent/skills/deploy/SKILL.md')), broken.summary);
  assert.equal(byName.code, 1);
  assert.match(byName.stderr, /MetadataMissing: SKILL\.md 损坏或缺失: .*md-tools-v1\/SKILL\.md:2: 请添加/);
  assert.equal(JSON.parse(asked.stdout).data.type, 'MetadataMissing');
  assert.equal(JSON.parse(below.stdout).data.stdout, 'USER\n');
  const { skills, diagnostics } = JSON.parse(list.stdout).data;
  assert.ok(!skills.some(({ name }: { name: string }) => name === 'deploy'));
  const said = diagnostics.filter(({ code }: { code: string }) => code === 'shadowed-by-damaged');
  assert.match(said.map(({ message }: { message: string }) => message).join('\n'), /user:deploy still names this one/);
  const shown = JSON.parse(inspected.stdout).data;
  assert.deepEqual([shown.skill.state, shown.diagnostics[0].code], ['shadowed', 'shadowed-by-damaged']);
});

test('003-31 a damaged skill answers to its own name, and a folder without SKILL.md alike everywhere', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/my-folder/SKILL.md': skill('name: my-conv\ncommand: echo {file}'),
    'project/.agent/skills/emptyone/notes.txt': '',
  });
  for (const words of [
    ['invoke', '@my-conv'],
    ['invoke', '@my-folder'],
    ['invoke', '@emptyone'],
    ['run', '@emptyone'],
    ['run', 'please use @my-conv for it'],
  ]) {
    const { code, stdout } = await run(...words, '--json');
    assert.deepEqual([code, JSON.parse(stdout).data.type], [1, 'MetadataMissing'], words.join(' '));
  }
});

test('002-47 002-87 a source that lacks the skill says who has it, and calls no healthy file missing', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/tidy/SKILL.md': skill('name: tidy\ndescription: Tidies.\ncommand: echo tidy'),
  });
  for (const [words, other] of [
    [['uninstall', 'tidy', '--source', 'user'], 'project:tidy'],
    [['inspect', 'user:tidy'], 'project:tidy'],
    [['inspect', 'markdown-converter', '--source', 'project'], 'builtin:markdown-converter'],
  ] as const) {
    const { code, stdout } = await run(...words, '--json');
    const { data } = JSON.parse(stdout);
    assert.deepEqual([code, data.type, data.details.suggestions], [1, 'SkillNotFound', [other]], words.join(' '));
  }
});

test('003-02 运行技能 X is @X, for a name nobody has too', async (t) => {
  const { run } = makePlace(t, {});
  for (const request of ['@nope', '运行技能 nope', '运行技能：nope x.md', 'run skill nope']) {
    const { code, stdout } = await run('run', request, '--json');
    assert.deepEqual([code, JSON.parse(stdout).data.type], [1, 'SkillNotFound'], request);
  }
  const { code, stdout } = await run('run', '运行技能来转换文件', '--json');
  assert.deepEqual([code, JSON.parse(stdout).state], [3, 'pending']);
});
