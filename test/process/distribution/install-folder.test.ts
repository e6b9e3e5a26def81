// What is installed keeps the folder of its source, which is what addresses it first; lock, update and uninstall follow it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, skillText } from '../../support/place.ts';

const IDEAS = skillText('name: Marketing Ideas Generator\ndescription: Ideas.');
const TITLED = { 'project/from/marketing-ideas/SKILL.md': IDEAS };

function installed(cwd: string): string[] {
  const root = path.join(cwd, '.agent/skills');
  return existsSync(root)
    ? readdirSync(root)
        .filter((name) => !name.startsWith('.'))
        .sort()
    : [];
}

test('a pack and a folder are installed into the folder of their source, which addresses them', async (t) => {
  for (const kind of ['zip', 'folder'] as const) {
    const { cwd, run } = makePlace(t, TITLED);
    if (kind === 'zip') assert.equal((await run('pack', 'from/marketing-ideas', '-o', 'mi.zip')).code, 0);
    const done = await run('install', kind === 'zip' ? 'mi.zip' : 'from/marketing-ideas', '--yes', '--json');
    assert.equal(done.code, 0, done.stdout);
    assert.equal(JSON.parse(done.stdout).data.installed[0].path, path.join(cwd, '.agent/skills/marketing-ideas'));
    assert.deepEqual(installed(cwd), ['marketing-ideas']);
    for (const name of ['@marketing-ideas', 'Marketing Ideas Generator'])
      assert.equal((await run('invoke', name)).code, 0, name);
    assert.equal((await run('verify', 'marketing-ideas')).code, 0);
    assert.equal((await run('uninstall', 'marketing-ideas', '--yes')).code, 0);
    assert.deepEqual(installed(cwd), []);
    assert.deepEqual(JSON.parse(readFileSync(path.join(cwd, '.agent/skills.lock.json'), 'utf8')).skills, []);
  }
});

test('a skill stays in the folder where the lock has it', async (t) => {
  const { cwd, run } = makePlace(t, TITLED);
  assert.equal((await run('install', 'from/marketing-ideas', '--yes')).code, 0);
  const next = makePlace(t, { 'project/from/ideas/SKILL.md': IDEAS.replace('Ideas.', 'More ideas.') });
  const source = path.join(next.cwd, 'from/ideas');
  assert.equal((await run('install', source, '--replace', '--yes')).code, 4, 'another source is for a person');
  writeFileSync(path.join(cwd, 'from/marketing-ideas/SKILL.md'), IDEAS.replace('Ideas.', 'More ideas.'));
  const update = await run('update', 'marketing-ideas', '--yes');
  assert.equal(update.code, 0, update.stdout);
  assert.deepEqual(installed(cwd), ['marketing-ideas']);
  assert.match(readFileSync(path.join(cwd, '.agent/skills/marketing-ideas/SKILL.md'), 'utf8'), /More ideas/);
});

test('where the folder belongs to another skill, or says nothing, the name is the folder', async (t) => {
  const { cwd, run } = makePlace(t, {
    ...TITLED,
    'project/more/marketing-ideas/SKILL.md': skillText('name: other-ideas\ndescription: d'),
    'project/plain/skill/SKILL.md': skillText('name: by-its-name\ndescription: d'),
    'project/both/a/report/SKILL.md': skillText('name: report-one\ndescription: d'),
    'project/both/b/report/SKILL.md': skillText('name: report-two\ndescription: d'),
  });
  for (const source of ['from/marketing-ideas', 'more/marketing-ideas', 'plain/skill', 'both'])
    assert.equal((await run('install', source, '--yes')).code, 0, source);
  const all = ['by-its-name', 'marketing-ideas', 'other-ideas', 'report-one', 'report-two'];
  assert.deepEqual(installed(cwd), all);
  assert.match(readFileSync(path.join(cwd, '.agent/skills/marketing-ideas/SKILL.md'), 'utf8'), /Ideas\./);
  assert.equal((await run('uninstall', 'other-ideas', '--yes')).code, 0);
  assert.deepEqual(
    installed(cwd),
    all.filter((name) => name !== 'other-ideas'),
  );
});
