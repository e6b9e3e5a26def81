// A skill in the folder of an organisation has one name for people, whichever command speaks of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { home, makeProject } from '../../support/door-support.ts';
import { runCli } from '../../support/support.ts';

test('list, search, scan and verify call a skill of an organisation the same', async (t) => {
  const cwd = makeProject(t, {
    '.agent/skills/acme/zither/SKILL.md': '---\nname: zither\ndescription: Tunes a zither.\n---\n',
  });
  const say = async (...args: string[]) => (await runCli(args, { cwd, home })).stdout;
  for (const args of [['list'], ['search', 'zither'], ['scan'], ['verify', 'zither'], ['verify', 'acme/zither']])
    assert.match(await say(...args), /(?<![\w/])acme\/zither(?![\w/])/, args.join(' '));
  const { data } = JSON.parse(await say('verify', '--json')) as { data: { results: { name: string }[] } };
  assert.equal(data.results.filter(({ name }) => name === 'acme/zither').length, 1);
});
