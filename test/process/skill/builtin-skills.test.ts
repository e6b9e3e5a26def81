// The built-in skills as a set: valid, recorded in the manifest, tested by themselves, and nothing else in their folders.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { renderKits, renderManifest } from '../../../scripts/builtin-manifest.ts';
import { NAMES, skills } from '../../support/builtin-support.ts';
import { repository, runCli, temporaryFolder } from '../../support/support.ts';

test('every built-in skill passes the strict profile without a remark', async (t) => {
  const home = temporaryFolder(t);
  const { code, stdout } = await runCli(['validate', skills, '--profile', 'strict', '--json'], { cwd: home, home });
  assert.equal(code, 0, stdout);
  const { results } = JSON.parse(stdout).data;
  assert.deepEqual(
    results.map(({ path: file, diagnostics }: { path: string; diagnostics: unknown[] }) => [
      path.basename(path.dirname(file)),
      diagnostics,
    ]),
    NAMES.map((name) => [name, []]),
  );
});

test('the manifest names each built-in skill with its digest', () => {
  assert.equal(readFileSync(path.join(skills, 'manifest.json'), 'utf8'), renderManifest());
  assert.deepEqual(Object.keys(JSON.parse(renderManifest())), NAMES);
});

test('the authoring kits inside the skills and templates are the ones of the repository', () => {
  for (const [name, text] of Object.entries(renderKits())) {
    assert.equal(readFileSync(path.join(repository, name), 'utf8'), text, name);
  }
});

test('folders hold text that needs no exec bit, and nothing that tools leave behind', () => {
  for (const entry of readdirSync(skills, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    assert.match(entry.name, /\.(?:md|mjs|py|json|css|csv)$/, file);
    assert.equal(statSync(file).mode & 0o111, 0, file);
  }
});

test('evals name their skill, and say what should trigger it and what should not', () => {
  for (const name of NAMES) {
    const { skill_name, triggers, evals } = JSON.parse(
      readFileSync(path.join(skills, name, 'evals/evals.json'), 'utf8'),
    );
    assert.equal(skill_name, name);
    const fires = triggers.map(({ should_trigger }: { should_trigger: boolean }) => should_trigger);
    assert.ok(fires.filter(Boolean).length >= 3 && fires.includes(false), name);
    assert.ok(
      evals.every(({ id, prompt, assertions }: Record<string, unknown>) => id && prompt && assertions),
      name,
    );
  }
});

for (const name of NAMES.filter((one) => one !== 'skill-author')) {
  test(`the own tests of ${name} pass`, () => {
    const folder = path.join(skills, name);
    const isPython = name === 'build-analysis';
    const files = readdirSync(path.join(folder, 'tests')).map((file) => path.join('tests', file));
    const [program, flags] = isPython ? ['python3', ['-B']] : [process.execPath, ['--test']];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(program, [...flags, ...files], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
}
