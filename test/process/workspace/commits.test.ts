// Commits that a script makes in its layer: taken into a branch of their own by a yes, and nothing of the person's moves.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { home } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { commandLine, compiledCode, count } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';
import { AS_SKILL, makeRepository, type ToldCommits } from '../../support/workspace/repository.ts';

const COMMIT = 'echo new > b.txt; echo more >> a.txt; git add a.txt b.txt; git commit -qm "Adds b"';

test('commits are taken into a branch of their own, and undo removes it; branch, index and settings stay', async (t) => {
  const { cwd, exec, git, own, sw, has, branches } = makeRepository(t);
  const before = own();
  const { code, commits, data } = await exec(COMMIT);
  assert.equal(code, 0, JSON.stringify(data));
  const { run, waiting } = data.changes as { run: string; waiting: unknown[] };
  const branch = `skillwright/${run}`;
  const head = git('rev-parse', branch);
  assert.deepEqual(commits, {
    taken: true,
    branch,
    head,
    count: 1,
    subjects: ['Adds b'],
    guarded: [],
    branches: [{ branch, of: 'main', head }],
    not_taken: [],
  });
  assert.deepEqual(waiting, []);
  assert.equal(git('log', '-1', '--format=%an %ae %s %P', branch), `Skill s@example.org Adds b ${before.main}`);
  assert.equal(git('ls-tree', '-r', '--name-only', branch), 'a.txt\nb.txt');
  assert.equal(git('show', `${branch}:a.txt`), 'a\nmore');
  assert.deepEqual(own(), before);
  assert.equal(git('status', '--short', '--', 'a.txt', 'b.txt'), 'M a.txt\n?? b.txt');
  git('fsck', '--strict');
  assert.equal((await sw('runs', 'changes', 'latest')).code, 1, 'nothing waits');

  const log = readAnswer(await sw('log', '--json'));
  const [last] = log.data.events as { files: string[] }[];
  assert.ok(JSON.stringify(last).includes(`.git/refs/heads/${branch}`), JSON.stringify(last));
  const undone = await sw('runs', 'undo', 'latest');
  assert.equal(undone.code, 0, undone.stderr);
  assert.match(undone.stdout, new RegExp(`took back 2 changes, removed ${branch}`));
  assert.deepEqual(branches(), []);
  assert.equal(has('b.txt'), false);
  assert.deepEqual(own(), before);
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('.skillwright')),
    [],
  );
  const again = await exec(COMMIT);
  assert.equal(again.commits?.taken, true, 'also where the objects are there from before');
});

test('the same commit once more, after it was taken back: its objects lie there, and nothing leads to them', async (t) => {
  const { exec, git, sw, branches } = makeRepository(t);
  const moment = 'export GIT_AUTHOR_DATE=1700000000+0000 GIT_COMMITTER_DATE=1700000000+0000';
  const first = await exec(`${moment}; ${COMMIT}`);
  assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
  git('gc', '-q');
  const { commits, data } = await exec(`${moment}; ${COMMIT}`);
  assert.equal(commits?.taken, true, JSON.stringify(data));
  assert.equal(commits.head, first.commits?.head);
  assert.deepEqual(commits.subjects, ['Adds b']);
  git('prune', '--expire=now');
  git('fsck', '--strict');
  assert.equal(git('show', `${commits.branch}:b.txt`), 'new');
  assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
  assert.deepEqual(branches(), []);
});

test('commits wait with the rest, are shown as one entry, and are not part of single files', async (t) => {
  const { exec, git, sw, has, branches } = makeRepository(t);
  const waits = await exec(COMMIT, ['--yes', '--apply', 'never']);
  assert.equal(waits.commits?.taken, false);
  assert.deepEqual(branches(), []);
  const shown = await sw('runs', 'changes', 'latest');
  assert.match(shown.stdout, /2 changes and 1 commit wait/);
  assert.match(shown.stdout, /^ {2}1 commit → branch skillwright\/\S+\n {4}[0-9a-f]{10} Adds b$/m);
  assert.doesNotMatch(shown.stdout, /\.git/);
  const told = readAnswer(await sw('runs', 'changes', 'latest', '--json'));
  assert.deepEqual((told.data.commits as ToldCommits).subjects, ['Adds b']);
  const one = readAnswer(await sw('runs', 'apply', 'latest', 'b.txt', '--json'));
  assert.equal(one.code, 0);
  assert.equal((one.data.commits as ToldCommits).taken, false);
  assert.deepEqual([has('b.txt'), branches()], [true, []]);
  const rest = await sw('runs', 'apply', 'latest');
  assert.equal(rest.code, 0, rest.stderr);
  assert.match(rest.stdout, /applied 1 change and 1 commit\n/);
  assert.equal(git('log', '-1', '--format=%s', branches()[0] ?? ''), 'Adds b');
  assert.equal((await sw('runs', 'changes', 'latest')).code, 1, 'nothing waits');
});

