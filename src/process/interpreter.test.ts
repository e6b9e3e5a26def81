import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { type Interpreter, type InterpreterSearch, resolveInterpreter, scriptCommand } from './interpreter.ts';
import { findProgram } from './program.ts';
import { runProcess } from './run.ts';

function program(file: string, text: string, mode = 0o755): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function searchIn(t: TestContext, part: Partial<InterpreterSearch> = {}): InterpreterSearch {
  const folder = temporaryFolder(t);
  const home = process.env.HOME ?? folder;
  return {
    path: process.env.PATH ?? '',
    home,
    project: path.join(folder, 'project'),
    cacheFolder: path.join(folder, 'cache'),
    ...part,
  };
}

async function runScript(
  interpreter: Interpreter,
  script: string,
  work: string,
  command = scriptCommand,
): Promise<string> {
  const [file = '', ...args] = command(interpreter, { script, args: [] });
  // No environment: the flags alone have to do it.
  const env = {};
  const launch = {
    file,
    args,
    env,
    cwd: work,
    descriptors: [],
    tier: 'S0',
    notEnforced: [],
    endsTree: false,
    release() {},
  } as const;
  const ended = await runProcess(launch, { timeoutMs: 60_000 });
  assert.equal(ended.exit, 0, Buffer.from(ended.stderr).toString());
  return Buffer.from(ended.stdout).toString('utf8');
}

test('python is a real Python 3, not a shim, and its answer is remembered on disk', async (t) => {
  const search = searchIn(t);
  const python = await resolveInterpreter('python', search);
  assert.ok(path.isAbsolute(python.file));
  assert.equal(readFileSync(python.file).subarray(1, 4).toString(), 'ELF');
  const script = program(path.join(search.cacheFolder, 'v.py'), 'import sys; print(sys.version_info[0])', 0o644);
  assert.equal(await runScript(python, script, search.cacheFolder), '3\n');
  assert.ok(existsSync(path.join(search.cacheFolder, 'interpreters.json')));
});

test('node is the running one', async (t) => {
  assert.equal((await resolveInterpreter('node', searchIn(t))).file, process.execPath);
});

test('an interpreter that is not there is named', async (t) => {
  const missing = resolveInterpreter('no-such-language', searchIn(t));
  await assert.rejects(missing, (error) => error instanceof Fault && error.details?.missing === 'no-such-language');
});

/** A shim that counts how often it was asked, in front of the Python it stands for. */
async function shim(t: TestContext): Promise<{ search: InterpreterSearch; shim: string; asked: () => number }> {
  const search = searchIn(t);
  const { file } = await resolveInterpreter('python', search);
  const folder = temporaryFolder(t);
  const log = path.join(folder, 'log');
  const place = program(path.join(folder, 'shims', 'python3'), `#!/bin/sh\necho asked >>${log}\nexec ${file} "$@"\n`);
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0);
  return { search: { ...searchIn(t), path: `${folder}/shims:/usr/bin` }, shim: place, asked };
}

test('a shim is asked once, also by the next process, and again when it or its choice changed', async (t) => {
  const { search, shim: place, asked } = await shim(t);
  const first = await resolveInterpreter('python', search);
  assert.notEqual(first.file, place);
  assert.deepEqual(await resolveInterpreter('python', search), first);
  assert.equal(asked(), 1);
  // Another project is another question to the memory of this process, but not to the file.
  await resolveInterpreter('python', { ...search, project: `${search.project}-2` });
  assert.equal(asked(), 1);
  writeFileSync(path.join(path.dirname(place), '..', 'version'), '3.99');
  await resolveInterpreter('python', { ...search, project: `${search.project}-3` });
  assert.equal(asked(), 2);
});

test('a damaged cache is an empty one', async (t) => {
  const { search, asked } = await shim(t);
  mkdirSync(search.cacheFolder);
  writeFileSync(path.join(search.cacheFolder, 'interpreters.json'), '{"x":[1],"y":{"file":1}');
  await resolveInterpreter('python', search);
  assert.equal(asked(), 1);
});

test('python 2 is passed over', async (t) => {
  const folder = temporaryFolder(t);
  program(path.join(folder, 'bin', 'python'), '#!/bin/sh\nprintf "2\\n/bin/sh\\n/usr\\n/usr\\n"\n');
  const search = searchIn(t);
  const python = await resolveInterpreter('python', { ...search, path: `${folder}/bin:${search.path}` });
  assert.match(python.file, /python3/);
});

