import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shell from 'unbash';
import { parseSkill } from '../../skill/manifest.ts';
import type { ScriptKind } from '../../skill/need/script-kind.ts';
import { findPackages } from './find.ts';

const { manifest } = parseSkill('---\nname: x\ndescription: x\n---\n', { path: 'SKILL.md', folderName: 'x' });

function find(files: Readonly<Record<string, readonly [kind: ScriptKind, text: string]>>) {
  assert.ok(manifest);
  const sources = Object.entries(files).map(([path, [kind, text]]) => ({ path, kind, text }));
  return findPackages(sources, { manifest, paths: Object.keys(files), shell });
}

function names(kind: ScriptKind, text: string): string[] {
  const path = { python: 'a.py', javascript: 'a.js', shell: 'a.sh', instructions: 'SKILL.md' }[String(kind)] ?? 'a';
  return find({ [path]: [kind, text] }).needs.map(({ name, spec }) => name + spec);
}

test('command lines in shell scripts and code count where they are run, install lines wherever they are said', () => {
  const cases: [kind: ScriptKind, text: string, found: string[]][] = [
    ['shell', 'echo "run: npx not-run x"; npx -y is-run@2', ['is-run2']],
    ['shell', '# npx not-run\ncat <<E\nnpx not-run\npip install is-said\nE\nA=1 uvx is-run', ['is-said', 'is-run']],
    ['shell', 'if x; then sudo pip install "is-a>=1,<2" is-b; fi', ['is-a>=1,<2', 'is-b']],
    ['shell', 'run pip install -e . failed — it may not work', []],
    ['shell', 'command -v npx >/dev/null || die "npx is missing"', []],
    ['javascript', 'spawnSync("npx", ["-y", "is-run", "x"]); console.log("npx not-run x")', ['is-run']],
    ['javascript', '// usage: npx -y not-run x\nconst s = `npx not-run`;', []],
    ['javascript', 'fail(`Install it (e.g. "bun add is-a" or "npm add is-b")`)', ['is-a', 'is-b']],
    ['python', 'run([sys.executable, "-m", "pip", "install", "-q", "is-a"], check=True)', ['is-a']],
    ['python', 'print("pip install is-a is-b")', ['is-a', 'is-b']],
    ['instructions', 'Use npm install to install it all. Then pip install.', []],
    ['instructions', '- `npm init @is-own/app` and `npm create is-made`', ['@is-own/create-app', 'create-is-made']],
    ['instructions', '`uv run --with is-a,is-b --with "is-c==1" x.py --flag pip`', ['is-a', 'is-b', 'is-c==1']],
  ];
  for (const [kind, text, found] of cases) assert.deepEqual(names(kind, text).sort(), [...found].sort(), text);
});

test('an own module hides a package only where it can be imported, and a guess is made for no folder of authors', () => {
  const found = find({
    'docx/scripts/a.py': ['python', 'import docx, yaml, of_nobody, utils.x, own_far, your_module, _private\n'],
    'docx/scripts/yaml.py': ['python', ''],
    'lib/own_far.py': ['python', ''],
    'b.py': ['python', 'import sys\nsys.path.insert(0, "..")\nimport of_somewhere, PIL\n'],
  });
  assert.deepEqual(
    found.needs.map(({ name, certainty }) => `${name} ${certainty}`),
    ['pillow imported', 'python-docx imported', 'of-nobody guessed'],
  );
});

test('where a package is needed and may be left out, it is needed; markers and extras are kept', () => {
  const found = find({
    'a.py': ['python', 'import requests\n'],
    'requirements.txt': [
      'packages',
      'tomli; python_version < "3.11"\nrequests[socks]; extra == "x"\nrequests[security]\n',
    ],
    'references/x.md': ['reference', '`pip install requests only-here`'],
  });
  const shown = found.needs.map(({ name, marker, extras, optional }) => [name, marker, extras.join(), optional]);
  assert.deepEqual(shown, [
    ['requests', '', 'security,socks', false],
    ['tomli', 'python_version < "3.11"', '', false],
    ['only-here', '', '', true],
  ]);
});

const MOST_SECONDS = 10;

test('a large file of nonsense is read to its end', { timeout: 300_000 }, () => {
  const size = 1024 * 1024;
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const hostile: [path: string, kind: ScriptKind, piece: string][] = [
    ['SKILL.md', 'instructions', '`'],
    ['SKILL.md', 'instructions', ' '],
    ['SKILL.md', 'instructions', `${' '.repeat(3990)}npx\n`],
    ['SKILL.md', 'instructions', `${'npx a '.repeat(600)}\n`],
    ['SKILL.md', 'instructions', `${'pip install '.repeat(300)}\n`],
    ['a.js', 'javascript', 'import {'],
    ['a.js', 'javascript', `",${' '.repeat(3990)}\n`],
    ['a.js', 'javascript', 'export '],
    ['a.py', 'python', '# /// script\n'],
    ['a.py', 'python', 'import a\n'],
    ['a.py', 'python', 'from a import (b,'],
    ['requirements.txt', 'packages', ' '],
    ['requirements.txt', 'packages', 'a\\\n'],
    ['requirements.txt', 'packages', 'a[b'],
    ['requirements.txt', 'packages', 'abc==1,'],
    ['pyproject.toml', 'packages', '[a.b]\n'],
    ['pyproject.toml', 'packages', 'a.'],
    ['pyproject.toml', 'packages', 'a=["'],
    ['bun.lock', 'packages', '\n'],
    ['pnpm-lock.yaml', 'packages', '\n  a:'],
    ['yarn.lock', 'packages', 'a, '],
    ['package.json', 'packages', '{"dependencies":'],
  ];
  for (const [path, kind, piece] of hostile) {
    // Of the processor: others may be using it meanwhile.
    const before = process.cpuUsage();
    find({ [path]: [kind, fill(piece)] });
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    assert.ok(seconds < MOST_SECONDS, `${path} ${piece.slice(0, 20)}: ${seconds} s`);
  }
  const list = Array.from({ length: 40_000 }, (_, at) => `"p${at}>=${at % 9}"`).join(',\n');
  assert.ok(find({ 'pyproject.toml': ['packages', `[project]\ndependencies = [${list}]\n`] }).needs.length > 0);
});
