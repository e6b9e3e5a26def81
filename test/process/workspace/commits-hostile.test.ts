// Commits of a script that means no good: nothing of its repository runs when they are taken, and what git would not
// fetch from a stranger is not taken.
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { temporaryFolder } from '../../support/support.ts';
import { makeRepository } from '../../support/workspace/repository.ts';

const COMMIT = 'echo 1 > x; git add x; git commit -qm made';

/** Every way in which a repository starts a program, each leaving a file that says so. */
const RUNS_EVERYTHING = `
here=$PWD; mkdir -p .git/hooks
printf '#!/bin/sh\\ntouch %s/ran-hook\\n' "$here" > .git/hooks/run; chmod +x .git/hooks/run
for hook in reference-transaction pre-commit post-commit post-checkout fsmonitor-watchman post-rewrite pre-auto-gc; do cp .git/hooks/run .git/hooks/$hook; done
cat > .git/config.new <<END
[core]
	repositoryformatversion = 0
	bare = false
	fsmonitor = sh $here/.git/hooks/run
	hooksPath = $here/.git/hooks
	sshCommand = sh $here/.git/hooks/run
	alternateRefsCommand = sh $here/.git/hooks/run
	pager = sh $here/.git/hooks/run
[alias]
	log = !sh $here/.git/hooks/run
	bundle = !sh $here/.git/hooks/run
[log]
	showSignature = true
[gpg]
	program = sh $here/.git/hooks/run
[uploadpack]
	packObjectsHook = sh $here/.git/hooks/run
[filter "evil"]
	clean = sh $here/.git/hooks/run
	smudge = sh $here/.git/hooks/run
[diff "evil"]
	textconv = sh $here/.git/hooks/run
	command = sh $here/.git/hooks/run
[include]
	path = $here/.git/more
END
cat .git/config.new > .git/config; rm .git/config.new
echo '* filter=evil diff=evil' > .git/info/attributes`;

test('threat 67 blocked: taking commits runs no hook and obeys no setting of the layer; control: git in the layer does', async (t) => {
  const { exec, has, sw, branches } = makeRepository(t);
  const control = await exec(`${RUNS_EVERYTHING}; ${COMMIT}; git status > /dev/null; test -e ran-hook`, [
    '--yes',
    '--apply',
    'never',
  ]);
  assert.equal(control.data.exit ?? control.code, 0, JSON.stringify(control.data));
  await sw('runs', 'discard', 'latest');

  const { commits, data } = await exec(`${RUNS_EVERYTHING}; ${COMMIT}; rm -f ran-*`);
  assert.equal(commits?.taken, true, JSON.stringify(data));
  assert.equal(branches().length, 1);
  const left = readAnswer(await sw('runs', 'changes', 'latest', '--json'));
  const names = (left.data.changes as { path: string }[]).map((change) => change.path);
  assert.ok(names.includes('.git/hooks/post-commit'), names.join());
  assert.deepEqual(
    names.filter((name) => name.startsWith('ran-')),
    [],
  );
  assert.deepEqual([has('ran-hook'), has('.git/hooks/post-commit')], [false, false]);
});

/** Git itself writes none of these. */
const treeWith = (name: string, mode = '100644') =>
  `blob=$(echo evil | git hash-object -w --stdin); ${
    mode === '040000' ? 'blob=$(printf "100644 blob %s\\tconfig\\n" $blob | git mktree); kind=tree' : 'kind=blob'
  }; tree=$(printf "${mode} $kind %s\\t${name}\\n" $blob | git mktree); git update-ref HEAD $(git commit-tree -m evil -p HEAD $tree)`;

const gitmodules = `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = --upload-pack=touch ran\\n' > .gitmodules; git add .gitmodules; git commit -qm modules`;
const spoil = (which: string) =>
  `${COMMIT}; id=$(git rev-parse ${which}); file=.git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-); head -c 12 $file > cut; mv -f cut $file`;

