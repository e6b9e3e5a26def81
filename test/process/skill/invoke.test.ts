// Skills by name: command templates, their parameters and results, and prompt skills.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { perform } from '../../../src/door/perform.ts';
import { understand } from '../../../src/door/understand.ts';
import { openInterrupts } from '../../../src/policy/interrupt/file.ts';
import { changed } from '../../support/changed/changed-source.ts';
import { door, home, invoke, makeProject, skillFiles } from '../../support/door-support.ts';
import { temporaryFolder } from '../../support/support.ts';
import { assertWorkedIn } from '../../support/working-folder.ts';
import { sandboxAt } from '../../support/world/sandbox-support.ts';

const ECHO = 'import json, os, sys\nprint(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd()}))\n';
const argvOf = (stdout: unknown) => JSON.parse(String(stdout)).argv as string[];

const echoSkill = (command: string, more = '') =>
  skillFiles('echo', `name: echo\ndescription: Prints its words.\ncommand: ${command}\n${more}`, { 'echo.py': ECHO });

test('the template is filled, undeclared placeholders are needed, a group vanishes without its value', async (t) => {
  const project = makeProject(
    t,
    skillFiles(
      'md-tools-v1',
      'name: markdown-tool\ndescription: x y z\ncommand: ./run.sh {input} [--opt {param}] last',
      {
        'run.sh': 'for word in "$@"; do echo "<$word>"; done\n',
      },
    ),
  );
  const open = await door(project);
  const bare = await invoke(open, 'markdown-tool', {}, { input: 'two words' });
  assert.equal(bare.data.stdout, '<two words>\n<last>\n', bare.summary);
  const whole = await invoke(open, 'markdown-tool', { param: 'x y', input: '$(id)' });
  assert.equal(whole.data.stdout, '<$(id)>\n<--opt>\n<x y>\n<last>\n');
  const none = await invoke(open, 'markdown-tool');
  assert.deepEqual([none.state, none.data.required, none.data.optional], ['pending', ['input'], ['param']]);
});

test('python names Python 3, a word of the template names a file of the skill, the working folder is the project', async (t) => {
  const project = makeProject(t, {
    ...skillFiles(
      'md-tools-v1',
      'name: markdown-converter\ndescription: x\ncommand: python convert.py {file} --to html',
      {
        'convert.py': `${ECHO}assert sys.version_info[0] == 3\n`,
      },
    ),
    'README.md': '# hi\n',
    'convert.py': 'raise SystemExit("the wrong file")\n',
  });
  const bin = temporaryFolder(t);
  symlinkSync('/usr/bin/python3', path.join(bin, 'python3'));
  const open = await door(project, {}, existsSync('/usr/bin/python3') ? { PATH: bin } : {});
  const said = await invoke(open, '@markdown-converter', {}, { input: 'README.md' });
  assert.equal(said.state, 'success', said.summary);
  const { argv, cwd } = JSON.parse(String(said.data.stdout)) as { argv: string[]; cwd: string };
  assert.deepEqual(argv, ['README.md', '--to', 'html']);
  await assertWorkedIn(cwd, project, t);
});

test('results go below mybox/output unless told otherwise, with path and size', async (t) => {
  const write = 'import sys\nopen(sys.argv[1], "w").write("x" * 12800)\nprint("written")\n';
  const project = makeProject(
    t,
    skillFiles('writer', 'name: writer\ndescription: x\ncommand: python scripts/convert.py {output}', {
      'scripts/convert.py': write,
    }),
  );
  const open = await door(project, {}, {}, 'zh');
  const said = await invoke(open, 'writer');
  assert.equal(said.summary, '执行成功: convert → mybox/output/writer');
  const { skill, operation, output_path, output_size, stdout } = said.data;
  assert.deepEqual(
    { skill, operation, output_path, output_size, stdout },
    {
      skill: 'writer',
      operation: 'convert',
      output_path: 'mybox/output/writer',
      output_size: '12.5KB',
      stdout: 'written\n',
    },
  );
  const named = await invoke(open, 'writer', { output: 'mybox/output/sub/page.html' });
  assert.equal(named.data.output_path, 'mybox/output/sub/page.html', named.summary);
  assert.equal(readFileSync(path.join(project, 'mybox/output/sub/page.html')).length, 12800);
  const beside = await invoke(open, 'writer', { output: 'mybox/beside.txt' });
  assert.equal(beside.data.output_path, 'mybox/beside.txt', beside.summary);
});

