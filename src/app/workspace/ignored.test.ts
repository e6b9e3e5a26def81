import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/support.ts';
import { ignoredBy } from './ignored.ts';

const RULES = {
  '.gitignore': [
    '# a comment',
    'node_modules/',
    '*.py[cod]',
    '!keep.pyc',
    '/root-only',
    'doc/*.txt',
    '**/deep/x',
    'a/**/z',
    'logs/**',
    '\\#hash',
    '\\!bang',
    'space\\ ',
    'trailing   ',
    '[!a-c]q',
    'q?',
    'build',
    '*.[^a]x',
  ].join('\n'),
  'sub/.gitignore': '!*.pyc\n/local\nother/\n',
  '.git/info/exclude': 'excluded\n',
};

const PATHS = [
  ...['node_modules/a/b.js', 'sub/node_modules/x', 'm.pyc', 'keep.pyc', 'x/keep.pyc', 'sub/m.pyc', 'm.pyx', 'm.pya'],
  ...[
    'root-only',
    'sub/root-only',
    'doc/a.txt',
    'doc/b/a.txt',
    'sub/doc/a.txt',
    'deep/x',
    'u/v/deep/x',
    'a/z',
    'a/b/c/z',
  ],
  ...['logs/1', 'logs/a/2', '#hash', '!bang', 'space ', 'trailing', 'aq', 'dq', 'q1', 'q12', 'build/x', 'sub/build/y'],
  ...[
    'builds',
    'local',
    'sub/local',
    'sub/x/local',
    'sub/other/a',
    'excluded',
    'sub/excluded',
    'a.bx',
    'a.ax',
    'plain.txt',
  ],
];

test('the same paths are ignored as by git itself', (t) => {
  const folder = temporaryFolder(t);
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['init', '-q'], { cwd: folder, env });
  for (const [name, text] of Object.entries(RULES)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const listed = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
    cwd: folder,
    env,
    input: PATHS.join('\0'),
  });
  const isIgnored = ignoredBy(folder);
  const file = { kind: 'file', mode: 0o644, size: 0 } as const;
  assert.deepEqual(
    PATHS.filter((name) => isIgnored({ path: name, after: file })),
    listed
      .toString()
      .split('\0')
      .filter((name) => name !== ''),
  );
});

test('a hostile pattern costs no more than a plain one, and what is no text leaves nothing out', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, '.gitignore'), `${'*a'.repeat(2000)}b\n`);
  mkdirSync(path.join(folder, 'sub/.gitignore'), { recursive: true });
  const isIgnored = ignoredBy(folder);
  const startedAt = performance.now();
  assert.equal(isIgnored({ path: `sub/${'a'.repeat(200)}` }), false);
  assert.ok(performance.now() - startedAt < 2000);
});
