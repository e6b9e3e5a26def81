// Packages that a skill needs are found in each place where authors say them, and shown with place, certainty, state and one command.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace, type Place, skillText } from '../../support/place.ts';

interface ShownPackage {
  readonly kind: string;
  readonly ecosystem: string;
  readonly name: string;
  readonly spec: string;
  readonly certainty: string;
  readonly optional: boolean;
  readonly found_in: readonly string[];
  readonly state: string;
  readonly command: string | null;
}

interface Shown {
  readonly packages: readonly ShownPackage[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly line?: number }[];
}

type Files = Readonly<Record<string, string>>;

function place(t: Parameters<typeof makePlace>[0], files: Files, front = '', body = ''): Place {
  const skill = { 'SKILL.md': skillText(`name: brings\ndescription: Brings packages.${front}`) + body, ...files };
  const named = Object.entries(skill).map(([file, text]) => [`project/.agent/skills/brings/${file}`, text] as const);
  return makePlace(t, Object.fromEntries(named));
}

async function show({ run }: Place, command = 'doctor'): Promise<Shown> {
  const { stdout } = await run(command, 'brings', '--json');
  const { needs, diagnostics = [] }: { needs: ShownPackage[]; diagnostics?: Shown['diagnostics'] } =
    JSON.parse(stdout).data;
  return { packages: needs.filter(({ kind }) => kind === 'package'), diagnostics };
}

/** `certainty ecosystem:name spec place`, in their order. */
function lines({ packages }: Shown): string[] {
  return packages.map(({ certainty, ecosystem, name, spec, optional, found_in }) =>
    [certainty, `${ecosystem}:${name}`, spec, optional ? 'optional' : '', found_in[0]].filter(Boolean).join(' '),
  );
}

test('the block of a Python script', async (t) => {
  const script = `#!/usr/bin/env -S uv run --script
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "no-such-a>=1.2,<2",
#   "No_Such.B[extra,More]==2.0; python_version >= '3.8'",
# ]
# [tool.uv]
# index-url = "https://index.quiet.dev/simple"
# ///
import no_such_a, other_name_of_b
`;
  const shown = await show(place(t, { 'scripts/a.py': script }));
  assert.deepEqual(lines(shown), [
    'declared python:no-such-a >=1.2,<2 scripts/a.py:5',
    'declared python:no-such-b ==2.0 scripts/a.py:6',
  ]);
  assert.deepEqual(
    shown.packages.map(({ state, command }) => [state, command]),
    Array(2).fill(['missing', 'skillwright prepare brings']),
  );
  assert.match(
    shown.diagnostics.map(({ message }) => message).join('\n'),
    /tool\.uv\.index-url is noted and never obeyed/,
  );
});

test('requirements files: others they name, constraints, hashes, extras, markers, lines that go on, and options never obeyed', async (t) => {
  const files = {
    'requirements.txt': `# all of it
-r requirements/more.txt
-c constraints.txt
--index-url https://user:secret@index.quiet.dev/simple
--extra-index-url=https://other.quiet.dev
no-such-a[x]~=1.0 ; sys_platform == "linux"  # why
no-such-b == 2.1 \\
    --hash=sha256:${'a'.repeat(64)} \\
    --hash=sha256:${'b'.repeat(64)}
no-such-c
-e ./own
./wheels/x.whl
-r ../../none.txt
?what
`,
    'requirements/more.txt': 'no-such-d>=3\n',
    'constraints.txt': 'no-such-c==4.0\nno-such-unused==1\n',
    'requirements-dev.txt': '-r requirements.txt\nno-such-dev\n',
  };
  const shown = await show(place(t, files));
  assert.deepEqual(lines(shown), [
    'declared python:no-such-a ~=1.0 requirements.txt:6',
    'declared python:no-such-b ==2.1 requirements.txt:7',
    'declared python:no-such-c ==4.0 requirements.txt:10',
    'declared python:no-such-d >=3 requirements/more.txt:1',
  ]);
  const said = shown.diagnostics
    .filter(({ code }) => code === 'packages-not-read')
    .map(({ line, message }) => `${line} ${message}`);
  assert.equal(said.length, 6, said.join('\n'));
  for (const part of [
    /^4 --index-url is noted/,
    /^5 --extra-index-url is noted/,
    /^11 -e \.\/own names/,
    /^12 \.\/wheels\/x\.whl names/,
    /^13 -r \.\.\/\.\.\/none\.txt is not among/,
    /^14 \?what is not understood/,
  ])
    assert.ok(
      said.some((line) => part.test(line)),
      `${part} ${said.join('\n')}`,
    );
  assert.doesNotMatch(JSON.stringify(shown), /secret/);
});

