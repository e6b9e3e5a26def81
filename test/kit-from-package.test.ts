// The authoring kit as a dependency: a skill of a project imports it from the installed package.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { repository, runCli, temporaryFolder } from './support.ts';

const SKILL = `import { defineSkill } from 'skillwright/skill';

await defineSkill({
  name: 'greeter',
  actions: {
    greet: {
      params: { who: { type: 'string', required: true } },
      example: { who: 'you' },
      run: ({ who }, context) => {
        context.say(\`greeted \${who.trim()}\`);
        return { text: \`Hello, \${who.trim()}\` };
      },
    },
  },
});
`;

test('a skill that imports skillwright/skill from node_modules conforms and answers', async (t) => {
  const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
  installKit(path.join(cwd, 'node_modules', 'skillwright'));
  write(path.join(cwd, '.agent/skills/greeter/scripts/main.mts'), SKILL);
  const head = 'name: greeter\ndescription: Greets.\nentry: scripts/main.mts';
  write(path.join(cwd, '.agent/skills/greeter/SKILL.md'), `---\n${head}\n---\n# Greeter\n`);
  const conformed = await runCli(['conform', 'greeter', '--yes', '--json'], { cwd, home });
  const { failed, advice } = JSON.parse(conformed.stdout).data;
  assert.deepEqual([failed, advice], [0, 0], conformed.stdout);
  const called = await runCli(['call', 'greeter', 'greet', 'who= Ada', '--yes', '--json'], { cwd, home });
  const { summary, data } = JSON.parse(called.stdout);
  assert.deepEqual([summary, data.response.data], ['greeted Ada', { text: 'Hello, Ada' }]);
});

/** What the package has at the place its `exports` name, made from the source as the build makes it. */
function installKit(folder: string): void {
  const { name, type, exports } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const entry: string = exports['./skill'].default;
  const source = entry.replace('./dist/lib/', 'src/').replace(/\.js$/, '.ts');
  write(path.join(folder, 'package.json'), JSON.stringify({ name, type, exports }));
  write(path.join(folder, entry), stripTypeScriptTypes(readFileSync(path.join(repository, source), 'utf8')));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
