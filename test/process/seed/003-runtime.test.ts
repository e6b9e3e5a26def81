// Seed 003, its front matter, sections 2, 3 and 6: the files a project of the seed has, and its example step by step.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { makeProject, skillFiles, writeFiles } from '../../support/door-support.ts';
import { ask } from '../../support/rule-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { assertWorkedIn } from '../../support/working-folder.ts';

const CONVERTER = skillFiles(
  'md-tools-v1',
  'name: markdown-converter\ndescription: Makes a page of a text.\ncommand: python convert.py {file} --to html',
  { 'convert.py': 'import json, os, sys\nprint(json.dumps([sys.argv[1:], os.getcwd()]))\n' },
);

test('seed 003, front matter and section 2: the agent file that init writes, and a name that search maps to its folder, and its use recorded', async (t) => {
  const [project, at] = [temporaryFolder(t), temporaryFolder(t)];
  await runCli(['init'], { cwd: project, home: at });
  const [, fields = ''] = readFileSync(path.join(project, '.claude/agents/skills.md'), 'utf8').split('---\n');
  const { name, description, color } = load(fields) as Record<string, unknown>;
  assert.deepEqual([name, color], ['skills', 'purple']);
  assert.match(String(description), /@skill-name.*运行技能/);

  writeFiles(project, CONVERTER);
  const wish = '执行 python bin/skill_manager.py search markdown-converter';
  const { data } = await ask(project, ['task', '查找 技能 文件夹', wish], { at });
  const [hit] = data.hits as { name: string; folder_name: string }[];
  assert.deepEqual([hit?.name, hit?.folder_name], ['markdown-converter', 'md-tools-v1']);
  // No `skillwright` is on the path of a test: the script knows the program that wrote it.
  const env = { PATH: process.env.PATH ?? '', HOME: at };
  const words = ['bin/skill_manager.py', 'record', 'markdown-converter'];
  const byHand = await promisify(execFile)('python3', words, { cwd: project, env });
  assert.equal(JSON.parse(byHand.stdout).data.count, 1);
  const { skill } = (await ask(project, ['inspect', String(hit?.name)], { at })).data as { skill: { path: string } };
  assert.ok(skill.path.endsWith(`/.claude/skills/${hit?.folder_name}/SKILL.md`), skill.path);
});

test('seed 003, section 3: front matter with a command runs it, without one it is a prompt, and its excerpt lacks one line', async (t) => {
  const command = 'command: "./run.sh {input} --opt {param}"  # what makes it run';
  const run = { 'run.sh': 'printf "%s|" "$@"\n' };
  const project = makeProject(t, {
    ...skillFiles('first', `name: first\ndescription: x\n${command}`, run),
    ...skillFiles('second', 'name: second\ndescription: 写一首诗\n# no command: the text below is the prompt'),
    ...skillFiles('excerpt', `name: excerpt\n${command}`, run),
  });
  const [ran, read, refused] = await Promise.all([
    ask(project, ['invoke', '@first', 'README.md', 'param=fast', '--yes']),
    ask(project, ['invoke', '@second']),
    ask(project, ['invoke', '@excerpt', 'README.md', 'param=fast', '--yes']),
  ]);
  assert.equal(ran.data.stdout, 'README.md|--opt|fast|', ran.summary);
  assert.deepEqual([read.data.type, read.data.executable, read.data.description], ['prompt', false, '写一首诗']);
  // The seed shows the fields that tell the two kinds apart; a skill needs a description, too (002-55).
  const { diagnostics } = refused.data.details as { diagnostics: { fix: string }[] };
  assert.deepEqual([refused.data.type, diagnostics[0]?.fix], ['MetadataMissing', 'description: …']);
});

test('seed 003, the example: @markdown-converter README.md is resolved, parsed, executed and recorded', async (t) => {
  const project = makeProject(t, { ...CONVERTER, 'README.md': '# hi\n' });
  const ran = await ask(project, ['@markdown-converter', 'README.md', '--yes']);
  const [argv, cwd] = JSON.parse(String(ran.data.stdout)) as [string[], string];
  assert.deepEqual(argv, ['README.md', '--to', 'html'], ran.summary);
  await assertWorkedIn(cwd, project, t);
  const { skill, manifest, usage } = (await ask(project, ['inspect', '@markdown-converter'])).data as Record<
    string,
    Record<string, unknown>
  >;
  assert.equal(skill?.path, path.join(project, '.claude/skills/md-tools-v1/SKILL.md'));
  assert.equal(manifest?.command, 'python convert.py {file} --to html');
  assert.equal(usage?.count, 1);
});
