// The many ways to address a skill on the command line, and where it is taken from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const FILES = {
  'project/.agent/skills/say/SKILL.md': skill(
    'name: say\ndescription: Says it.\ncommand: echo project {input} [{more}]',
  ),
  'home/.agent/skills/say/SKILL.md': skill(
    'name: say\ndescription: Says it here.\ncommand: echo user {input} [{more}]',
  ),
  'home/.agent/skills/ideas/SKILL.md': skill('name: Marketing Ideas\ndescription: Has ideas.'),
};

test('003-01 003-02 a skill is addressed as its documents write it, in one word or in several', async (t) => {
  const { run } = makePlace(t, FILES);
  const said = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words, '--yes', '--json');
    assert.equal(code, 0, `${words.join(' ')}: ${stdout}${stderr}`);
    return JSON.parse(stdout).data;
  };
  for (const words of [
    ['@say', 'a b', 'more=c'],
    ['invoke', '@say "a b" more=c'],
    ['invoke', '运行技能 say "a b" more=c'],
    ['运行技能', 'say', 'a b', 'more=c'],
    ['@say', 'a b', 'more=c', '--source', 'project'],
  ])
    assert.equal((await said(...words)).stdout, 'project a b c\n', words.join(' '));
  const ran = await said('@say', 'a', '--scope', 'user');
  assert.deepEqual([ran.stdout, ran.source], ['user a\n', 'user']);
  assert.equal((await said('invoke', '@Marketing Ideas')).name, 'Marketing Ideas');
});

test('002-47 002-90 --source chooses on every command that takes a skill; `skills …` is the command behind it', async (t) => {
  const { run } = makePlace(t, FILES);
  const data = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words, '--json');
    assert.equal(code, 0, `${words.join(' ')}: ${stdout}${stderr}`);
    return JSON.parse(stdout).data;
  };
  assert.equal((await data('record', 'say', '--source', 'user')).skill, 'user:say');
  assert.match((await data('validate', 'say', '--source', 'user')).results[0].path, /home\/\.agent\/skills\/say/);
  assert.equal((await data('pack', 'ideas', '--source', 'user', '-o', 'x.zip')).skills[0].name, 'Marketing Ideas');
  assert.match((await data('run', '@say hello', '--yes', '--source', 'user')).answer, /user hello/);
  const [scope, source] = [await data('verify', '--scope', 'user'), await data('skills', 'verify', '--source', 'user')];
  assert.deepEqual(source.results, scope.results);
  assert.equal((await data('skills')).total, (await data('list')).total);
  const unknown = await run('run', '@ideas', '--source', 'project', '--json');
  assert.deepEqual(JSON.parse(unknown.stdout).data.details.suggestions, ['user:ideas']);
});