const REFUSED: readonly [string, string, RegExp][] = [
  ['a folder .git in a tree', treeWith('.git', '040000'), /hasDotgit/],
  ['.GIT, as other systems would take it', treeWith('.GIT', '040000'), /hasDotgit/],
  ['git~1', treeWith('git~1'), /hasDotgit/],
  ['a file ..', treeWith('..'), /hasDotdot/],
  ['a submodule with an address that is an option', gitmodules, /gitmodulesUrl|disallowed submodule url/],
  ['a spoilt blob', spoil('HEAD:x'), /./],
  ['a spoilt commit', spoil('HEAD'), /./],
  [
    'a missing blob',
    `${COMMIT}; id=$(git rev-parse HEAD:x); rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)`,
    /./,
  ],
  ['a branch that names no object', `printf '%040d\\n' 7 > .git/refs/heads/main`, /./],
  [
    'objects taken from elsewhere',
    `${COMMIT}; mkdir -p .git/objects/info; echo /tmp > .git/objects/info/alternates`,
    /takes objects from another/,
  ],
  ['a history that is cut off', `${COMMIT}; git rev-parse HEAD > .git/shallow`, /takes objects from another|shallow/],
  [
    'objects behind a link',
    `${COMMIT}; mv .git/objects store-x; ln -s ../store-x .git/objects`,
    /`\.git\/objects` is no plain folder/,
  ],
];

for (const [name, code, why] of REFUSED)
  test(`threat 67 blocked: commits are not taken: ${name}`, async (t) => {
    const { exec, own, branches, git } = makeRepository(t);
    const before = own();
    const { commits, data } = await exec(code);
    assert.equal(commits?.taken, false, JSON.stringify(data));
    assert.match(commits?.refused ?? '', why);
    assert.deepEqual(branches(), []);
    assert.deepEqual(own(), before);
    git('fsck', '--strict');
  });

/** What checks the objects, in git of every version. */
const UNCHECKED: readonly Change[] = [
  { file: 'src/workspace/git/made-commits.ts', from: '  if (!isDone(checked)) return refusedBy(checked);\n', to: '' },
  {
    file: 'src/workspace/git/own-repository.ts',
    from: '[fetch]\n\tfsckObjects = true',
    to: '[fetch]\n\tfsckObjects = false',
  },
  {
    file: 'src/workspace/git/own-repository.ts',
    from: '[transfer]\n\tfsckObjects = true',
    to: '[transfer]\n\tfsckObjects = false',
  },
];

test('threat 67 control: without the check of objects, a tree with .git in it is taken', async (t) => {
  const { exec, branches } = makeRepository(t);
  const { commits, data } = await exec(treeWith('.git', '040000'), ['--yes'], { change: UNCHECKED });
  assert.equal(commits?.taken, true, JSON.stringify(data));
  assert.equal(branches().length, 1);
});

const IN_THE_PROJECT: readonly [
  string,
  (git: (...words: string[]) => string, cwd: string, elsewhere: string) => void,
  RegExp,
][] = [
  ['a branch of that name', (git) => git('branch', 'skillwright'), /named `skillwright` is in the way/],
  ['a packed branch of that name', (git) => [git('branch', 'skillwright'), git('pack-refs', '--all')], /in the way/],
  ['a link in its place', (_, cwd, to) => symlinkSync(to, path.join(cwd, '.git/refs/heads/skillwright')), /in the way/],
  [
    'objects behind a link',
    (_, cwd, to) => {
      renameSync(path.join(cwd, '.git/objects'), path.join(to, 'objects'));
      symlinkSync(path.join(to, 'objects'), path.join(cwd, '.git/objects'));
    },
    /no plain folder/,
  ],
  [
    'a shallow clone',
    (git, cwd) => writeFileSync(path.join(cwd, '.git/shallow'), `${git('rev-parse', 'HEAD')}\n`),
    /shallow/,
  ],
  ['a partial clone', (git) => git('config', 'remote.origin.promisor', 'true'), /partial/],
  [
    'objects of another repository',
    (_, cwd, to) => {
      mkdirSync(path.join(to, 'objects'));
      writeFileSync(path.join(cwd, '.git/objects/info/alternates'), `${path.join(to, 'objects')}\n`);
    },
    /from another one/,
  ],
];

