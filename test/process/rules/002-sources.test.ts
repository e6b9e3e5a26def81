// Seed 002, goals and configuration: from which roots skills come, who gives way to whom, and what YAML is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace, type Place, skillText as skill } from '../../support/place.ts';

interface Listed {
  readonly name: string;
  readonly source: string;
  readonly state: string;
  readonly shadowed_by?: string;
}

async function list(place: Place, ...options: string[]) {
  const { stdout, stderr } = await place.run('list', ...options, '--json');
  assert.notEqual(stdout, '', stderr);
  const { skills, diagnostics } = JSON.parse(stdout).data as {
    skills: Listed[];
    diagnostics: { code: string; path: string; line?: number }[];
  };
  return { skills, diagnostics };
}

test('002-06 002-46 the same name in three roots: project before user before builtin, and the others say who shadows them', async (t) => {
  const own = (words: string) => skill(`name: markdown-converter\ndescription: ${words}`);
  const ofUser = { 'home/.agent/skills/markdown-converter/SKILL.md': own('Of the user.') };
  const ofProject = { 'project/.agent/skills/markdown-converter/SKILL.md': own('Of the project.') };
  const place = makePlace(t, { ...ofUser, ...ofProject });
  const [three, two, meant] = await Promise.all([
    list(place, '--all'),
    list(makePlace(t, ofUser), '--all'),
    place.run('inspect', 'markdown-converter', '--json'),
  ]);
  const ranks = ({ skills }: { readonly skills: readonly Listed[] }) =>
    skills.flatMap(({ name, source, state, shadowed_by }) =>
      name === 'markdown-converter' ? [[source, state, shadowed_by]] : [],
    );
  assert.deepEqual(ranks(three), [
    ['project', 'visible', undefined],
    ['user', 'shadowed', 'project:markdown-converter'],
    ['builtin', 'shadowed', 'project:markdown-converter'],
  ]);
  assert.deepEqual(ranks(two), [
    ['user', 'visible', undefined],
    ['builtin', 'shadowed', 'user:markdown-converter'],
  ]);
  assert.equal(JSON.parse(meant.stdout).data.skill.description, 'Of the project.');
});

test('002-49 skill_roots names the roots, both of the seed or one alone; beside them only the built-in one is read', async (t) => {
  const files = {
    'project/.agent/skills/mine/SKILL.md': skill('name: mine\ndescription: x'),
    'project/.claude/skills/aside/SKILL.md': skill('name: aside\ndescription: x'),
    'home/.agent/skills/yours/SKILL.md': skill('name: yours\ndescription: x'),
    'home/.agent/config.json': JSON.stringify({ skill_roots: ['.agent/skills', '~/.agent/skills'] }),
  };
  const narrowed = { 'project/.agent/config.json': JSON.stringify({ skill_roots: ['.agent/skills'] }) };
  const [both, one] = await Promise.all([
    list(makePlace(t, files), '--all'),
    list(makePlace(t, { ...files, ...narrowed }), '--all'),
  ]);
  const ours = ({ skills }: { readonly skills: readonly Listed[] }) =>
    skills.filter(({ source }) => source !== 'builtin').map(({ source, name }) => `${source}:${name}`);
  assert.deepEqual(ours(both), ['project:mine', 'user:yours']);
  assert.deepEqual(ours(one), ['project:mine']);
  assert.ok(one.skills.some(({ source }) => source === 'builtin'));
});

test('002-15 decided differently: full YAML without anchors, aliases and merge keys, at most eight levels deep', async (t) => {
  const nested = (levels: number) => `metadata: ${'{a: '.repeat(levels)}x${'}'.repeat(levels)}`;
  const fields = {
    anchor: 'x: &x y\nz: *x',
    merge: 'x: {y: 1}\n<<: {z: 2}',
    deep: nested(9),
    nested: nested(6),
  };
  const files = Object.entries(fields).map(([name, more]) => [
    `project/.agent/skills/${name}/SKILL.md`,
    skill(`name: ${name}\ndescription: x\n${more}`),
  ]);
  const { skills, diagnostics } = await list(makePlace(t, Object.fromEntries(files)), '--source', 'project');
  assert.deepEqual(
    skills.map(({ name }) => name),
    ['nested'],
  );
  const found = diagnostics.map(({ code, path, line }) => [path.split('/').at(-2), [code, line]]);
  const { anchor, merge, deep } = Object.fromEntries(found);
  assert.deepEqual([anchor, merge?.[0], deep], [['yaml-alias', 4], 'yaml-alias', ['yaml-depth', 4]]);
});