test('a script that commits and leaves no other change: the commits alone are decided about', async (t) => {
  const { exec, sw, branches } = makeRepository(t);
  const asked = await exec(`${COMMIT}; git checkout -q HEAD~1`, ['--yes', '--apply', 'never']);
  assert.equal(asked.code, 0, JSON.stringify(asked.data));
  assert.deepEqual((asked.data.changes as { waiting: unknown[] }).waiting, []);
  assert.equal(asked.commits?.count, 1);
  assert.equal((await sw('runs', 'apply', 'latest')).code, 0);
  assert.equal(branches().length, 1);
  const undone = await sw('runs', 'undo', 'latest');
  assert.match(undone.stdout, /took back 0 changes, removed skillwright\//);
  assert.deepEqual(branches(), []);
});

test('what other tools obey in the commits is listed; the files themselves wait as ever, told once', async (t) => {
  const { exec, git, has, sw } = makeRepository(t);
  const { code, commits, data } = await exec('echo obey > AGENTS.md; git add AGENTS.md; git commit -qm guards');
  assert.equal(code, 4);
  assert.deepEqual(commits?.guarded, [{ path: 'AGENTS.md', obeyed_by: 'coding agents' }]);
  assert.equal(commits?.taken, true);
  assert.equal(git('show', `${commits?.branch}:AGENTS.md`), 'obey');
  const { waiting } = data.changes as { waiting: { path: string }[] };
  assert.deepEqual(
    waiting.map(({ path: name }) => name),
    ['AGENTS.md'],
  );
  assert.equal(has('AGENTS.md'), false);
  const later = await sw('runs', 'changes', 'latest');
  assert.match(later.stdout, /1 change waits\n {2}new AGENTS\.md/, 'commits that were taken are not told again');
});

const CASES: {
  name: string;
  code: string;
  check: (told: ToldCommits | undefined, repository: ReturnType<typeof makeRepository>) => void;
}[] = [
  {
    name: 'several branches: the one it stands on has the plain name',
    code: 'git checkout -qb feature/x; echo 1 > x; git add x; git commit -qm one; git checkout -qb other; echo 2 > x; git commit -qam two',
    check(told, { git }) {
      assert.deepEqual(
        told?.branches.map(({ branch, of }) => [branch.replace(/\d{8}T\d{6}Z-[0-9a-f]{6}/, 'RUN'), of]),
        [
          ['skillwright/RUN', 'other'],
          ['skillwright/RUN--feature/x', 'feature/x'],
        ],
      );
      assert.equal(git('log', '-1', '--format=%s', told?.branches[1]?.branch ?? ''), 'one');
    },
  },
  {
    name: 'a detached HEAD',
    code: 'git checkout -q --detach; echo 1 > x; git add x; git commit -qm detached',
    check(told, { git }) {
      assert.deepEqual([told?.branches.length, told?.branches[0]?.of], [1, null]);
      assert.equal(git('log', '-1', '--format=%s', told?.branch ?? ''), 'detached');
    },
  },
  {
    name: 'an amended commit of the person',
    code: 'echo 1 > x; git add x; git commit -q --amend -m amended',
    check(told, { git }) {
      assert.equal(told?.count, 1);
      assert.equal(git('log', '--format=%s', told?.branch ?? ''), 'amended');
      assert.equal(git('log', '--format=%s', 'main'), 'first');
    },
  },
  {
    name: 'a tag is not taken, and that is said',
    code: 'echo 1 > x; git add x; git commit -qm tagged; git tag v1',
    check(told, { branches }) {
      assert.deepEqual(told?.not_taken, ['refs/tags/v1']);
      assert.equal(branches().length, 1);
    },
  },
  {
    name: 'packed by git in the layer',
    code: 'echo 1 > x; git add x; git commit -qm packed; git gc -q',
    check(told, { git }) {
      assert.equal(git('log', '-1', '--format=%s', told?.branch ?? ''), 'packed');
    },
  },
];

for (const { name, code, check } of CASES)
  test(`commits: ${name}`, async (t) => {
    const repository = makeRepository(t);
    const before = repository.own();
    const { commits, data } = await repository.exec(code);
    assert.equal(commits?.taken, true, JSON.stringify(data));
    check(commits, repository);
    assert.deepEqual(repository.own(), before);
    repository.git('fsck', '--strict');
  });

test('no new commit is no entry: a branch alone, a reset, a look', async (t) => {
  const { exec, git, branches } = makeRepository(t);
  git('commit', '-q', '--allow-empty', '-m', 'second');
  for (const code of ['git branch x', 'git reset -q --hard HEAD~1', 'git log -1 > /dev/null', 'git checkout -qb y']) {
    const { commits, data } = await exec(code, ['--yes', '--apply', 'never']);
    assert.equal(commits, undefined, `${code}: ${JSON.stringify(data)}`);
  }
  assert.deepEqual(branches(), []);
});

test('undo leaves a branch that somebody works on, and says so', async (t) => {
  const { exec, git, sw, branches } = makeRepository(t);
  const { commits } = await exec(COMMIT);
  const branch = commits?.branch ?? '';
  const tree = git('rev-parse', 'main^{tree}');
  git('update-ref', `refs/heads/${branch}`, git('commit-tree', '-m', 'on top', '-p', branch, tree));
  const moved = await sw('runs', 'undo', 'latest');
  assert.equal(moved.code, 0, moved.stderr);
  assert.match(moved.stdout, new RegExp(`took back 2 changes, left ${branch}`));
  assert.deepEqual(branches(), [`refs/heads/${branch}`]);
  git('branch', '-D', branch);

  const next = await exec(`${COMMIT}; git checkout -q HEAD~1`);
  git('symbolic-ref', 'HEAD', `refs/heads/${next.commits?.branch}`);
  const used = await sw('runs', 'undo', 'latest');
  assert.equal(used.code, 1);
  assert.match(used.stderr, /Conflict[\s\S]*git branch -D skillwright\//);
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  git('pack-refs', '--all');
  assert.match((await sw('runs', 'undo', 'latest')).stderr, /Conflict/, 'a packed branch is not a file any more');
});

test('a change that conflicts holds the commits back, too', async (t) => {
  const { cwd, exec, sw, branches } = makeRepository(t);
  await exec(COMMIT, ['--yes', '--apply', 'never']);
  writeFileSync(path.join(cwd, 'a.txt'), 'person\n');
  assert.equal((await sw('runs', 'apply', 'latest')).code, 1);
  assert.deepEqual(branches(), []);
  assert.equal((await sw('runs', 'apply', 'latest', '--keep', 'mine')).code, 0);
  assert.equal(branches().length, 1);
});

test('at a terminal the commits are shown with the question, and a yes takes them', async (t) => {
  const { cwd, branches } = makeRepository(t);
  const asked = ['exec', 'does', 'scripts/do.sh', '--', `${AS_SKILL}; ${COMMIT}`];
  const answers = { type: 'y\n', more: [['Apply these changes?', 'y\n']] } as const;
  const { code, shown } = await atTerminal(asked, { cwd, home, ...answers });
  assert.equal(code, 0, shown);
  assert.match(
    shown,
    /1 commit\S* → branch skillwright\/[\s\S]*Adds b[\s\S]*Apply these changes\?[\s\S]*took 1 commit/,
  );
  assert.equal(branches().length, 1);
});

test('a repository with the other kind of object ids', async (t) => {
  const { exec, git } = makeRepository(t, '--object-format=sha256');
  const { commits, data } = await exec(COMMIT);
  assert.equal(commits?.taken, true, JSON.stringify(data));
  assert.equal(git('rev-parse', commits?.branch ?? '').length, 64);
  git('fsck', '--strict');
});

test('as root, what is taken belongs to whom the repository belongs', async (t) => {
  if (process.geteuid?.() !== 0) return t.diagnostic('not run: only root can give files away');
  const { cwd, exec, git } = makeRepository(t);
  execFileSync('chown', ['-R', '12345:12345', cwd]);
  const { code } = await exec('echo more >> a.txt', ['--yes', '--apply', 'never']);
  if (code !== 0) return t.diagnostic('not run: at this tier root cannot write into a project of somebody else');
  const { commits, data } = await exec('echo 1 > x; git add x; git commit -qm "Adds x"');
  assert.equal(commits?.taken, true, JSON.stringify(data));
  git('config', '--file', path.join(cwd, '.gitconfig'), 'safe.directory', '*');
  assert.equal(git('log', '-1', '--format=%s', commits?.branch ?? ''), 'Adds x');
  const found = execFileSync('find', [
    path.join(cwd, '.git/refs'),
    path.join(cwd, '.git/objects'),
    '!',
    '-user',
    '12345',
  ]);
  assert.equal(String(found), '');
});

test('a killed apply has taken commits and files, or neither, after the next command', async (t) => {
  const { cwd, exec, sw, has, branches, git } = makeRepository(t);
  const seen = new Set<boolean>();
  for (let round = 0; round < count(10, 2); round++) {
    await exec(COMMIT, ['--yes', '--apply', 'never']);
    await killedWhileStaging(['runs', 'apply', 'latest'], cwd);
    assert.equal((await sw('runs', 'list', '--json')).code, 0);
    assert.equal(branches().length > 0, has('b.txt'));
    seen.add(has('b.txt'));
    git('fsck', '--strict');
    if (has('b.txt')) assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
    await sw('runs', 'discard', 'latest');
  }
  t.diagnostic(`taken: ${[...seen].join(', ')}`);
});

/** Ends it with SIGKILL soon after it has begun to stage its files; it may have ended before. */
async function killedWhileStaging(args: readonly string[], cwd: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() };
  const child = spawn(process.execPath, [commandLine(), ...args], { cwd, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const deadline = Date.now() + 60_000;
  const isStaging = () => readdirSync(cwd).some((name) => name.startsWith('.skillwright'));
  while (child.exitCode === null && !isStaging() && Date.now() < deadline) await sleep(1);
  await sleep(Math.random() * 30);
  child.kill('SIGKILL');
  await ended;
}