for (const [name, prepare, why] of IN_THE_PROJECT)
  test(`commits are not taken, and that is said: ${name}`, async (t) => {
    const { cwd, exec, git } = makeRepository(t);
    const elsewhere = temporaryFolder(t);
    prepare(git, cwd, elsewhere);
    // Without a tree to read, git could not commit in the layer: the ref alone is what a hostile script writes.
    const { commits, data } = await exec(`{ ${COMMIT}; } || printf '%040d\\n' 7 > .git/refs/heads/main`);
    assert.equal(commits?.taken, false, JSON.stringify(data));
    assert.match(commits?.refused ?? '', why);
    const link = path.join(cwd, '.git/refs/heads/skillwright');
    if (existsSync(link) && lstatSync(link).isSymbolicLink()) assert.deepEqual(readdirSync(elsewhere), []);
  });

test('where .git is a file, where there is none, and in a bare repository commits are not taken, and that is said', async (t) => {
  const { cwd, exec, git } = makeRepository(t);
  renameSync(path.join(cwd, '.git'), path.join(cwd, 'store'));
  writeFileSync(path.join(cwd, '.git'), 'gitdir: store\n');
  git('config', 'core.worktree', '..');
  const file = await exec(COMMIT);
  assert.match(file.commits?.refused ?? '', /`\.git` is a file/, JSON.stringify(file.data));
  assert.equal(git('log', '--format=%s', 'main'), 'first');
  renameSync(path.join(cwd, 'store'), path.join(temporaryFolder(t), 'gone'));
  renameSync(path.join(cwd, '.git'), path.join(temporaryFolder(t), 'gone'));
  const none = await exec(`git init -q -b main; ${COMMIT}`);
  assert.match(none.commits?.refused ?? '', /no repository of its own/, JSON.stringify(none.data));
  const plain = await exec('mkdir -p refs/heads; printf "%040d\\n" 7 > refs/heads/main');
  assert.equal(plain.commits, undefined, 'a folder of that name is no repository');

  const bare = makeRepository(t);
  for (const name of readdirSync(path.join(bare.cwd, '.git')))
    renameSync(path.join(bare.cwd, '.git', name), path.join(bare.cwd, name));
  rmdirSync(path.join(bare.cwd, '.git'));
  const made = await bare.exec('printf "%040d\\n" 7 > refs/heads/main');
  assert.match(made.commits?.refused ?? '', /bare repository/, JSON.stringify(made.data));
});

test('names that git would not take, or that are no plain ones, are left out, and that is said', async (t) => {
  const { exec, branches } = makeRepository(t);
  const names = ['a b', '-x', 'x.lock', 'a..b', '@{1}', '$(touch ran)', '..x', 'x~1', 'x:y'];
  const written = names.map((name) => `cp .git/refs/heads/main '.git/refs/heads/${name}'`).join('; ');
  const { commits, data, code } = await exec(`${COMMIT}; ${written}; ln -s main .git/refs/heads/link`);
  assert.equal(code, 4, JSON.stringify(data));
  assert.deepEqual(commits?.not_taken, names.map((name) => `refs/heads/${name}`).sort());
  assert.equal(branches().length, 1);
  const odd = makeRepository(t);
  const standing = await odd.exec(
    `${COMMIT}; cp .git/refs/heads/main '.git/refs/heads/a b'; git checkout -q HEAD~1; git branch -f main HEAD; echo 'ref: refs/heads/a b' > .git/HEAD`,
  );
  assert.equal(standing.commits?.branches[0]?.of, 'a b', JSON.stringify(standing.data));
  assert.equal(odd.branches().length, 1);
});

test('more commits than anybody would look at are refused', async (t) => {
  const { exec, branches } = makeRepository(t);
  const many = `for n in $(seq 10001); do printf 'commit refs/heads/main\\ncommitter S <s@x> %s +0000\\ndata 1\\nx\\n' $n; test $n = 1 && printf 'from %s\\n' $(git rev-parse HEAD); done | git fast-import --quiet`;
  const { commits, data } = await exec(many);
  assert.match(commits?.refused ?? '', /more than 10000/, JSON.stringify(data).slice(0, 600));
  assert.deepEqual(branches(), []);
});
