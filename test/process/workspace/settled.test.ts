// What becomes of the changes of a script: answers later, choices, conflicts, and scripts that try to be in the way.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { commandLine, compiledCode, runCli, temporaryFolder } from '../../support/support.ts';

/** A project with one skill whose script does what its first argument says. */
function place(t: TestContext, files: Record<string, string> = {}) {
  const skill = skillFiles('does', 'name: does\ndescription: Does it.', { 'scripts/do.sh': 'eval "$1"\n' });
  const cwd = makeProject(t, { ...skill, ...files });
  const sw = (...args: string[]) => runCli(args, { cwd, home });
  const exec = (code: string, ...options: string[]) => sw('exec', 'does', 'scripts/do.sh', ...options, '--', code);
  const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8');
  return { cwd, sw, exec, read, has: (name: string) => existsSync(path.join(cwd, name)) };
}

test('a yes that comes later runs the script in the project, too, and what it changed waits', async (t) => {
  const { sw, exec, has, read } = place(t, { 'a.txt': 'old\n' });
  const asked = readAnswer(await exec('cat a.txt; echo new > b.txt', '--json'));
  assert.equal(asked.code, 4);
  const [, , id = ''] = String(asked.data.resume_command).split(' ');
  const done = await sw('resume', id, '--decide', 'approve');
  assert.equal(done.code, 4, done.stdout + done.stderr);
  assert.match(done.stdout, /^⏸️ 1 change waits to be applied\nold\n/);
  assert.match(done.stderr, /^ {2}new b\.txt \(4B\)\n1 waiting/);
  assert.match(done.stdout, /hint: skillwright runs apply \S+$/m);
  assert.equal(has('b.txt'), false);
  assert.equal((await sw('runs', 'apply', 'latest')).code, 0);
  assert.equal(read('b.txt'), 'new\n');
});

test('changes that wait are told by state and exit code alike; time and hidden files have their own words', async (t) => {
  const { exec, sw } = place(t, { '.env': 'TOKEN=t\n' });
  const waits = readAnswer(await exec('echo x > x.txt', '--yes', '--json', '--apply', 'ask'));
  assert.deepEqual([waits.code, waits.state], [0, 'success'], '--yes applies what a script that went well has left');
  const half = readAnswer(await exec('echo g > AGENTS.md', '--yes', '--json'));
  assert.deepEqual([half.code, half.state], [4, 'interrupted']);
  const late = await exec('sleep 20', '--yes', '--timeout', '1');
  assert.equal(late.code, 5, late.stderr);
  const denied = await exec('cat .env', '--yes');
  assert.notEqual(denied.code, 0);
  assert.match(denied.stderr, /^\.env is hidden from skills$/m);
  const typo = await sw('exec', 'does', 'scripts/du.sh', '--yes');
  assert.match(typo.stderr, /ScriptNotFound.*\n.*scripts\/do\.sh/);
});

test('paths are meant from where the person stands, and one that did not change is an error', async (t) => {
  const { cwd, exec, has } = place(t, { 'sub/a.txt': 'a\n' });
  await exec('echo 1 > sub/b.txt; echo 2 > c.txt', '--yes', '--apply', 'never');
  const from = (folder: string, ...args: string[]) => runCli(args, { cwd: path.join(cwd, folder), home });
  const wrong = await from('.', 'runs', 'apply', 'latest', 'sub/d.txt');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /changed nothing at sub\/d\.txt[\s\S]*sub\/b\.txt/);
  assert.equal((await from('sub', 'runs', 'apply', 'latest', './b.txt')).code, 0);
  assert.deepEqual([has('sub/b.txt'), has('c.txt')], [true, false]);
  assert.equal((await from('sub', 'runs', 'apply', 'latest', '../c.txt')).code, 0);
  assert.equal(has('c.txt'), true);
});

