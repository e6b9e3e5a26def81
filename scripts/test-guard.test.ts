// The runner notices what tests leave behind, and says which file did it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { repository, temporaryFolder } from '../test/support/support.ts';

const IMPORTS = `import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
const folder = process.env.FOLDER ?? '';
`;

/** Runs these test files on a machine of their own: a home and a temporary folder nobody else knows. */
function runFiles(t: TestContext, bodies: Record<string, string>, flags: string[] = []) {
  const folder = temporaryFolder(t);
  const [home, temporary] = [path.join(folder, 'home'), path.join(folder, 'tmp')];
  for (const made of [home, temporary]) mkdirSync(made);
  chmodSync(temporary, 0o1777);
  const files = Object.entries(bodies).map(([name, body]) => {
    const file = path.join(folder, `${name}.test.ts`);
    writeFileSync(file, `${IMPORTS}test('${name}', () => {\n${body}\n});\n`);
    return file;
  });
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(repository, 'scripts/test.ts'), ...flags, ...files],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary, FOLDER: folder },
    },
  );
  return { status, stdout, found: stdout.slice(stdout.indexOf('the machine is not')) };
}

test('tests that leave nothing behind pass, also when the machine is theirs alone', (t) => {
  const { status, stdout } = runFiles(t, { good: "mkdirSync(join(folder, 'elsewhere'));" }, ['--alone']);
  assert.equal(status, 0, stdout);
});

test('a file left in the temporary folder and a process left running fail the run, by the name of the test file', (t) => {
  const { status, found } = runFiles(t, {
    leaves: "mkdirSync(join(tmpdir(), 'left'));",
    runs: "spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).unref();",
    good: '',
  });
  t.after(() => endProcess(/left a process: (\d+) sleep 60/.exec(found)?.[1]));
  assert.equal(status, 1, found);
  assert.match(found, /leaves\.test\.ts: left left in the temporary folder/);
  assert.match(found, /runs\.test\.ts: left a process: \d+ sleep 60/);
  assert.doesNotMatch(found, /good\.test\.ts/);
});

test('another mode of the temporary folder or of home fails the run, by the name of the test file', (t) => {
  const modes = 'chmodSync(join(folder, "tmp"), 0o755); chmodSync(homedir(), 0o701); chmodSync(tmpdir(), 0o700);';
  const { status, found } = runFiles(t, { modes });
  assert.equal(status, 1, found);
  assert.match(found, /modes\.test\.ts: while it ran \S+\/tmp: 1777 \S+ became 0755/);
  assert.match(found, /\/home: 0?755 \S+ became 0701/);
  assert.match(found, /modes\.test\.ts: mode of the temporary folder is 0700/);
});

test('a new entry in home is a note, and fails the run where nobody else uses the machine', (t) => {
  const bodies = { writes: "mkdirSync(join(homedir(), 'new'));" };
  const shared = runFiles(t, bodies);
  assert.equal(shared.status, 0, shared.stdout);
  assert.match(shared.stdout, /changed meanwhile[\s\S]*new in \S+\/home: new/);
  assert.equal(runFiles(t, bodies, ['--alone']).status, 1);
});

function endProcess(pid: string | undefined): void {
  if (pid !== undefined) process.kill(Number(pid));
}
