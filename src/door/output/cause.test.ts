import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CauseKind, explainCause, findCause } from './cause.ts';

const NODE = '\n    at Object.openSync (node:fs:573:18)\n    at main (/p/x.js:1:1)';

/** What was said, and what is made of it. */
const SAID: readonly (readonly [said: string, kind: CauseKind | undefined, name?: string])[] = [
  ["FileNotFoundError: [Errno 2] No such file or directory: 'in.txt'", 'missing-file', 'in.txt'],
  ['FileNotFoundError: [Errno 2] No such file or directory: "it\'s.txt"', 'missing-file', "it's.txt"],
  ["python3: can't open file '/p/x.py': [Errno 2] No such file or directory", 'missing-file', '/p/x.py'],
  ["Error: ENOENT: no such file or directory, open 'a b.txt'", 'missing-file', 'a b.txt'],
  ["Error: Cannot find module '/p/none.js'", 'missing-file', '/p/none.js'],
  ['cat: in.txt: No such file or directory', 'missing-file', 'in.txt'],
  ['run.sh: line 3: ./tool: No such file or directory', 'missing-file', './tool'],
  ["ls: cannot access 'a b': No such file or directory", 'missing-file', 'a b'],
  ['sh: 0: cannot open none.sh: No such file', 'missing-file', 'none.sh'],
  ["sed: can't read x.txt: No such file or directory", 'missing-file', 'x.txt'],
  ['Can\'t open perl script "x.pl": No such file or directory', 'missing-file', 'x.pl'],
  ['jq: error: Could not open file in.json: No such file or directory', 'missing-file', 'in.json'],
  ['pandoc: in.md: withBinaryFile: does not exist (No such file or directory)', 'missing-file', 'in.md'],
  ["x.rb:1:in 'read': No such file or directory @ rb_sysopen - in.txt (Errno::ENOENT)", 'missing-file', 'in.txt'],
  ["PermissionError: [Errno 13] Permission denied: '.env'", 'hidden-file', '.env'],
  ["Error: EACCES: permission denied, open '/p/keys/id_rsa'", 'hidden-file', '/p/keys/id_rsa'],
  ['cat: sub/.env.local: Permission denied', 'hidden-file', 'sub/.env.local'],
  ["PermissionError: [Errno 13] Permission denied: '/etc/x'", 'closed-path', '/etc/x'],
  ["OSError: [Errno 30] Read-only file system: '/usr/x'", 'closed-path', '/usr/x'],
  ["cp: cannot create regular file '/etc/x': Read-only file system", 'closed-path', '/etc/x'],
  ['mkdir: cannot create directory ‘/srv/x’: Permission denied', 'closed-path', '/srv/x'],
  ['sh: 1: cannot create /etc/x: Permission denied', 'closed-path', '/etc/x'],
  ["ModuleNotFoundError: No module named 'docx'", 'missing-module', 'docx'],
  ["Error: Cannot find module 'left-pad'", 'missing-module', 'left-pad'],
  ['run.sh: line 1: pandoc: command not found', 'missing-program', 'pandoc'],
  ['/usr/bin/env: ‘python3.7’: No such file or directory', 'missing-program', 'python3.7'],
  [`Error: spawn soffice ENOENT${NODE}`, 'missing-program', 'soffice'],
  ['ValueError: no such sheet', undefined],
  ['3 problems in a.py', undefined],
  ['the file a.txt: not found', undefined],
  ['', undefined],
];

test('each tool and interpreter says it in its own words, and the cause is one', () => {
  for (const [said, kind, name] of SAID) {
    const found = findCause(said, said);
    assert.deepEqual(found && [found.kind, found.name], kind && [kind, name], `${said} → ${JSON.stringify(found)}`);
  }
});

test('what a package may bring is told with the command that prepares packages, and other modules are not', () => {
  const hintOf = (said: string) => {
    const cause = findCause(said, said);
    return cause ? explainCause(cause).hint : { en: '', zh: '' };
  };
  for (const said of [
    "ModuleNotFoundError: No module named 'docx'",
    '/usr/bin/python3: No module named markitdown',
    "Error: Cannot find module 'left-pad'",
    "Cannot find package 'zod' imported from /x/y.mjs",
  ]) {
    assert.match(hintOf(said).en, /`skillwright prepare <skill>`/, said);
    assert.match(hintOf(said).zh, /`skillwright prepare <技能>`/, said);
  }
  for (const said of [
    'cannot load such file -- nokogiri (LoadError)',
    "Can't locate JSON.pm in @INC",
    "Cannot find module './own.js'",
  ])
    assert.doesNotMatch(hintOf(said).en, /prepare/, said);
});

test('a part that is not installed is the cause wherever it was said, a path only where it was said last', () => {
  const early = 'cat: old.txt: No such file or directory\nTypeError: nothing to add';
  assert.equal(findCause(early, 'TypeError: nothing to add'), undefined);
  const both = 'run.sh: line 1: pandoc: command not found\ncat: out.md: No such file or directory';
  assert.deepEqual(findCause(both, 'cat: out.md: No such file or directory'), {
    kind: 'missing-program',
    name: 'pandoc',
  });
});

test('every cause has words of its own in each language, and names what it is about', () => {
  const kinds = ['missing-module', 'missing-program', 'hidden-file', 'closed-path', 'missing-file'] as const;
  const told = kinds.map((kind) => explainCause({ kind, name: 'x\u001b[2J' }));
  for (const { detail, hint } of told) {
    assert.match(detail.en, /x\\u\{1b\}/);
    assert.match(detail.zh, /\p{Script=Han}/u);
    assert.match(hint.zh, /\p{Script=Han}/u);
  }
  assert.equal(new Set(told.map(({ detail }) => detail.en)).size, kinds.length);
  const far = explainCause({ kind: 'missing-file', name: '/elsewhere/x' });
  assert.match(far.hint.en, /outside of what a call sees/);
});
