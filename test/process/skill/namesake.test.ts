// Several skills of one root with one name: whoever says it means the folder of that name, on every surface.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const named = (folder: string) =>
  skill(`name: report\ndescription: Echoes. Use to echo.\ncommand: echo FROM-${folder}`);
const OTHERS = {
  'project/.agent/skills/aa/SKILL.md': named('aa'),
  'project/.agent/skills/org/report/SKILL.md': named('org'),
};

test('003-07 the folder of the name is meant, not the first that bears it', async (t) => {
  const { run } = makePlace(t, { ...OTHERS, 'project/.agent/skills/report/SKILL.md': named('report') });
  for (const [said, folder] of [
    ['@report', 'report'],
    ['@project:report', 'report'],
    ['@aa', 'aa'],
    ['@org/report', 'org'],
  ] as const)
    assert.match((await run('invoke', said, '--yes')).stdout, new RegExp(`FROM-${folder}`), said);
  const listed = await run('list', '--json');
  const folders = JSON.parse(listed.stdout).data.skills.map(({ path }: { path: string }) => path);
  assert.deepEqual(folders.filter((one: string) => /aa|report/.test(one)).length, 1, listed.stdout);
  assert.match((await run('doctor')).stdout, /skills\/aa\/SKILL\.md: shadowed by project:report/);
});

test('003-07 where the folder of the name is damaged, no other runs in its place', async (t) => {
  const { run } = makePlace(t, { ...OTHERS, 'project/.agent/skills/report/SKILL.md': skill('command: echo x') });
  const { code, stderr } = await run('invoke', '@report', '--yes');
  assert.deepEqual([code, /MetadataMissing/.test(stderr)], [1, true], stderr);
  assert.match((await run('invoke', '@aa', '--yes')).stdout, /FROM-aa/);
});