function planted(t: TestContext): { project: string; search: InterpreterSearch } {
  const project = temporaryFolder(t);
  for (const name of ['ruby', 'bin/ruby'])
    program(path.join(project, name), '#!/bin/sh\nprintf "3\\n%s\\n/usr\\n" "$0"\n');
  return { project, search: searchIn(t, { project, path: `${project}/bin:${project}::.:bin` }) };
}

test('threat 58 blocked: an interpreter planted in the project or the working folder is never used', async (t) => {
  const { project, search } = planted(t);
  const found = await resolveInterpreter('ruby', search).catch((error: unknown) => error);
  if (found instanceof Fault) assert.equal(found.details?.missing, 'ruby');
  else assert.ok(!(found as Interpreter).file.startsWith(project));
});

test('threat 58 control: where the project is another folder it would be', async (t) => {
  const { project, search } = planted(t);
  const found = await resolveInterpreter('ruby', { ...search, project: temporaryFolder(t) });
  assert.equal(found.file, realpathSync(path.join(project, 'bin', 'ruby')));
});

test('a program is refused when a link leads into the project, or when others could exchange it', (t) => {
  const project = temporaryFolder(t);
  const folder = temporaryFolder(t);
  const search = { path: `${folder}/bin`, project };
  program(path.join(project, 'tool-a'), '#!/bin/sh\n');
  program(path.join(folder, 'bin', 'tool-b'), '#!/bin/sh\n', 0o777);
  program(path.join(folder, 'bin', 'tool-c'), '#!/bin/sh\n', 0o644);
  program(path.join(folder, 'bin', 'tool-d'), '#!/bin/sh\n');
  symlinkSync(path.join(project, 'tool-a'), path.join(folder, 'bin', 'tool-a'));
  for (const name of ['tool-a', 'tool-b', 'tool-c', '../bin/tool-d', ''])
    assert.equal(findProgram(name, search), undefined, name);
  assert.equal(findProgram('tool-d', search), path.join(folder, 'bin', 'tool-d'));
  chmodSync(path.join(folder, 'bin'), 0o777);
  assert.equal(findProgram('tool-d', search), undefined);
});

/** A module whose compiled form was exchanged, and is never compared with its source. */
async function poisoned(t: TestContext): Promise<{ python: Interpreter; script: string; work: string }> {
  const work = temporaryFolder(t);
  const python = await resolveInterpreter('python', searchIn(t));
  const make = `import py_compile; py_compile.compile("evil.py", "__pycache__/helper." + __import__("sys").implementation.cache_tag + ".pyc", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)`;
  program(path.join(work, 'evil.py'), 'word = "poisoned"', 0o644);
  program(path.join(work, 'helper.py'), 'word = "honest"', 0o644);
  const script = program(path.join(work, 'main.py'), 'import helper; print(helper.word)', 0o644);
  await runScript(python, program(path.join(work, 'make.py'), make, 0o644), work);
  return { python, script, work };
}

test('threat 16 blocked: an exchanged compiled module never runs, and the module beside the script still loads', async (t) => {
  const { python, script, work } = await poisoned(t);
  assert.equal(await runScript(python, script, work), 'honest\n');
});

test('threat 16 control: without the flags the exchanged one runs', async (t) => {
  const { python, script, work } = await poisoned(t);
  const open = await changed<typeof import('./interpreter.ts')>('src/process/interpreter.ts', {
    from: '...flagsOf(interpreter.name), ',
    to: '',
  });
  assert.equal(await runScript(python, script, work, open.scriptCommand), 'poisoned\n');
});

test('bash reads no start-up file of the user', async (t) => {
  const bash = await resolveInterpreter('bash', searchIn(t));
  assert.deepEqual(scriptCommand(bash, { script: '/s/x.sh', args: ['-c', 'y'] }), [
    bash.file,
    '--noprofile',
    '--norc',
    '-p',
    '/s/x.sh',
    '-c',
    'y',
  ]);
});

test('python prints Chinese whatever the locale', async (t) => {
  const work = temporaryFolder(t);
  const python = await resolveInterpreter('python', searchIn(t));
  assert.equal(
    await runScript(python, program(path.join(work, 'zh.py'), 'print("转换完成")', 0o644), work),
    '转换完成\n',
  );
});
