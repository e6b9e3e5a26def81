// `npm start`: real work in a temporary folder, without a key, a network or a question; and a request of one's own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { repository, temporaryFolder } from '../../support/support.ts';

function start(t: TestContext, ...request: string[]) {
  const folder = temporaryFolder(t);
  const [home, cwd] = [path.join(folder, 'home'), path.join(folder, 'work')];
  for (const made of [home, path.join(cwd, '.agent')]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(cwd, 'README.md'), '# Mine\n');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: folder,
    INIT_CWD: cwd,
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  const script = path.join(repository, 'scripts', 'tour.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...request], { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr, cwd };
}

test('npm start converts and analyses with built-in skills, shows the trace, the result and the record', (t) => {
  const { status, stdout, stderr } = start(t);
  assert.equal(status, 0, stdout + stderr);
  assert.match(stderr, /invoke_skill markdown-converter .*\n.*success/);
  assert.match(stderr, /record: .*\.agent\/runs\/\d{8}T/);
  const [, project = ''] = /^Everything made on the way is in (.*)$/m.exec(stdout) ?? [];
  assert.ok(existsSync(path.join(project, 'mybox', 'output', 'markdown-converter-notes.html')), stdout);
  assert.match(stdout, /events, unbroken/);
});

test('npm start -- "request" runs that request where it was typed', (t) => {
  const { status, stdout, stderr, cwd } = start(t, 'convert README.md to html');
  assert.equal(status, 0, stdout + stderr);
  assert.ok(existsSync(path.join(cwd, 'mybox', 'output', 'markdown-converter-README.html')), stdout);
});
