// What a run reads, by counting opened files: frontmatter of all skills, the body of the chosen one, the file that was named.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  answer,
  makeWorld,
  resource,
  runProcess,
  type Script,
  select,
  skillFile,
  tool,
  type World,
} from '../../support/agent-support.ts';
import { count, runCli } from '../../support/support.ts';

const SKILLS = count(300, 30);
const BLOCK = 4096;
const LONG_BODY = 'BODY-CANARY '.repeat(4_000);

function crowdedWorld(t: Parameters<typeof makeWorld>[0]): World {
  const files: Record<string, string> = { 'notes.txt': 'x' };
  for (let at = 0; at < SKILLS; at++) {
    Object.assign(files, skillFile(`skill-${at}`, '', LONG_BODY));
    files[`.agent/skills/skill-${at}/reference/guide.md`] = '# Guide\n';
    files[`.agent/skills/skill-${at}/reference/other.md`] = '# Other\n';
  }
  return makeWorld(t, files);
}

const STEPS = [
  tool('list_dir'),
  { action: { type: 'search_skills', query: 'skill number three' } },
  select('skill-7'),
  resource('skill-7', 'reference/guide.md'),
  tool('read_file', { path: 'notes.txt' }, 'skill-7'),
  answer(),
];

for (const mode of ['without an index', 'with an index'] as const) {
  test(`002-03 002-04 002-05 002-36 002-101 002-102 002-103 a run reads one body and one resource, ${mode}`, async (t) => {
    const world = crowdedWorld(t);
    if (mode === 'with an index')
      assert.equal((await runCli(['scan'], { cwd: world.project, home: world.home })).code, 0);
    const { prompts, outcome, files } = await watchRun(world);
    assert.equal(outcome.state, 'success', outcome.summary);
    checkReads(world, files, ['reference/guide.md']);
    assert.doesNotMatch(prompts.slice(0, 3).join('\n'), /BODY-CANARY/);
    assert.match(prompts[3] ?? '', /BODY-CANARY/);
  });
}

test('002-101 control: the same count sees a file that a run does read', async (t) => {
  const world = crowdedWorld(t);
  const more = [...STEPS.slice(0, 4), resource('skill-7', 'reference/other.md'), answer()];
  const { files } = await watchRun(world, more);
  checkReads(world, files, ['reference/guide.md', 'reference/other.md']);
});

async function watchRun(world: World, steps: readonly object[] = STEPS) {
  const report = path.join(world.home, 'reads.json');
  const preload = pathToFileURL(path.join(import.meta.dirname, '../../support/count-reads.ts'));
  const env = { NODE_OPTIONS: `--import=${preload}`, COUNT_READS_TO: report };
  const ran = await runProcess(world, steps as Script, { env });
  return { ...ran, files: new Map<string, number>(JSON.parse(readFileSync(report, 'utf8'))) };
}

/** Of all skills the beginning, of the chosen one everything, and of resources only these. */
function checkReads({ project }: World, files: ReadonlyMap<string, number>, named: readonly string[]): void {
  const root = path.join(project, '.agent', 'skills');
  const chosen = path.join(root, 'skill-7');
  const inSkills = [...files].filter(([file]) => file.startsWith(root));
  const [bodies, resources] = [true, false].map((is) => inSkills.filter(([file]) => file.endsWith('SKILL.md') === is));
  assert.deepEqual(
    resources?.map(([file]) => path.relative(chosen, file)),
    named,
  );
  assert.ok(bodies?.some(([file]) => path.dirname(file) === chosen));
  for (const [file, bytes] of bodies ?? []) {
    if (path.dirname(file) === chosen) assert.ok(bytes >= readFileSync(file).length, file);
    else assert.ok(bytes <= BLOCK, `${bytes} bytes of ${file}`);
  }
}