test('the output may lie elsewhere in the project, where it waits in the layer, and never outside it', async (t) => {
  const project = makeProject(
    t,
    skillFiles('writer', 'name: writer\ndescription: x\ncommand: sh w.sh {output}', { 'w.sh': 'echo hi > "$1"\n' }),
  );
  mkdirSync(path.join(project, 'docs'));
  const open = await door(project);
  const written = await invoke(open, 'writer', { output: 'docs/x.txt' });
  assert.equal(written.data.output_path, 'docs/x.txt', written.summary);
  assert.deepEqual(readdirSync(path.join(project, 'docs')), []);
  for (const output of ['/etc/x', '../x', '.agent/config.json', '~/x/../../..//../../etc/x']) {
    const refused = await invoke(open, 'writer', { output });
    assert.equal(refused.data.code, 'PATH_BLOCKED', output);
  }
});

test('earlier results are there to be read and changed; others are untouched', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('adder', 'name: adder\ndescription: x\ncommand: sh add.sh {output} {input}', {
      'add.sh': 'cat "$2"; echo more >> "$1"; ls mybox/output\n',
    }),
    'mybox/output/log.txt': 'one\n',
    'mybox/output/in.txt': 'input\n',
    'mybox/output/other.txt': 'other\n',
  });
  const open = await door(project);
  const said = await invoke(open, 'adder', { output: 'mybox/output/log.txt', input: 'mybox/output/in.txt' });
  assert.equal(said.data.stdout, 'input\nin.txt\nlog.txt\nother.txt\n', said.summary);
  assert.equal(readFileSync(path.join(project, 'mybox/output/log.txt'), 'utf8'), 'one\nmore\n');
  assert.equal(said.data.outputs, undefined);
  assert.equal(readFileSync(path.join(project, 'mybox/output/other.txt'), 'utf8'), 'other\n');
});

test('a call that writes nothing leaves no folder behind, and the project is as it was', async (t) => {
  const project = makeProject(t, echoSkill('python echo.py {input}'));
  const said = await invoke(await door(project), 'echo', {}, { input: 'x' });
  assert.equal(said.state, 'success', said.summary);
  assert.deepEqual(readdirSync(project).sort(), ['.agent', '.claude']);
});

test('a link in the place of the output folder leads nowhere', async (t) => {
  const outside = temporaryFolder(t);
  const project = makeProject(
    t,
    skillFiles('writer', 'name: writer\ndescription: x\ncommand: sh w.sh {output}', { 'w.sh': 'echo hi > "$1"\n' }),
  );
  symlinkSync(outside, path.join(project, 'mybox'));
  const said = await invoke(await door(project), 'writer');
  assert.equal(said.data.code, 'PATH_BLOCKED', said.summary);
  assert.deepEqual(readdirSync(outside), []);
});

test('types, choices and defaults of parameters', async (t) => {
  const params = [
    'params:',
    '  n: {type: number, default: 1.5}',
    '  i: {type: integer, default: 7}',
    '  b: {type: boolean, default: false}',
    '  e: {enum: [a, b], default: a}',
    '  u: {type: url, default: "https://example.org/x"}',
    '  m: {type: email, default: "a@example.org"}',
  ].join('\n');
  const project = makeProject(t, echoSkill('python echo.py {n} {i} {b} {e} {u} {m}', params));
  const open = await door(project);
  const plain = await invoke(open, 'echo');
  assert.deepEqual(argvOf(plain.data.stdout), ['1.5', '7', 'false', 'a', 'https://example.org/x', 'a@example.org']);
  assert.equal((await invoke(open, 'echo', { n: 2, i: '8', b: true, e: 'b' })).state, 'success');
  const wrong = { n: 'x', i: '1.5', b: 'maybe', e: 'c', u: 'file:///etc/passwd', m: 'nobody' };
  for (const [name, value] of Object.entries(wrong)) {
    const refused = await invoke(open, 'echo', { [name]: value });
    assert.equal(refused.data.type, 'ParamInvalid', name);
  }
  const unknown = await invoke(open, 'echo', { nn: '1' });
  assert.match(String(unknown.data.hint), /Did you mean/);
});

test('threat 34 blocked: what begins with - is no value where a word begins; a parameter that allows it takes it', async (t) => {
  const project = makeProject(
    t,
    echoSkill('python echo.py {input} --to={to} {free}', 'params:\n  free: {allow-dash: true}'),
  );
  const open = await door(project);
  const said = await invoke(open, 'echo', { input: 'x', to: '--output=/etc/x', free: '-c' });
  assert.deepEqual(argvOf(said.data.stdout), ['x', '--to=--output=/etc/x', '-c']);
  const refused = await invoke(open, 'echo', { input: '--output=/etc/x', to: 'a', free: 'b' });
  assert.equal(refused.data.type, 'ParamInvalid');
});

