// What an eval case does is seen nowhere else: not in the project, not under home, not on the server of the project.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { sha256 } from '../../../src/base/ids.ts';
import { makeProject } from '../../support/door-support.ts';
import { lockSkill } from '../../support/install-support.ts';
import { ask } from '../../support/server/postgres-server.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const SALES = 'date,units\n2026-01-01,1\n2026-01-02,2\n2026-01-03,3\n';
const FINAL = { action: { type: 'final_answer', content: 'done' } };
const CASES = [
  {
    id: 'counts',
    input: 'How do the units develop in sales.csv?',
    files: { 'sales.csv': SALES },
    expected: { steps: [{ status: { step: 'run_script', is: 'success' } }] },
    mock: [
      { action: { type: 'invoke_skill', skill: 'csv-insights', action: 'analyze', params: { target: 'sales.csv' } } },
      FINAL,
    ],
  },
  {
    id: 'asks',
    input: 'say hello',
    expected: { state: 'interrupted' },
    mock: [{ action: { type: 'invoke_skill', skill: 'sample', action: 'hello', params: {} } }, FINAL],
  },
];
const SKILL = '---\nname: sample\ndescription: Says hello in tests.\nentry: run.py\n---\n# Sample\n\nSay hello.\n';
const SCRIPT = 'print(\'{"success": true, "action": "hello", "data": {}}\')\n';

interface World {
  readonly project: string;
  readonly home: string;
  cli(...words: string[]): Promise<{ code: number | null; data: Record<string, unknown>; summary: string }>;
}

function openWorld(t: TestContext, settings: object = {}, env: Record<string, string> = {}): World {
  const project = makeProject(t, {
    'sales.csv': SALES,
    '.agent/evals/apart.json': JSON.stringify(CASES),
    '.agent/skills/sample/SKILL.md': SKILL,
    '.agent/skills/sample/run.py': SCRIPT,
  });
  const home = temporaryFolder(t);
  mkdirSync(path.join(home, '.agent'));
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify(settings));
  return {
    project,
    home,
    async cli(...words) {
      const { code, stdout, stderr } = await runCli([...words, '--json'], { cwd: project, home, env });
      assert.ok(stdout.startsWith('{'), stderr);
      return { code, ...JSON.parse(stdout) };
    },
  };
}

async function analyze({ cli }: World): Promise<void> {
  const { summary, data } = await cli('call', 'csv-insights', 'analyze', 'target=sales.csv');
  assert.equal((data.response as { success?: boolean })?.success, true, summary);
}

async function usage({ cli }: World): Promise<unknown> {
  return (await cli('inspect', 'csv-insights')).data.usage;
}

async function evaluate({ cli }: World): Promise<void> {
  const { data, summary } = await cli('eval', 'apart');
  assert.equal(data.verdict, 'passed', `${summary} ${JSON.stringify(data.cases)}`);
}

/** Every file with its content; what is remembered about skills and the machine holds nothing of a call. */
function snapshot(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes(`${path.sep}.agent${path.sep}cache${path.sep}`))
      // Opening a database to look at it may tidy it.
      .filter((file) => !/\.(?:db|sqlite)(?:-wal|-shm)?$/.test(file))
      .map((file) => `${file} ${sha256(readFileSync(file))}`)
      .sort(),
  );
}

test('evals leave the usage, questions, records and files of the project as they were', async (t) => {
  const world = openWorld(t);
  await analyze(world);
  const before = { usage: await usage(world), files: snapshot(world.project, world.home) };
  await evaluate(world);
  assert.deepEqual({ usage: await usage(world), files: snapshot(world.project, world.home) }, before);
  assert.deepEqual((await world.cli('interrupts')).data.items, []);
  // The measure has teeth: a use outside an eval is counted.
  await analyze(world);
  assert.notDeepEqual(await usage(world), before.usage);
});

test('evals of a project that shares a PostgreSQL store do not change a row of it', async (t) => {
  const { url } = await sharedPostgres();
  const { username, password, host, pathname } = new URL(url);
  const name = 'evals_apart';
  const store = { url: `postgres://${username}:\${SECRET}@${host}${pathname}`, name };
  const world = openWorld(t, { store }, { SECRET: password });
  await analyze(world);
  const rows = () => allRows(url, `skillwright_${name}`);
  const before = await rows();
  assert.match(JSON.stringify(before), /csv-insights/);
  await evaluate(world);
  assert.deepEqual(await rows(), before);
  await analyze(world);
  assert.notDeepEqual(await rows(), before);
});

test('an installed skill that was changed by hand is refused in an eval as in the project', async (t) => {
  const world = openWorld(t);
  const folder = path.join(world.project, '.agent', 'skills', 'sample');
  lockSkill(world.project, 'sample');
  const stateOf = async () => {
    const { data } = await world.cli('eval', 'apart', '--only', 'asks');
    return (data.cases as { state: string }[])[0]?.state;
  };
  assert.equal(await stateOf(), 'passed');
  appendFileSync(path.join(folder, 'run.py'), '#');
  assert.equal(await stateOf(), 'failed');
});

async function allRows(url: string, schema: string): Promise<Record<string, unknown>> {
  const tables = await ask(
    url,
    `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = '${schema}' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  assert.ok(tables.length > 0);
  const found: Record<string, unknown> = {};
  for (const { name } of tables) found[String(name)] = await ask(url, `SELECT * FROM ${schema}."${name}" ORDER BY 1`);
  return found;
}