test('what other tools obey waits for a terminal: nothing is said to be applied, and no hint leads to undo', async (t) => {
  const { exec, sw, has } = place(t);
  await exec('echo good > good.txt; echo obey > CLAUDE.md; printf x > pkg.pth', '--yes');
  assert.equal(has('good.txt'), true);
  const again = await sw('runs', 'apply', 'latest', '--yes');
  assert.equal(again.code, 4);
  assert.match(again.stdout, /applied 0 changes, 1 left\n {2}new CLAUDE\.md \(5B\) — obeyed by .*\n.*hint: .*terminal/);
  assert.doesNotMatch(again.stdout, /undo/);
  const many = await exec('for n in $(seq 50); do echo $n > f$n.txt; done; echo {} > package.json', '--yes');
  assert.match(many.stderr, /^ {2}new package\.json \(3B\) — executed\n {2}new f1\.txt/m);
});

test('where the project has changed, --keep says whose version counts', async (t) => {
  const { cwd, exec, sw, read } = place(t, { 'a.txt': 'first\n', 'b.txt': 'first\n' });
  const change = () => exec('echo run > a.txt; echo run > b.txt', '--yes', '--apply', 'never');
  await change();
  writeFileSync(path.join(cwd, 'a.txt'), 'person\n');
  const refused = await sw('runs', 'apply', 'latest');
  assert.match(refused.stderr, /Conflict: .*a\.txt[\s\S]*--keep mine/);
  assert.equal((await sw('runs', 'apply', 'latest', '--keep', 'mine')).code, 0);
  assert.deepEqual([read('a.txt'), read('b.txt')], ['person\n', 'run\n']);
  assert.equal((await sw('runs', 'apply', 'latest', '--keep', 'theirs')).code, 0);
  assert.equal(read('a.txt'), 'run\n');
  assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
  assert.equal(read('a.txt'), 'person\n');
});

test('what cannot be applied stops nothing else: folders too deep, a secret in a folder that goes, a link in the way', async (t) => {
  const { cwd, exec, sw, read, has } = place(t, { 'cfg/.env': 'T=1\n', 'cfg/pub.txt': 'p\n', 'src/a.txt': 'v1\n' });
  const deep = Array.from({ length: 40 }, () => 'd').join('/');
  const done = await exec(`mkdir -p ${deep}; rm -rf cfg; echo v2 > src/a.txt`, '--yes');
  assert.equal(done.code, 4, done.stderr);
  assert.deepEqual([read('src/a.txt'), read('cfg/.env')], ['v2\n', 'T=1\n']);
  assert.equal((await sw('list')).code, 0);
  assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
  assert.deepEqual([read('src/a.txt'), read('cfg/pub.txt')], ['v1\n', 'p\n']);
  const outside = temporaryFolder(t);
  mkdirSync(path.join(outside, 'output'));
  await exec(`rmdir mybox/output mybox; ln -s ${outside} mybox`, '--yes');
  assert.deepEqual(readdirSync(outside), ['output']);
  symlinkSync('../src/a.txt', path.join(cwd, 'cfg/.env.local'));
  const read2 = await exec('cat src/a.txt', '--yes');
  assert.notEqual(read2.code, 0, 'what a hidden link leads to is hidden');
  assert.equal(has('src/a.txt'), true);
});