test('files: a person may name any of theirs, a model only open ones of the project, nobody our own state', async (t) => {
  const outside = path.join(temporaryFolder(t), 'notes.md');
  writeFileSync(outside, 'outside\n');
  const project = makeProject(t, {
    ...skillFiles(
      'reader',
      'name: reader\ndescription: x\ncommand: cat {input}\nparams:\n  input: {type: file, required: true}',
    ),
    'inside.md': 'inside\n',
    '.env': 'SECRET=1\n',
    '.agent/config.json': '{}',
  });
  const open = await door(project);
  assert.equal((await invoke(open, 'reader', { input: 'inside.md' })).data.stdout, 'inside\n');
  const named = await invoke(open, 'reader', { input: outside });
  assert.equal(named.data.stdout, 'outside\n', named.summary);
  for (const input of [outside, '.env', '/etc/shadow']) {
    const byModel = await invoke(open, 'reader', { input }, { byPerson: false });
    assert.equal(byModel.data.code, 'PATH_BLOCKED', input);
  }
  assert.equal((await invoke(open, 'reader', { input: '.agent/config.json' })).data.code, 'PATH_BLOCKED');
  assert.equal((await invoke(open, 'reader', { input: 'none.md' })).data.type, 'ParamInvalid');
});

test('a default of the author chooses no file of the user', async (t) => {
  const secret = path.join(temporaryFolder(t), 'secret');
  writeFileSync(secret, 'secret\n');
  const project = makeProject(
    t,
    skillFiles(
      'thief',
      `name: thief\ndescription: x\ncommand: sh t.sh {input}\nparams:\n  input: {type: file, default: ${secret}}`,
      { 't.sh': 'cat "$1" || true\n' },
    ),
  );
  const said = await invoke(await door(project), 'thief');
  assert.doesNotMatch(JSON.stringify(said), /secret\\n/);
});

test('a template with shell syntax is refused with a hint, never run in a shell', async (t) => {
  for (const [index, command] of ['cat {input} | sh', 'echo x > y', 'true && id', 'echo $(id)'].entries()) {
    const project = makeProject(t, skillFiles(`s${index}`, `name: s${index}\ndescription: x\ncommand: "${command}"`));
    const refused = await invoke(await door(project), `s${index}`);
    assert.equal(refused.state, 'error', command);
    assert.match(String(refused.data.hint), /script/);
  }
});

test('sixty seconds at most: a skill may only ask for less', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('slow', 'name: slow\ndescription: x\ntimeout: 1\ncommand: sh slow.sh', { 'slow.sh': 'sleep 30\n' }),
    ...skillFiles('long', 'name: long\ndescription: x\ntimeout: 600\ncommand: sh slow.sh', { 'slow.sh': 'sleep 30\n' }),
  });
  const open = await door(project, {}, {}, 'zh');
  const late = await invoke(open, 'slow');
  assert.equal(late.state, 'timeout');
  assert.equal(late.summary, 'Timeout: 执行超时 (>1秒)');
  const { skill, elapsed, limit, recoverable } = late.data;
  assert.deepEqual([skill, limit, recoverable], ['slow', 1, true]);
  assert.ok(Number(elapsed) >= 1);
  const work = await understand({ kind: 'invoke', skill: 'long', params: {}, context: open.context }, open);
  assert.equal('seconds' in work && work.seconds, 60);
});

test('a missing module or program is named, and nothing is installed for it', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('py', 'name: py\ndescription: x\ncommand: python a.py', { 'a.py': 'import no_such_module_x\n' }),
    ...skillFiles('js', 'name: js\ndescription: x\ncommand: node a.mjs', { 'a.mjs': "import 'no-such-package-x';\n" }),
    ...skillFiles('sh', 'name: sh\ndescription: x\ncommand: bash a.sh', { 'a.sh': 'no-such-program-x\n' }),
    ...skillFiles('bin', 'name: bin\ndescription: x\ncommand: no-such-program-x {input}'),
  });
  const open = await door(project);
  const missing = {
    py: 'no_such_module_x',
    js: 'no-such-package-x',
    sh: 'no-such-program-x',
    bin: 'no-such-program-x',
  };
  for (const [skill, name] of Object.entries(missing)) {
    const failed = await invoke(open, skill, {}, skill === 'bin' ? { input: 'x' } : {});
    assert.equal(failed.data.type, 'RuntimeFailed', skill);
    assert.equal((failed.data.details as { missing: string }).missing, name);
    assert.match(failed.summary, new RegExp(name));
  }
});

