// What cannot be done is refused at once: before a question, and before anything is started.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProject } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

test('a write that the path guard refuses is not asked about; one that it allows is', async (t) => {
  const at = { cwd: makeProject(t, { 'a.md': 'one\n' }), home: temporaryFolder(t) };
  await runCli(['init', '--yes'], at);
  const append = (file: string) =>
    runCli(['task', 'edit a file', `run python bin/file_editor.py append ${file} two`, '--json'], at);
  for (const file of ['../beside.md', '/etc/passwd', '.env']) {
    const { state, data } = JSON.parse((await append(file)).stdout);
    assert.equal(state, 'error', file);
    assert.match(data.code, /PATH_BLOCKED|PERMISSION_DENIED/, file);
  }
  assert.equal(JSON.parse((await append('a.md')).stdout).state, 'interrupted');
});

test('no time at all is no time limit', async (t) => {
  const at = { cwd: makeProject(t, { 'a.md': '# A\n' }), home: temporaryFolder(t) };
  const { code, stderr } = await runCli(['invoke', 'markdown-converter', 'a.md', '--timeout', '0'], at);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /--timeout must be more than 0/);
});
