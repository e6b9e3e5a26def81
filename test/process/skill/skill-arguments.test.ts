// What is written behind the name of a skill reaches its text: whole, by place and by name, and is never dropped.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { answer, resource, select } from '../../support/agent-support.ts';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli } from '../../support/support.ts';

function textSkill(name: string, fields: string, body: string): Record<string, string> {
  return {
    [`.agent/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Text about ${name}.\n${fields}---\n${body}\n`,
  };
}

const FILES = {
  ...textSkill('release-notes', 'argument-hint: "[from] [to]"\n', 'Draft release notes for $ARGUMENTS.'),
  ...textSkill('deploy', '', `Deploy $1 to $2 with $${'{CLAUDE_SKILL_DIR}'}/d.sh.`),
  ...textSkill('ship', 'arguments: [service, stage]\n', 'Ship $service to $stage.'),
  ...textSkill('plain', '', 'Nothing to fill. !`git log`'),
  ...skillFiles('pair', 'name: pair\ndescription: Prints two words.\ncommand: sh pair.sh $2 $1', {
    'pair.sh': 'printf "%s|" "$@"\n',
  }),
  ...skillFiles('all', 'name: all\ndescription: Prints all words.\ncommand: sh all.sh $ARGUMENTS', {
    'all.sh': 'printf "%s|" "$@"\n',
  }),
};

test('inspect shows what a skill takes behind its name, in both languages', async (t) => {
  const cwd = makeProject(t, FILES);
  const [english, chinese] = await Promise.all([
    runCli(['inspect', 'release-notes'], { cwd, home }),
    runCli(['inspect', 'release-notes', '--lang', 'zh'], { cwd, home }),
  ]);
  assert.match(english.stdout, /^ *arguments +\[from\] \[to\]$/m);
  assert.match(chinese.stdout, /^ *参数提示 +\[from\] \[to\]$/m);
});

test('invoke fills in $ARGUMENTS, $1 and declared names, and hands on what has no place', async (t) => {
  const cwd = makeProject(t, FILES);
  const say = async (...args: string[]) => (await runCli(['invoke', ...args], { cwd, home })).stdout;
  const folder = path.join(cwd, '.agent/skills/deploy');
  const [line, bare, placed, numbered, named, left, pair, all] = await Promise.all([
    say('release-notes', 'v1.0 v1.1'),
    say('release-notes'),
    say('@deploy', 'api', 'staging'),
    say('@deploy', '2=staging', '1=api'),
    say('@ship', 'api', 'stage=prod'),
    say('@plain', 'some', 'words', 'k=v'),
    say('@pair', 'a b', 'c', '--yes'),
    say('@all', 'a', 'b', '--yes'),
  ]);
  assert.match(line, /^Draft release notes for v1\.0 v1\.1\.$/m);
  assert.match(bare, /skillwright invoke @release-notes \[from\] \[to\]/);
  assert.ok(placed.includes(`Deploy api to staging with ${folder}/d.sh.`), placed);
  assert.ok(numbered.includes('Deploy api to staging with '), numbered);
  assert.match(named, /^Ship api to prod\.$/m);
  assert.match(left, /Nothing to fill\. !`git log`\n\nARGUMENTS: some words k=v\n/);
  assert.match(pair, /^c\|a b\|$/m);
  assert.match(all, /^a b\|$/m);
});

test('run @name fills in the same, in the body and in references', async (t) => {
  const steps = [select('deploy'), resource('deploy', 'references/how.md'), answer('read')];
  const reference = { '.agent/skills/deploy/references/how.md': 'Call it for $1 and $2.\n' };
  const cwd = makeProject(t, { ...FILES, ...reference, 'mock.json': JSON.stringify(steps) });
  const [offline, ran] = await Promise.all([
    runCli(['run', '@release-notes v1.0 v1.1', '--model', 'offline', '--json'], { cwd, home }),
    runCli(['run', '@deploy api staging', '--model', 'mock:mock.json', '--json'], { cwd, home }),
  ]);
  assert.match(JSON.parse(offline.stdout).data.answer, /Draft release notes for v1\.0 v1\.1\./);
  const { record } = JSON.parse(ran.stdout).data;
  const seen = readFileSync(path.join(record, 'observations/00001.txt'), 'utf8');
  const folder = path.join(cwd, '.agent/skills/deploy');
  assert.ok(seen.includes(`Deploy api to staging with ${folder}/d.sh.`), seen);
  assert.ok(seen.includes('Call it for api and staging.'), seen);
});

test('validate reports a command that is written to be executed while the text is read', async (t) => {
  const cwd = makeProject(t, FILES);
  const { stdout, code } = await runCli(['validate', '.agent/skills/plain'], { cwd, home });
  assert.match(stdout, /SKILL\.md:5: warning body-command .*!`git log`.*never executed/);
  assert.equal(code, 0);
});
