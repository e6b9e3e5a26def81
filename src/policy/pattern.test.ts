import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../test/support/changed/changed-source.ts';
import { repository } from '../../test/support/support.ts';
import { placesAt } from '../../test/support/world/places.ts';
import { splitWords } from '../base/text/split-words.ts';
import { decide } from './decide.ts';
import { coversCall, matchCommand } from './pattern.ts';
import type { Policy } from './policy.ts';
import { matchesPath, matchesWord } from './wildcard.ts';

const places = placesAt('/p', '/home/u', ['/p/mybox']);
const corpus = readFileSync(path.join(repository, 'src/policy/command/bypass.corpus.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [pattern = '', argv = '[]'] = line.split('\t');
    return { pattern, argv: JSON.parse(argv) as string[] };
  });

// The laxest user there is: nothing needs approval, so that the pattern alone stands in the way.
function laxPolicy(pattern: string): Policy {
  return {
    settings: { default: 'ask', requireApprovalFor: [] },
    skills: [{ name: 'attacker', allowedTools: [{ tool: 'Bash', pattern }] }],
    places,
  };
}

test('threat 30 blocked: no line of the bypass corpus is allowed', () => {
  assert.ok(corpus.length >= 200);
  const through = corpus.filter(
    ({ pattern, argv }) => decide({ tool: 'run_command', argv }, laxPolicy(pattern)).effect === 'allow',
  );
  assert.deepEqual(through, []);
});

test('threat 30 control: without the guard the same lines pass', async () => {
  const unguarded = await changed<typeof import('./decide.ts')>('src/policy/decide.ts', {
    file: 'src/policy/pattern.ts',
    from: 'refuseStretch(argv, spelledOut(words))',
    to: 'undefined',
  });
  const through = corpus.filter(
    ({ pattern, argv }) => unguarded.decide({ tool: 'run_command', argv }, laxPolicy(pattern)).effect === 'allow',
  );
  assert.ok(through.length >= 200, `${through.length}`);
});

test('everyday commands match the pattern written for them', () => {
  const everyday: [string, string[]][] = [
    ['git:*', ['git', 'status']],
    ['git:*', ['git', 'switch', '-c', 'new-branch']],
    ['git:*', ['git', 'push', '-u', 'origin', 'main']],
    ['git:*', ['git', '--no-pager', 'log', '--oneline', '-5']],
    ['git *', ['git', 'diff', '--text', 'a..b', '--', 'x.ts']],
    ['git commit:*', ['git', 'commit', '-m', 'Fix a & b; see <x@y>\n\nBody']],
    ['git', ['git']],
    ['npm run test:*', ['npm', 'run', 'test', '--', '--watch']],
    ['npm *', ['npm', 'run', 'build']],
    ['npx degit:*', ['npx', 'degit', 'a/b', '--force']],
    ['jq:*', ['jq', '.a | .b', 'x.json']],
    ['grep:*', ['grep', '-rE', 'a|b', 'src']],
    ['curl:*', ['curl', '-sSL', 'https://example.com/?a=1&b=2']],
    ['curl:*', ['curl', '-s', '-X', 'POST', '-d', 'a=1', 'https://example.com/@scope/package']],
    ['gcc:*', ['gcc', '-O2', '-Wall', '-lBLAS', '-o', 'build/a', 'a.c']],
    ['g++:*', ['g++', '-std=c++20', '-Iinclude', '-c', 'a.cc']],
    ['clang-17:*', ['clang-17', '-fsyntax-only', 'a.c']],
    ['gtar:*', ['gtar', '-xzf', 'a.tar.gz']],
    ['tcc:*', ['tcc', '-o', 'a', 'a.c']],
    ['wget:*', ['wget', '-q', 'https://example.com/x.json']],
    ['ipython:*', ['ipython', 'x.py', '-c', 'a']],
    ['gradle:*', ['gradle', 'test']],
    ['convert:*', ['convert', 'a.png', '-resize', '50%', 'b.png']],
    ['python3:*', ['python3', '-u', 'x.py', '-c', 'config.ini']],
    ['python3 -m pytest:*', ['python3', '-m', 'pytest', '-k', 'x']],
    ['node:*', ['node', 'x.js', '-e']],
    ['node *list.js *', ['node', '/a/b/list.js', 'x']],
    ['bash -c "echo 1"', ['bash', '-c', 'echo 1']],
    ['find:*', ['find', '.', '-name', '*.ts']],
    ['tar:*', ['tar', 'xzf', 'a.tgz']],
    ['sed:*', ['sed', '-n', '1,10p', 'x']],
    ['sed:*', ['sed', 's/a/b/g', 'x']],
    ['make:*', ['make', 'test']],
    ['ctest:*', ['ctest', '--output-on-failure', '-j4', '-R', 'unit']],
    ['pytest:*', ['pytest', '-x', '-q', '--tb=short', 'tests']],
    ['pip:*', ['pip', 'list', '--outdated']],
    ['pip install:*', ['pip', 'install', 'requests']],
    ['eslint:*', ['eslint', '--fix', 'src']],
    ['jest:*', ['jest', '--testNamePattern', 'x', '--coverage']],
    ['mocha:*', ['mocha', '--bail', 'test/a.js']],
    ['bin/*', ['bin/setup']],
    ['oo *', ['oo', 'anything', '--at', 'all']],
    ['ls *', ['ls']],
  ];
  for (const [pattern, argv] of everyday) {
    assert.deepEqual(matchCommand(pattern, argv), { covers: true }, `${pattern} ${argv.join(' ')}`);
  }
});

