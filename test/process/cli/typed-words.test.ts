// Commands that are suggested to a person are typed as they stand: a name that somebody else chose is one word of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedWord } from '../../../src/base/text/shell-word.ts';
import { makeWorld } from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/changed-source.ts';
import { runCli } from '../../support/support.ts';

const NAME = 'tool;touch pwned';
const FILES = {
  '.agent/skills/tool/SKILL.md': `---\nname: "${NAME}"\ndescription: Reads a variable.\n---\n# Tool\n`,
  '.agent/skills/tool/scripts/read.py': 'import os\nprint(os.environ["TOOL_KEY"])\n',
  '.agent/skills/tool/scripts/reach.sh': 'curl -sS --max-time 5 https://api.tool.org/\n',
};

async function suggested(t: Parameters<typeof makeWorld>[0], change: readonly Change[] = []): Promise<string[]> {
  const { project: cwd, home } = makeWorld(t, FILES);
  const at = { cwd, home, env: { TOOL_KEY: 'k' }, change };
  const said: string[] = [];
  for (const words of [
    ['consent', NAME],
    ['doctor', NAME],
    ['exec', NAME, 'scripts/read.py', '--yes'],
    ['exec', NAME, 'scripts/reach.sh', '--yes'],
    ['invoke', `@${NAME}`],
  ]) {
    const { stdout, stderr } = await runCli(words, at);
    said.push(...(stdout + stderr).split('\n'));
  }
  const commands = said.flatMap((line) =>
    [...line.matchAll(/skillwright (?:consent|grants add) [^`\n]*/g)].map(([one]) => one),
  );
  assert.ok(commands.length >= 3, said.join('\n'));
  return commands.filter((command) => command.includes('touch'));
}

const isOneWord = (command: string) => command.includes(`'${NAME}'`);

test('suggested commands blocked: a name with a command in it is one quoted word wherever it is suggested', async (t) => {
  const commands = await suggested(t);
  assert.ok(commands.length >= 3, commands.join('\n'));
  assert.deepEqual(
    commands.filter((command) => !isOneWord(command)),
    [],
  );
});

test('suggested commands control: shown as it is, it would be a command of its own', async (t) => {
  const bare: Change = { file: 'src/base/text/shell-word.ts', from: 'PLAIN.test(shown) ? shown', to: 'shown ? shown' };
  const commands = await suggested(t, [bare]);
  assert.ok(commands.length >= 3 && !commands.some(isOneWord), commands.join('\n'));
});

test('ordinary names stay as they are, in any script', () => {
  for (const name of ['pdf', 'watcher/looks', '天气', '@pdf', 'a.b-c_d', '…']) assert.equal(typedWord(name), name);
  for (const name of ['a b', '$(x)', '`x`', 'a&b', 'a|b', '*', '~x', "it's", ''])
    assert.match(typedWord(name), /^'.*'$/);
  assert.equal(typedWord("it's"), "'it'\\''s'");
});
