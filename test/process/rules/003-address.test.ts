// Seed 003, sections 1 to 3 and its example: how a skill is found, what kind it is, how its command is filled in.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeProject, skillFiles } from '../../support/door-support.ts';
import { ask } from '../../support/rule-support.ts';
import { temporaryFolder } from '../../support/support.ts';
import { assertWorkedIn } from '../../support/working-folder.ts';

const ECHO =
  'import json, os, sys\nprint(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "version": sys.version_info[0]}))\n';
const PYTHON = '/usr/bin/python3';

test('003-04 003-48 003-49 003-50 the example: @markdown-converter README.md runs convert.py of md-tools-v1 by python3, in the project root', async (t) => {
  const project = makeProject(t, {
    ...skillFiles(
      'md-tools-v1',
      'name: markdown-converter\ndescription: x\ncommand: python convert.py {file} --to html',
      { 'convert.py': ECHO },
    ),
    'README.md': '# hi\n',
    'convert.py': 'raise SystemExit("the wrong file")\n',
  });
  const [bin, below] = [temporaryFolder(t), path.join(project, 'docs')];
  mkdirSync(below);
  // Where this machine has one, the only program on the path, so that there is no `python`.
  const env: Record<string, string> = {};
  if (existsSync(PYTHON)) {
    symlinkSync(PYTHON, path.join(bin, 'python3'));
    env.PATH = bin;
  }
  const said = await ask(below, ['invoke', '@markdown-converter', '../README.md', '--yes'], { env });
  assert.equal(said.state, 'success', said.summary);
  const { cwd, ...seen } = JSON.parse(String(said.data.stdout)) as { cwd: string };
  assert.deepEqual(seen, { argv: ['README.md', '--to', 'html'], version: 3 });
  await assertWorkedIn(cwd, project, t);
});

test('003-05 003-06 003-07 003-11 003-37 a skill of .claude/skills answers to folder, name and title; a folder is tried first', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('a', 'name: b\ndescription: x'),
    ...skillFiles('b', 'name: a\ndescription: x'),
    ...skillFiles('md-tools-v1', 'name: markdown-thing\ndescription: x'),
    ...skillFiles('marketing-ideas', 'name: Marketing Ideas Generator\ndescription: x'),
  });
  const folders = {
    '@a': 'a',
    '@b': 'b',
    '@md-tools-v1': 'md-tools-v1',
    '@markdown-thing': 'md-tools-v1',
    '@marketing-ideas': 'marketing-ideas',
    '@Marketing Ideas Generator': 'marketing-ideas',
  };
  const found = Object.keys(folders).map(async (name) => {
    const { data, summary } = await ask(project, ['invoke', name]);
    return [name, data.skill ?? summary];
  });
  assert.deepEqual(Object.fromEntries(await Promise.all(found)), folders);
});

test('003-12 003-13 command makes a skill executable, without it SKILL.md is a prompt', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('type-a', 'name: type-a\ndescription: x\ncommand: "./run.sh {input} --opt {param}"  # 必需字段', {
      'run.sh': 'exit\n',
    }),
    ...skillFiles('type-b', 'name: type-b\ndescription: 技能描述\n# 无 command 字段，内容即为提示词'),
  });
  const { data } = await ask(project, ['list', '--source', 'project']);
  const kinds = (data.skills as { name: string; kind: string }[]).map(({ name, kind }) => [name, kind]);
  assert.deepEqual(Object.fromEntries(kinds), { 'type-a': 'command', 'type-b': 'prompt' });
});

test('003-14 003-15 003-16 ./run.sh {input} --opt {param}: filled with content or a file, both placeholders needed undeclared', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('runner', 'name: runner\ndescription: x\ncommand: "./run.sh {input} --opt {param}"', {
      'run.sh': 'for word in "$@"; do echo "<$word>"; done\n',
    }),
    'README.md': '# hi\n',
  });
  const [file, content, half] = await Promise.all([
    ask(project, ['invoke', '@runner', 'README.md', 'param=fast', '--yes']),
    ask(project, ['invoke', '@runner', 'two words; $(id)', 'param=x y', '--yes']),
    ask(project, ['invoke', '@runner', 'README.md', '--yes']),
  ]);
  assert.equal(file.data.stdout, '<README.md>\n<--opt>\n<fast>\n', file.summary);
  assert.equal(content.data.stdout, '<two words; $(id)>\n<--opt>\n<x y>\n', content.summary);
  assert.deepEqual([half.state, half.data.required, half.data.missing], ['pending', ['input', 'param'], ['param']]);
});

// Beside README.md, as the example has it, nothing can be written yet: results lie below mybox/output.
test('003-51 the example ends with the line of the converter: ✅ 转换完成: …output.html', async (t) => {
  const project = makeProject(t, { 'README.md': '# hi\n' });
  const words = ['invoke', '@markdown-converter', 'README.md', 'output=mybox/output/output.html', '--lang', 'zh'];
  const said = await ask(project, words);
  assert.match(String(said.data.stdout), /^✅ 转换完成: \S*output\.html /, said.summary);
  assert.ok(existsSync(path.join(project, 'mybox/output/output.html')));
});