test('paths match by segment and never leave the folder', () => {
  const rule = { tool: 'Read', pattern: 'src/**' };
  const covers = (file: string) => coversCall(rule, { tool: 'read_file', path: file }, places).covers;
  for (const file of ['src/a.ts', 'src', './src/x/y', '/p/src/a', 'src/../src/a']) assert.ok(covers(file), file);
  for (const file of ['srcx/a', 'src/../.env', '/src/a', '../p2/src/a', 'lib/src/a', 'src\0/a']) {
    assert.ok(!covers(file), file);
  }
  assert.ok(coversCall({ tool: 'Write', pattern: '*.md' }, { tool: 'write_file', path: 'a.md' }, places).covers);
  assert.ok(!coversCall({ tool: 'Write', pattern: '*.md' }, { tool: 'write_file', path: 'x/a.md' }, places).covers);
  const script = { tool: 'run_script', pattern: 'scripts/*' };
  assert.ok(coversCall(script, { tool: 'run_script', path: 'scripts/x.py' }, places).covers);
  assert.ok(!coversCall(script, { tool: 'run_script', path: '../scripts/x.py' }, places).covers);
});

test('web addresses match by host, not by text', () => {
  const covers = (pattern: string, url: string) =>
    coversCall({ tool: 'WebFetch', pattern }, { tool: 'network_request', url }, places).covers;
  assert.ok(covers('domain:example.com', 'https://example.com/x'));
  assert.ok(covers('domain:*.example.com', 'https://a.example.com/x'));
  assert.ok(covers('https://example.com/api/*', 'https://example.com/api/x'));
  const others = ['https://example.com.evil.io/', 'https://evil.io/example.com', 'https://example.com@evil.io/'];
  for (const url of [...others, 'ftp://example.com/', 'not a url', 'https://aexample.com']) {
    assert.ok(!covers('domain:example.com', url), url);
  }
  assert.ok(!covers('https://example.com/api/*', 'https://example.com/apiary'));
});

test('wildcards agree with the regular expression they stand for', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 8 });
  fc.assert(
    fc.property(word, fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 }), (pattern, text) => {
      const source = pattern.replace(/[.?*]/g, (sign) => ({ '.': '\\.', '?': '.', '*': '.*' })[sign] ?? sign);
      assert.equal(matchesWord(pattern, text), new RegExp(`^${source}$`).test(text));
    }),
  );
  assert.ok(!matchesWord(`${'a*'.repeat(500)}b`, 'a'.repeat(20_000)));
  assert.ok(matchesPath('**/x', 'a/b/x') && matchesPath('a/**/x', 'a/x') && !matchesPath('a/*', 'a/b/c'));
});

test('words split as a person quotes them', () => {
  assert.deepEqual(splitWords(`git commit -m "a \\"b" 'c d'e`), ['git', 'commit', '-m', 'a "b', 'c de']);
  assert.equal(splitWords('git "open'), undefined);
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z -]+$/)), (words) => {
      assert.deepEqual(splitWords(words.map((word) => `'${word}'`).join(' ')), words);
    }),
  );
});

test('a pattern of Bash covers the skill’s own scripts, by the interpreter or the name with which its author starts them', () => {
  const covers = (pattern: string, path: string, interpreter: string, argv: readonly string[] = ['x']) =>
    coversCall({ tool: 'Bash', pattern }, { tool: 'run_script', path, interpreter, argv }, places).covers;
  const own: [string, string, string][] = [
    ['python3:*', 'scripts/a.py', 'python'],
    ['python *', 'a.py', 'python'],
    ['uv run:*', 'scripts/a.py', 'python'],
    ['python3 scripts/a.py:*', 'scripts/a.py', 'python'],
    ['python3 {baseDir}/scripts/*', 'scripts/a.py', 'python'],
    ['{baseDir}/x.sh:*', 'x.sh', 'bash'],
    [`$${'{CLAUDE_SKILL_DIR}'}/x.sh:*`, 'x.sh', 'bash'],
    ['./scripts/*', 'scripts/x.sh', 'bash'],
    ['scripts/**', 'scripts/deep/x.sh', 'bash'],
  ];
  for (const [pattern, file, interpreter] of own) assert.ok(covers(pattern, file, interpreter), pattern);
  const others: [string, string, string][] = [
    ['git:*', 'scripts/a.py', 'python'],
    ['node:*', 'scripts/a.py', 'python'],
    ['uv run:*', 'scripts/x.sh', 'bash'],
    ['uv:*', 'scripts/a.py', 'python'],
    ['python3', 'scripts/a.py', 'python'],
    ['python3 -c:*', 'scripts/a.py', 'python'],
    ['python3 scripts/b.py:*', 'scripts/a.py', 'python'],
    ['python3 scripts/a.py --check:*', 'scripts/a.py', 'python'],
    ['./scripts/*', 'other/x.sh', 'bash'],
    ['/usr/bin/x.sh:*', 'x.sh', 'bash'],
    ['../x.sh:*', 'x.sh', 'bash'],
  ];
  for (const [pattern, file, interpreter] of others) assert.equal(covers(pattern, file, interpreter), false, pattern);
  assert.ok(covers('./x.sh', 'x.sh', 'bash', []), 'exactly these words');
  assert.equal(covers('./x.sh', 'x.sh', 'bash'), false, 'and no others');
});
