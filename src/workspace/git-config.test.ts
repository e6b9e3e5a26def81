import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGitConfig, plainGitConfig } from './git-config.ts';

test('of the settings of a repository nothing is left that holds a secret or runs something', () => {
  const text = `[core]
\trepositoryformatversion = 0
\tfsmonitor = touch /tmp/x
\thooksPath = hooks
\tbare = false
[remote "origin"]
\turl = https://user:token@host/a.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[credential]
\thelper = store
[include]
\tpath = ../other
[alias] x = !sh
[user]
\tname = A Person
\temail = a@b.example
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[core "x\\" y"] z
\tpager = less
`;
  assert.equal(
    plainGitConfig(text),
    `[core]
\trepositoryformatversion = 0
\tbare = false
[remote "origin"]
\turl = https://host/a.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[user]
\tname = A Person
\temail = a@b.example
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`,
  );
  for (const file of ['.git/config', 'sub/.git/config', '.GIT/config']) assert.ok(isGitConfig(file), file);
  for (const file of ['git/config', '.git/config.worktree', '.docker/config.json'])
    assert.equal(isGitConfig(file), false);
});