test('a call that was killed is marked, and what a person changed since is a conflict', async (t) => {
  const { cwd, sw, read } = place(t, { 'a.txt': 'first\n' });
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() };
  // Short: at S1 it lives on when its host is killed.
  const words = ['exec', 'does', 'scripts/do.sh', '--yes', '--', 'echo run > a.txt; sleep 4'];
  const child = spawn(process.execPath, [commandLine(), ...words], { cwd, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const runs = path.join(cwd, '.agent/runs');
  while (!existsSync(runs) || readdirSync(runs).length === 0) await sleep(10);
  await sleep(1500);
  child.kill('SIGKILL');
  await ended;
  writeFileSync(path.join(cwd, 'a.txt'), 'person\n');
  const shown = readAnswer(await sw('runs', 'changes', 'latest', '--json'));
  if (shown.code !== 0) return t.diagnostic('the call had not begun when it was killed');
  assert.equal(shown.data.cut_off, true);
  const { code, stderr } = await sw('runs', 'apply', 'latest');
  assert.equal(code, 1);
  assert.match(stderr, /Conflict: .*a\.txt/);
  assert.equal(read('a.txt'), 'person\n');
});

test('threat 67 blocked: undo gives a program back to whom it belonged, never to root', async (t) => {
  if (process.geteuid?.() !== 0) return t.diagnostic('not run: only root can give files away');
  const { cwd, exec, sw } = place(t, { tool: 'own\n' });
  const tool = path.join(cwd, 'tool');
  chownSync(tool, 12345, 12345);
  chmodSync(tool, 0o4755);
  await exec('rm -f tool; echo new > tool', '--yes');
  assert.deepEqual([statSync(tool).mode & 0o7777, statSync(tool).uid], [0o644, statSync(cwd).uid]);
  assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
  assert.deepEqual([statSync(tool).mode & 0o7777, statSync(tool).uid], [0o4755, 12345]);
  await exec('cp tool t2; rm -f tool; mv t2 tool; chmod 4751 tool', '--yes');
  assert.equal(statSync(tool).mode & 0o6000, 0);
});

test('a file that is piped in stays as it is, and doctor names how calls get the project', async (t) => {
  const { cwd, sw } = place(t);
  const input = path.join(temporaryFolder(t), 'in.txt');
  writeFileSync(input, 'piped\n', { mode: 0o600 });
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() };
  const words = ['exec', 'does', 'scripts/do.sh', '--yes', '--', 'chmod 4777 /proc/self/fd/0; cat'];
  const descriptor = openSync(input, 'r');
  const child = spawn(process.execPath, [commandLine(), ...words], { cwd, env, stdio: [descriptor, 'pipe', 'ignore'] });
  closeSync(descriptor);
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  assert.equal(stdout, 'piped\n');
  assert.equal(statSync(input).mode & 0o7777, 0o600);
  const { checks } = readAnswer(await sw('doctor', '--json')).data as unknown as {
    checks: { name: string; detail: string }[];
  };
  assert.match(checks.find(({ name }) => name === 'workspace')?.detail ?? '', /^(?:overlay|copy): /);
});

test('with the record of a run goes what it changed', async (t) => {
  const { exec, sw } = place(t);
  await exec('echo x > x.txt', '--yes', '--apply', 'never');
  const run = String(readAnswer(await sw('runs', 'changes', 'latest', '--json')).data.run);
  const states = path.join(home, '.agent/state');
  const layers = () => readdirSync(states).filter((name) => existsSync(path.join(states, name, 'layers', run)));
  assert.equal(layers().length, 1);
  assert.match((await sw('runs', 'list')).stdout, /exec +success, changes wait/);
  assert.equal((await sw('runs', 'prune', '--keep', '0', '--yes')).code, 0);
  assert.equal(layers().length, 0);
});

test('threat 67 blocked: what was shown is what is applied, also where a process of the call lives on', async (t) => {
  const { exec, sw, read } = place(t);
  const daemon = `env -i setsid sh -c '(sleep 2; echo EVIL > t.sh; echo EVIL > late.sh) &' >/dev/null 2>&1 </dev/null`;
  await exec(`echo good > t.sh; ${daemon}`, '--yes', '--apply', 'never');
  const shown = readAnswer(await sw('runs', 'changes', 'latest', '--json'));
  await sleep(4000);
  assert.equal((await sw('runs', 'apply', 'latest')).code, 0);
  assert.equal(read('t.sh'), 'good\n');
  assert.deepEqual(
    (shown.data.changes as { path: string }[]).map((change) => change.path),
    ['t.sh'],
  );
});

test('git works in the project, and sees of its settings nothing secret', async (t) => {
  const { cwd, exec } = place(t, { 'a.txt': 'a\n' });
  for (const words of [
    ['init', '-q'],
    ['add', 'a.txt'],
    ['-c', 'user.name=P', '-c', 'user.email=p@x', 'commit', '-qm', 'first'],
    ['remote', 'add', 'origin', 'https://user:t-0123456789@host/a.git'],
  ])
    execFileSync('git', words, { cwd, env: { PATH: process.env.PATH, HOME: cwd } });
  const { code, stdout, stderr } = await exec('git log --oneline; git remote -v; cat .git/config', '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^[0-9a-f]+ first\norigin\thttps:\/\/host\/a\.git/);
  assert.doesNotMatch(stdout, /t-0123456789/);
});
