import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDataFile } from './data-file.ts';

test('data is what has the name of data: nothing that an interpreter loads, no settings of it, nothing executable', () => {
  const data = ['state.json', 'assets/theme.css', 'out/A.PDF', 'cache/index.sqlite', 'deep/er/notes.md', 'x.yaml'];
  const code = [
    ...['a.py', 'a.pyc', 'a.so', 'a.js', 'a.mjs', 'a.cjs', 'a.ts', 'a.node', 'a.wasm', 'a.sh', 'a.rb', 'a.pl', 'a.R'],
    ...['config', 'Makefile', '.env.json', '.npmrc', '.babelrc', 'a.pth', 'a.zip', 'a.whl', 'a.toml', 'a.cfg', 'a.ini'],
    ...['package.json', 'Package.JSON', 'deno.json', 'tsconfig.build.json', 'import_map.json', 'jest.config.json'],
    ...['SKILL.md', 'node_modules/x/data.json', '__pycache__/x.json', 'tsconfig.json', 'jsconfig.json'],
  ];
  assert.deepEqual(
    data.filter((name) => !isDataFile(name, 0o644)),
    [],
  );
  assert.deepEqual(
    code.filter((name) => isDataFile(name, 0o644)),
    [],
  );
  assert.equal(isDataFile('state.json', 0o755), false);
});
