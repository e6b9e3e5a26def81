// What a script finds when it asks installers for packages, and what of them it must not find.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openEnvironmentDesk } from '../../support/environment/desk.ts';
import { npmPackage, wheel } from '../../support/environment/packages.ts';

const SAYS = 'def main():\n    import sys\n    print("said", *sys.argv[1:])\n';
const TOOL = wheel({
  name: 'tool-of',
  files: { 'tool_of.py': SAYS },
  scripts: ['tool-of = tool_of:main', 'git = tool_of:main'],
});
const BIN = npmPackage({
  name: 'teller',
  files: { 'run.js': '#!/usr/bin/env node\nconsole.log("told", ...process.argv.slice(2));\n' },
  manifest: { bin: { teller: 'run.js', git: 'run.js' } },
});

const FILES = {
  'requirements.txt': 'tool-of\n',
  'package.json': '{"dependencies": {"teller": "*"}}',
  'scripts/run.sh': 'eval "$1"\n',
  'scripts/own.py': 'import tool_of\ntool_of.main()\n',
};

const ANSWERED: readonly (readonly [string, RegExp])[] = [
  ['uv run "$SKILL/scripts/own.py" a b', /^said a b\n/],
  ['uv run --with tool-of python3 -c "import tool_of; tool_of.main()"', /^said\n/],
  ['uvx tool-of x', /^said x\n/],
  ['npx -y teller@latest y', /^told y\n/],
  ['pip install tool-of', /^Requirement already satisfied: tool-of\n/],
  ['pip install -q "tool-of==1.0" && python3 -c "import tool_of"', /^Requirement already satisfied/],
  ['npm install teller', /^up to date/],
  ['tool-of z', /^said z\n/],
  ['teller w', /^told w\n/],
  ['git --version', /^git version \d/],
  ['pip install absent', /pip: absent is not in the environment of this skill\..*`skillwright prepare uses`/],
  ['uvx absent', /uvx: absent is not in the environment.*`skillwright prepare uses`/],
  ['uv run --with absent x.py', /uv: absent is not in the environment.*`skillwright prepare uses`/],
  ['npx absent', /npx: absent is not in the environment.*`skillwright prepare uses`/],
  ['npm install absent', /npm: absent is not in the environment.*`skillwright prepare uses`/],
];

test('threat 83 blocked: installers are answered from the environment, and no package shadows a program of the system', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [TOOL], packages: [BIN] });
  const before = await desk.exec('scripts/run.sh', 'pip install tool-of');
  assert.match(before, /pip: tool-of is not in the environment of this skill\..*`skillwright prepare uses`/);
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  const skill = path.join(desk.project, '.agent/skills/uses');
  for (const [line, says] of ANSWERED) {
    const said = await desk.exec('scripts/run.sh', line.replace('$SKILL', skill));
    assert.match(said, says, line);
  }
});

test('the packages of the machine are seen unless the settings isolate, and then those of the environment alone', async (t) => {
  const shows =
    'import sys, sysconfig\nimport tool_of\nprint("include", any("dist-packages" in p or sys.base_prefix in p and "site-packages" in p for p in sys.path))\n';
  const desk = await openEnvironmentDesk(
    t,
    { ...FILES, 'scripts/sees.py': shows },
    { wheels: [TOOL], packages: [BIN] },
  );
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.match(await desk.exec('scripts/sees.py'), /^include True\n/);
  const isolated = desk.index.settings({ isolated: true });
  writeFileSync(path.join(desk.home, '.agent/config.json'), isolated);
  const between = await desk.exec('scripts/sees.py');
  assert.match(between, /were prepared with environment\.isolated: false, and your settings say true/);
  assert.match(between, /`skillwright prepare uses` builds them that way/);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.match(await desk.exec('scripts/sees.py'), /^include False\n/);
});

test('a configured virtual environment and node_modules are used where nothing was prepared', async (t) => {
  const files = {
    'scripts/a.py': 'import mine\nprint("venv", mine.NAME)\n',
    'scripts/a.mjs': 'import mine from "mine";\nconsole.log("modules", mine.name);\n',
  };
  const desk = await openEnvironmentDesk(t, files);
  const venv = path.join(path.dirname(desk.home), 'venv');
  const made = spawnSync('python3', ['-m', 'venv', '--without-pip', venv]);
  assert.equal(made.status, 0, String(made.stderr));
  const lib = path.join(venv, 'lib', readdirSync(path.join(venv, 'lib'))[0] ?? '', 'site-packages');
  writeFileSync(path.join(lib, 'mine.py'), 'NAME = "mine"\n');
  const modules = path.join(path.dirname(desk.home), 'kept', 'node_modules');
  mkdirSync(path.join(modules, 'mine'), { recursive: true });
  writeFileSync(path.join(modules, 'mine', 'index.js'), 'module.exports = { name: "mine" };\n');
  const settings = { runtimes: { venv, node_modules: modules } };
  writeFileSync(path.join(desk.home, '.agent/config.json'), JSON.stringify(settings));
  assert.match(await desk.exec('scripts/a.py'), /^venv mine\n/);
  assert.match(await desk.exec('scripts/a.mjs'), /^modules mine\n/);
});
