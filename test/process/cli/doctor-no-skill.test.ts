// doctor names what lies where skills and roles belong and is none, and says why.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, skillText } from '../../support/place.ts';

const TEXT = skillText('name: x\ndescription: d');

test('doctor names each file and folder that is no skill, and a role without its file', async (t) => {
  const { cwd, run } = makePlace(t, {
    'project/.agent/skills/single.md': TEXT,
    'project/.agent/skills/SKILL.md': TEXT,
    'project/.agent/skills/README.md': 'About these skills.',
    'project/.agent/skills/onefile/SKILL.txt': TEXT,
    'project/.agent/skills/g/h/deep/SKILL.md': TEXT,
    'project/.agent/skills/good/SKILL.md': skillText('name: good\ndescription: d'),
    'project/.agent/skills/org/inside/SKILL.md': skillText('name: inside\ndescription: d'),
    'project/agents/noyaml/notes.md': 'x',
  });
  mkdirSync(path.join(cwd, '.agent/skills/empty'));
  const { data } = JSON.parse((await run('doctor', '--json')).stdout);
  const said = data.diagnostics.map(({ code, path: file }: { code: string; path: string }) => [
    code,
    path.relative(cwd, file),
  ]);
  for (const wanted of [
    ['skill-without-folder', '.agent/skills/SKILL.md'],
    ['skill-without-folder', '.agent/skills/single.md'],
    ['skill-file-name', '.agent/skills/onefile/SKILL.txt'],
    ['skill-too-deep', '.agent/skills/g/h/deep/SKILL.md'],
    ['folder-empty', '.agent/skills/empty'],
    ['role-without-file', 'agents/noyaml'],
  ])
    assert.ok(
      said.some((one: string[]) => one.join() === wanted.join()),
      `${wanted.join(' ')} in ${JSON.stringify(said)}`,
    );
  assert.doesNotMatch(JSON.stringify(said), /good|inside|README/);
  const human = await run('doctor');
  for (const name of ['single.md', 'SKILL.txt', 'deep/SKILL.md', 'empty', 'noyaml'])
    assert.ok((human.stdout + human.stderr).includes(name), name);
});