test('pyproject.toml: the project, its extras and groups, poetry, and the exact version of a lock beside it', async (t) => {
  const files = {
    'pyproject.toml': `[project]
name = "brings-own"
dependencies = [
  "no-such-a>=1", # a comment
  'no-such-b[x] ; python_version < "4"',
]
[project.optional-dependencies]
charts = ["no-such-chart"]
dev = ["no-such-dev"]
[dependency-groups]
test = ["no-such-test"]
[tool.poetry.dependencies]
python = "^3.11"
no-such-poetry = "^1.2"
no-such-maybe = { version = "~2.0", optional = true }
[tool.poetry.group.dev.dependencies]
no-such-lint = "*"
`,
    'uv.lock': `version = 1
[[package]]
name = "no-such-a"
version = "1.4.2"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "of-another"
version = "9"
`,
    'src/x.py': 'import brings_own\n',
  };
  assert.deepEqual(lines(await show(place(t, files))), [
    'declared python:no-such-a ==1.4.2 pyproject.toml:4',
    'declared python:no-such-b pyproject.toml:5',
    'declared python:no-such-chart optional pyproject.toml:8',
    'declared python:no-such-maybe >=2.0,<2.1 optional pyproject.toml:15',
    'declared python:no-such-poetry >=1.2,<2 pyproject.toml:14',
  ]);
});

test('package.json: needed, peers, optional, those for development left out, and the exact version of each kind of lock', async (t) => {
  const manifest = JSON.stringify(
    {
      name: 'own-name',
      dependencies: { 'no-such-a': '^1.0.0', '@no-such/b': '~2', 'own-part': 'workspace:*' },
      peerDependencies: { 'no-such-peer': '*', 'no-such-perhaps': '>=1' },
      peerDependenciesMeta: { 'no-such-perhaps': { optional: true } },
      optionalDependencies: { 'no-such-optional': '3.x' },
      devDependencies: { 'no-such-dev': '1', 'no-such-tool': '^5.1.0' },
    },
    null,
    2,
  );
  const script = "import 'no-such-tool/register'; import 'own-name'; import 'own-part';\n";
  const wanted = (a: string) => [
    'declared node:@no-such/b ~2 package.json:5',
    `declared node:no-such-a ${a} package.json:4`,
    'declared node:no-such-optional 3.x optional package.json:18',
    'declared node:no-such-peer package.json:9',
    'declared node:no-such-perhaps >=1 optional package.json:10',
    'declared node:no-such-tool ^5.1.0 package.json:22',
  ];
  const files = { 'package.json': manifest, 'scripts/a.mjs': script };
  assert.deepEqual(lines(await show(place(t, files))), wanted('^1.0.0'));
  const locks: Files = {
    'package-lock.json': '{"lockfileVersion":3,"packages":{"node_modules/no-such-a":{"version":"1.7.3"}}}',
    'yarn.lock': '"no-such-a@^0.1", "no-such-a@^1.0.0":\n  version "1.7.3"\n  resolved "https://x"\n',
    'pnpm-lock.yaml':
      'importers:\n  .:\n    dependencies:\n      no-such-a:\n        specifier: ^1.0.0\n        version: 1.7.3(peer@1)\n',
    'bun.lock': '{ "packages": {\n    "no-such-a": ["no-such-a@1.7.3", "", {}, "sha512-x"],\n} }',
  };
  for (const [name, text] of Object.entries(locks))
    assert.deepEqual(lines(await show(place(t, { ...files, [name]: text }))), wanted('1.7.3'), name);
});

test('steps of metadata.openclaw.install', async (t) => {
  const front = `
metadata:
  openclaw:
    install:
      - { kind: uv, package: "no-such-a>=2", bins: [a] }
      - { kind: node, package: "@no-such/b@^1" }
      - { kind: brew, formula: not-ours }`;
  assert.deepEqual(lines(await show(place(t, {}, front))), [
    'declared node:@no-such/b ^1 SKILL.md:8',
    'declared python:no-such-a >=2 SKILL.md:7',
  ]);
});

