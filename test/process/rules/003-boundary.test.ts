// Seed 003, triggers, forbidden ways and section 5: what starts a skill, and what running one never does.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer, makeWorld, observed, runProcess, skillFile, tool } from '../../support/agent-support.ts';
import { type Files, makeProject, skillFiles } from '../../support/door-support.ts';
import { type Answer, ask } from '../../support/rule-support.ts';
import { temporaryFolder } from '../../support/support.ts';
import { openTaskProject } from '../../support/task-support.ts';

test('003-01 003-02 @name and 运行技能 name a skill to whoever decides', async (t) => {
  const world = makeWorld(t, skillFile('paper'));
  for (const request of ['@paper crane', '运行技能 paper crane']) {
    const ran = await runProcess(world, [answer()], { request });
    assert.match(ran.prompts[0] ?? '', /<named_skills>\n<skill name="paper"/, request);
  }
});

test('003-09 (decided: PermissionDenied, by policy) a model that asks for the database with the file tools gets none of it', async (t) => {
  const world = makeWorld(t, { '.agent/state.db': 'SQLite format 3 ROWS-OF-THE-DATABASE\n' });
  const steps = [
    tool('read_file', { path: '.agent/state.db' }),
    tool('read_file', { path: path.join(world.home, '.agent/state/x/state.db') }),
    tool('grep', { pattern: 'ROWS-OF' }),
    answer(),
  ];
  const ran = await runProcess(world, steps);
  assert.equal(ran.outcome.state, 'success', ran.stdout);
  assert.doesNotMatch(ran.prompts.join('\n'), /ROWS-OF-THE-DATABASE/);
  const [own, ofUser] = observed(ran);
  for (const seen of [own, ofUser]) assert.match(seen ?? '', /PermissionDenied/);
});

test('003-10 a task that would reach the database with python -c is refused', async (t) => {
  const { project, home: at } = openTaskProject(t);
  for (const words of ['-c "import sqlite3"', '-cprint(1)']) {
    const refused = await ask(project, ['task', '查询数据库', `执行 python ${words}`], { at });
    const details = refused.data.details as { check: string };
    assert.deepEqual([refused.code, refused.data.type, details.check], [1, 'InvalidArgs', 'inline-code'], words);
  }
});

test('003-19 (decided: no shell) a command that needs Bash is refused with a way out, and does nothing', async (t) => {
  const commands = { pipe: 'cat README.md | tee made.txt', write: 'echo x > made.txt', both: 'true && touch made.txt' };
  const skills = Object.entries(commands).map(([name, command]) =>
    skillFiles(name, `name: ${name}\ndescription: x\ncommand: "${command}"`),
  );
  const project = makeProject(t, Object.assign({ 'README.md': '# hi\n' }, ...skills));
  for (const refused of await Promise.all(
    Object.keys(commands).map((name) => ask(project, ['invoke', name, '--yes'])),
  )) {
    assert.deepEqual([refused.code, refused.data.type], [1, 'InvalidArgs'], refused.summary);
    assert.match(String(refused.data.hint), /script/);
  }
  assert.ok(!existsSync(path.join(project, 'made.txt')));
});

/** Everything below the folder but records of runs, with its text. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^\.agent\/runs\b/.test(name),
  );
  const isFile = (name: string) => statSync(path.join(folder, name)).isFile();
  return new Map(names.sort().map((name) => [name, isFile(name) ? readFileSync(path.join(folder, name), 'utf8') : '']));
}

/** Asks in a project and a home of its own; a call leaves its record there, and nothing else. */
async function askLeavingNothing(t: TestContext, files: Files, ...words: string[]): Promise<Answer> {
  const [project, at] = [makeProject(t, files), temporaryFolder(t)];
  const before = filesIn(project);
  const said = await ask(project, words, { at });
  assert.deepEqual(filesIn(project), before);
  assert.deepEqual(
    readdirSync(at).filter((name) => name !== '.agent'),
    [],
  );
  assert.ok(!existsSync(path.join(at, '.agent/skills')));
  return said;
}

test('003-38 a skill that is not there is suggested, never installed', async (t) => {
  const files = skillFiles('markdown-maker', 'name: markdown-maker\ndescription: x');
  const said = await askLeavingNothing(t, files, 'invoke', '@markdown-makr', '--yes');
  assert.equal(said.data.type, 'SkillNotFound');
  assert.match(String(said.data.hint), /markdown-maker/);
});

test('003-39 a skill that runs leaves no code behind', async (t) => {
  const files = skillFiles('say', 'name: say\ndescription: x\ncommand: sh say.sh {input}', { 'say.sh': 'echo "$1"\n' });
  const said = await askLeavingNothing(t, files, 'invoke', '@say', 'hello', '--yes');
  assert.equal(said.data.stdout, 'hello\n', said.summary);
});

test('003-40 a missing module is named, and nothing is installed for it', async (t) => {
  const files = skillFiles('py', 'name: py\ndescription: x\ncommand: python a.py', {
    'a.py': 'import no_such_module_x\n',
    'requirements.txt': 'no_such_module_x\n',
  });
  const said = await askLeavingNothing(t, files, 'invoke', '@py', '--yes');
  const { missing } = said.data.details as { missing: string };
  assert.deepEqual([said.code, said.data.type, missing], [1, 'RuntimeFailed', 'no_such_module_x'], said.summary);
  assert.match(said.summary, /no_such_module_x/);
});

test('003-46 003-47 python bin/file_editor.py: each operation, word for word, below mybox/ without a question', async (t) => {
  const { project, home: at, write } = openTaskProject(t);
  const file = write('mybox/notes.md', 'one\nmark\n');
  const data = write('mybox/x.json', '{"a": {"b": 1}}');
  const lines = [
    'python bin/file_editor.py replace mybox/notes.md one two',
    'python bin/file_editor.py append mybox/notes.md "last line"',
    'python bin/file_editor.py insert-after mybox/notes.md mark below',
    'python bin/file_editor.py regex mybox/notes.md "l[ao]st" final',
    'python bin/file_editor.py update-json mybox/x.json a.b 2',
  ];
  const done = await ask(project, ['task', '汇总结果到方案文件', lines.join('\n'), '--non-interactive'], { at });
  assert.deepEqual([done.code, done.state], [0, 'success'], done.summary);
  assert.equal(readFileSync(file, 'utf8'), 'two\nmark\nbelow\nfinal line\n');
  assert.deepEqual(JSON.parse(readFileSync(data, 'utf8')), { a: { b: 2 } });
});