test('user-invocable: false is refused to a person and open to a model', async (t) => {
  const project = makeProject(t, echoSkill('python echo.py', 'user-invocable: false'));
  const open = await door(project);
  assert.equal((await invoke(open, 'echo')).data.code, 'PERMISSION_DENIED');
  assert.equal((await invoke(open, 'echo', {}, { byPerson: false })).state, 'success');
});

test('threat 35 blocked: only a file of the skill is a script, by name or by link', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('plain', 'name: plain\ndescription: x', {
      'scripts/a.sh': 'echo hi\n',
      'data/b.sh': 'echo hi\n',
      'data/c.md': 'x',
    }),
    ...skillFiles('climb', 'name: climb\ndescription: x\ncommand: python ../../../evil.py'),
    ...skillFiles('linked', 'name: linked\ndescription: x\ncommand: python link.py'),
    'evil.py': 'print("evil")\n',
  });
  symlinkSync(path.join(project, 'evil.py'), path.join(project, '.claude/skills/linked/link.py'));
  const open = await door(project);
  const run = (script: string) =>
    perform({ kind: 'run_script', skill: 'plain', script, args: [], context: open.context }, open);
  for (const script of ['scripts/a.sh', './data/b.sh']) assert.equal((await run(script)).state, 'success', script);
  assert.equal((await run('data/c.md')).data.code, 'PERMISSION_DENIED');
  assert.equal((await run('-c')).data.code, 'SCRIPT_NOT_FOUND');
  for (const script of ['../../../evil.py', '/bin/sh', 'scripts/../../../../evil.py', 'scripts//a.sh'])
    assert.equal((await run(script)).data.code, 'PATH_BLOCKED', script);
  assert.doesNotMatch(String((await invoke(open, 'climb')).data.stdout ?? ''), /evil/);
  assert.equal((await invoke(open, 'linked')).data.code, 'PATH_BLOCKED');
});

test('threat 35 control: unchecked, the same name leads to a file of somebody else', async (t) => {
  const project = makeProject(t, { ...skillFiles('plain', 'name: plain\ndescription: x'), 'evil.py': '' });
  const skill = (await door(project)).resolve('plain');
  const unchecked = await changed<typeof import('../../../src/door/kind/script.ts')>('src/door/kind/script.ts', {
    from: 'if (isBelow && isFileOf({ folder: skill.folder, files }, plain)) return plain;',
    to: 'return plain;',
  });
  const name = unchecked.checkScript('../../../evil.py', skill, []);
  assert.equal(path.resolve(skill.folder, name), path.join(project, 'evil.py'));
});

test('threat 58 blocked: an interpreter planted in the project is never used', async (t) => {
  const project = makeProject(t, echoSkill('python echo.py {input}'));
  for (const name of ['python', 'python3'])
    writeFileSync(path.join(project, name), '#!/bin/sh\necho planted\n', { mode: 0o755 });
  const open = await door(project, {}, { PATH: `.:${project}:${process.env.PATH}` });
  const said = await invoke(open, 'echo', {}, { input: 'x' });
  assert.deepEqual(argvOf(said.data.stdout), ['x']);
});

test('a saved question is about the very same command, whenever it is answered', async (t) => {
  const project = makeProject(t, echoSkill('python echo.py {input} {output}'));
  const { resumeCall } = await import('../../../src/door/resume.ts');
  const asked = await invoke(await door(project, { yes: false }), 'echo', {}, { input: 'x' });
  assert.equal(asked.state, 'interrupted');
  assert.equal((await openInterrupts(home, project).list()).length, 1);
  const said = await resumeCall(
    { question: String(asked.data.id), words: ['{"run_script":"approve"}'] },
    await door(project, { yes: false }),
  );
  assert.equal(argvOf(said.data.stdout)[0], 'x', said.summary);
});

for (const level of ['S2', 'S1'] as const) {
  test(`on tier ${level} input and output of a command are where its words say`, async (t) => {
    const project = makeProject(t, {
      ...skillFiles('copy', 'name: copy\ndescription: x\ncommand: sh copy.sh {input} {output} {more}', {
        'copy.sh': 'cat "$1" "$3" > "$2"\n',
      }),
      'a.txt': 'a\n',
      'mybox/output/b.txt': 'b\n',
    });
    const sandbox = await sandboxAt(level, temporaryFolder(t), t);
    if (!sandbox) return;
    const open = await door(project, { sandbox: async () => sandbox });
    const said = await invoke(open, 'copy', { more: path.join(project, 'mybox/output/b.txt') }, { input: 'a.txt' });
    assert.equal(said.data.output_path, 'mybox/output/copy-a', said.summary);
    assert.equal(readFileSync(path.join(project, 'mybox/output/copy-a'), 'utf8'), 'a\nb\n');
  });
}