test('install lines in code blocks, inline code and prose of SKILL.md and references', async (t) => {
  const body = `
Run pip install no-such-prose first, then go on. Use \`uvx no-such-tool@1.2 x\`, not \`npm install\` alone.

\`\`\`bash
$ python3 -m pip install -U "no-such-a[x]>=1" no-such-b==2 && npx -y no-such-npx run
uv pip install --index-url https://index.quiet.dev no-such-uv -r requirements.txt ./local
uv add no-such-added
pipx install no-such-pipx
npm i -g no-such-i @no-such/scoped@^3; yarn add no-such-yarn
pnpm add no-such-pnpm \\
  no-such-second
bun add no-such-bun
pip install <package> $PACKAGE your-package
\`\`\`
`;
  const reference = 'To draw, `pip3 install no-such-ref`.\n';
  const shown = lines(await show(place(t, { 'references/more.md': reference }, '', body)));
  assert.deepEqual(shown, [
    'stated node:@no-such/scoped ^3 SKILL.md:14',
    'stated node:no-such-bun SKILL.md:17',
    'stated node:no-such-i SKILL.md:14',
    'stated node:no-such-npx SKILL.md:10',
    'stated node:no-such-pnpm SKILL.md:15',
    'stated node:no-such-second SKILL.md:15',
    'stated node:no-such-yarn SKILL.md:14',
    'stated python:no-such-a >=1 SKILL.md:10',
    'stated python:no-such-added SKILL.md:12',
    'stated python:no-such-b ==2 SKILL.md:10',
    'stated python:no-such-pipx SKILL.md:13',
    'stated python:no-such-prose SKILL.md:7',
    'stated python:no-such-ref optional references/more.md:1',
    'stated python:no-such-tool ==1.2 SKILL.md:7',
    'stated python:no-such-uv SKILL.md:11',
  ]);
});

test('imports of Python: by the table, deep inside, tried, guessed; never the standard library, types, or its own modules', async (t) => {
  const files = {
    'scripts/a.py': `import os, json
from typing import TYPE_CHECKING
import helper, package.part
from . import beside
import ruamel.yaml as yaml_by_table
from google.cloud import translate, kms
import no_such_guess.sub
if TYPE_CHECKING:
    import no_such_types
try:
    import skfuzzy_no_such
except ImportError:
    skfuzzy_no_such = None
try:
    import pyvisa
except ImportError:
    raise SystemExit("pip install pyvisa")
def late():
    from pymodbus.client import ModbusTcpClient
    __import__("zeep")
text = "import no_such_text"
`,
    'scripts/helper.py': '',
    'scripts/package/part.py': '',
    'bin/run.sh': '#!/bin/bash\npython3 - <<E\nimport snap7\nE\n',
  };
  const shown = await show(place(t, files));
  assert.deepEqual(lines(shown), [
    'stated python:pyvisa scripts/a.py:17',
    'imported python:google-cloud-kms scripts/a.py:6',
    'imported python:google-cloud-translate scripts/a.py:6',
    'imported python:pymodbus scripts/a.py:19',
    'imported python:python-snap7 bin/run.sh:3',
    'imported python:ruamel-yaml scripts/a.py:5',
    'imported python:zeep scripts/a.py:20',
    'guessed python:no-such-guess scripts/a.py:7',
    'guessed python:skfuzzy-no-such optional scripts/a.py:11',
  ]);
});

test('imports of JavaScript and TypeScript: each form, deno, tried; never Node, types, paths or addresses', async (t) => {
  const files = {
    'a.mjs': `import fs from 'node:fs'; import path from 'path'; import './b.ts';
import one from 'no-such-one/deep'; export * from '@no-such/two';
const three = require('no-such-three');
const four = await import('no-such-four');
try { require('no-such-five'); } catch {}
import six from 'npm:no-such-six@^6.1'; import not from 'https://esm.sh/not'; import std from 'jsr:@std/x';
import alias from '@/alias'; import hash from '#hash';
const said = "import x from 'no-such-said'"; // require('no-such-comment')
await import(\`no-such-\${said}\`);
`,
    'b.ts':
      "import type { T } from 'no-such-type';\nimport { type U } from 'no-such-types';\nimport { type V, w } from 'no-such-seven';\n",
  };
  assert.deepEqual(lines(await show(place(t, files))), [
    'imported node:@no-such/two a.mjs:2',
    'imported node:no-such-five optional a.mjs:5',
    'imported node:no-such-four a.mjs:4',
    'imported node:no-such-one a.mjs:2',
    'imported node:no-such-seven b.ts:3',
    'imported node:no-such-six ^6.1 a.mjs:6',
    'imported node:no-such-three a.mjs:3',
  ]);
});

