// The document skills of public repositories, walked with Debian's packages by hand and by a run with a scripted model:
// the results are in the project after one yes, and `runs undo` takes them back.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readRecords } from '../../src/audit/verify.ts';
import { removeTree } from '../../src/base/files.ts';
import { readText } from '../support/agent-support.ts';
import { readTree } from '../support/real/project.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { answersOf, byHand, lackOf, makeWalkProject, SYSTEM_PATH, type Walk } from '../support/real/walk.ts';
import { runCli } from '../support/support.ts';
import { missing } from '../support/world/sandbox-support.ts';
import { NOT_BY_HAND, WALKS } from './walks.ts';

for (const walk of WALKS)
  test(`a document skill, as its SKILL.md says: ${walk.name}`, async (t) => {
    const root = realFolder(t);
    if (root) await take(t, walk, root);
  });

test('what of the document skills does not work by hand with the packages of Debian is named', (t) => {
  for (const one of NOT_BY_HAND) t.diagnostic(one);
});

async function take(t: TestContext, walk: Walk, root: string): Promise<void> {
  const lacking = lackOf(walk);
  if (lacking !== undefined) return missing(t, `${lacking} is not installed`);
  const folder = shortFolder(t);
  const [project, plain, home] = ['project', 'plain', 'home'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  makeWalkProject(walk, root, project);
  if (walk.needs.includes('chromium') && !bringPlaywright(t, root, project)) return;
  cpSync(project, plain, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  byHand(walk, plain);
  walk.check(plain);
  const before = readTree(project);
  await throughRun(walk, { project, home, folder });
  assert.deepEqual(namesOf(readTree(project)), namesOf(before), 'nothing reaches the project before a yes');
  const { code, stdout, stderr } = await inProject(['runs', 'apply', 'latest', '--yes']);
  assert.equal(code, 0, stdout + stderr);
  walk.check(project);
  for (const result of walk.results) assert.ok(existsSync(path.join(project, result)), result);
  assert.deepEqual(namesOf(readTree(project)), namesOf(readTree(plain)), 'the same files as by hand');
  const undone = await inProject(['runs', 'undo', 'latest']);
  assert.equal(undone.code, 0, undone.stderr);
  assert.deepEqual(readTree(project), before);

  function inProject(words: readonly string[]) {
    return runCli(words, { cwd: project, home, env: { PATH: SYSTEM_PATH } });
  }
}

/** A browser listens on a socket below its temporary folder, and the path of one has at most 107 bytes. */
function shortFolder(t: TestContext): string {
  const folder = mkdtempSync('/tmp/sw-');
  t.after(() => removeTree(folder));
  return folder;
}

const SETTINGS = {
  budgets: { turns: 40, seconds: 1800 },
  limits: { script_seconds: 600, command_seconds: 600 },
};

async function throughRun(walk: Walk, { project, home, folder }: { project: string; home: string; folder: string }) {
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent/config.json'), JSON.stringify(SETTINGS));
  const model = path.join(folder, 'answers.json');
  writeFileSync(model, JSON.stringify(answersOf(walk)));
  const words = ['run', walk.name, '--model', `mock:${model}`, '--yes', '--apply', 'never', '--json'];
  const { code, stdout, stderr } = await runCli(words, { cwd: project, home, env: { PATH: SYSTEM_PATH } });
  assert.equal(code, 0, stdout + stderr);
  const record = String(JSON.parse(stdout).data.record);
  const observed = readRecords(record).flatMap((event) =>
    event.type === 'observation' ? [readText(record, event.text)] : [],
  );
  assert.deepEqual(
    observed.filter((text) => /^(?:error|interrupted|partial)/.test(text)),
    [],
  );
}

/** Beside the repositories, as `npm install playwright-core` puts it. */
function bringPlaywright(t: TestContext, root: string, project: string): boolean {
  const from = path.join(root, 'node_modules/playwright-core');
  if (!existsSync(from)) {
    missing(t, `playwright-core is not installed in ${root}`);
    return false;
  }
  cpSync(from, path.join(project, 'node_modules/playwright-core'), { recursive: true });
  return true;
}

function namesOf(tree: ReadonlyMap<string, unknown>): string[] {
  return [...tree.keys()].sort();
}