test('an import joins what is declared for it under another name, and versions that cannot be had together are named', async (t) => {
  const files = {
    'requirements.txt': 'opencv-python-headless>=4\nno-such-a==1.0\nno-such-c>=2\n',
    'a.py': '# /// script\n# dependencies = ["no-such-a>=1.5", "no-such-c<3"]\n# ///\nimport cv2\n',
  };
  const shown = await show(place(t, files));
  assert.deepEqual(lines(shown), [
    'declared python:no-such-a >=1.5 a.py:2',
    'declared python:no-such-c <3,>=2 a.py:2',
    'declared python:opencv-python-headless >=4 requirements.txt:1',
  ]);
  const conflicts = shown.diagnostics.filter(({ code }) => code === 'packages-conflict');
  assert.deepEqual(
    conflicts.map(({ message }) => message),
    ['No version of no-such-a is all of these: >=1.5 (a.py:2), ==1.0 (requirements.txt:2)'],
  );
});

test('inspect, doctor, consent and install show packages in both languages, and the same command', async (t) => {
  const files = { 'a.py': 'import no_such_guess\n', 'b.mjs': "import 'no-such-node';\n" };
  const made = place(t, files);
  for (const command of ['inspect', 'doctor', 'consent'])
    assert.deepEqual(
      (await show(made, command)).packages.map(({ name, state, command: mend }) => [name, state, mend]),
      ['no-such-node', 'no-such-guess'].map((name) => [name, 'missing', 'skillwright prepare brings']),
      command,
    );
  const human = (await made.run('doctor', 'brings')).stdout;
  assert.match(human, /no-such-node +Node package +missing +b\.mjs:1 \(imported\)/);
  assert.match(human, /no-such-guess +Python package +missing +a\.py:1 \(guessed\)/);
  assert.equal(human.match(/skillwright prepare brings/g)?.length, 1);
  for (const command of ['inspect', 'consent']) {
    const { stdout } = await made.run(command, 'brings');
    assert.match(
      stdout,
      /no-such-guess +Python package +missing +a\.py:1 \(guessed\)[\s\S]*\n {2}skillwright prepare brings\n/,
      command,
    );
  }
  const chinese = (await made.run('doctor', 'brings', '--lang', 'zh')).stdout;
  assert.match(chinese, /no-such-guess +Python 软件包 +缺失 +a\.py:1（猜测）/);
  const plan = await made.run('install', '.agent/skills/brings', '--scope', 'user', '--dry-run');
  assert.match(
    plan.stdout,
    /imports packages of others[^\n]*`skillwright prepare brings`[\s\S]*Python package no-such-guess \(a\.py:1, guessed\)/,
  );
});

test('what is there counts as there, in the version that is asked for, and nothing of it is run', async (t) => {
  const broken = 'throw new Error("was run");\n';
  const files = {
    'a.mjs': "import 'no-such-node'; import 'no-such-old';\n",
    'package.json': '{"dependencies":{"no-such-old":"^2.0.0"}}',
    'b.py': 'import pip\n',
    'pip_like.py': 'raise SystemExit("was run")\n',
    'node_modules/no-such-node/package.json': '{"name":"no-such-node","version":"1.2.3"}',
    'node_modules/no-such-node/index.js': broken,
    'node_modules/no-such-old/package.json': '{"name":"no-such-old","version":"1.9.0"}',
  };
  const { packages } = await show(place(t, files));
  const states = packages.map(({ name, state, command }) => [name, state, command]);
  assert.deepEqual(
    states.filter(([name]) => name !== 'pip'),
    [
      ['no-such-old', 'missing', 'skillwright prepare brings'],
      ['no-such-node', 'present', null],
    ],
  );
});

test('a call that misses a module names the command that prepares the skill', async (t) => {
  const made = place(t, { 'a.py': 'import no_such_guess\n', 'b.mjs': "import 'no-such-node';\n" });
  for (const [script, module] of [
    ['a.py', 'no_such_guess'],
    ['b.mjs', 'no-such-node'],
  ] as const) {
    const { stdout } = await made.run('exec', 'brings', script, '--yes', '--json');
    const { summary, data } = JSON.parse(stdout);
    assert.match(summary, new RegExp(`the module ${module} is not installed`));
    assert.match(data.hint, /`skillwright prepare brings`/);
    const { stderr } = await made.run('exec', 'brings', script, '--yes');
    assert.match(stderr, new RegExp(`${module}[^]*\\n\`skillwright prepare brings\` brings the packages`));
  }
});
