// Seed 002, title, sections 1.1 and 3: what the product is made of, and how it is kept right.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { answer, select } from '../../support/agent-support.ts';
import { makePlace } from '../../support/place.ts';
import { repository } from '../../support/support.ts';

test('002-11 a case of evals is judged by the skills that were chosen, by the steps and by the output, each on its own', async (t) => {
  const input = 'tell me about the numbers';
  const choosing = (...skills: string[]) => [select(...skills), answer('they are rising')];
  const right = { skills: ['csv-insights'], steps: ['load_skill:csv-insights'], output: ['rising'] };
  const cases = {
    right,
    'other-skill': { ...right, skills: { required: ['csv-insights'], forbidden: ['markdown-converter'] } },
    'other-steps': { ...right, steps: ['run_script:csv-insights'] },
    'other-output': { ...right, output: ['falling'] },
  };
  const suite = Object.entries(cases).map(([id, expected]) => ({
    id,
    input,
    mock: choosing('csv-insights', ...(id === 'other-skill' ? ['markdown-converter'] : [])),
    expected,
  }));
  const place = makePlace(t, { 'project/.agent/evals/three.json': JSON.stringify(suite) });
  const { code, stdout } = await place.run('eval', 'three', '--json');
  const { data } = JSON.parse(stdout) as { data: { cases: { id: string; state: string; failures: string[] }[] } };
  const judged = data.cases.map(({ id, state, failures }) => [id, [state, failures.length]]);
  assert.deepEqual(
    Object.fromEntries(judged),
    { right: ['passed', 0], 'other-skill': ['failed', 1], 'other-steps': ['failed', 1], 'other-output': ['failed', 1] },
    stdout,
  );
  assert.equal(code, 1);
});

test('002-16 decided differently: TypeScript that brings all it needs; a skill in Python needs the standard library alone', async (t) => {
  const manifest = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies'])
    assert.equal(manifest[kind], undefined, `${kind}: npm would have to bring them`);
  // An adapter is for who has the framework already: npm brings none of them.
  const frameworks = Object.keys(manifest.peerDependencies ?? {});
  assert.deepEqual(
    frameworks.filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true),
    [],
  );
  const place = makePlace(t);
  const made = await place.run('new', 'probe', '--kind', 'protocol', '--lang', 'python');
  assert.equal(made.code, 0, made.stderr);
  const main = path.join(place.cwd, '.agent/skills/probe/scripts/main.py');
  // Without site packages, those of the user and paths of the environment there is only the standard library.
  const { stdout, stderr } = spawnSync('python3', ['-S', '-s', '-E', main], {
    input: JSON.stringify({ action: 'analyze', params: { text: 'one two' } }),
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  assert.equal(JSON.parse(stdout).data.metrics.words, 2);
});

/** The subsystems of the seed, by the page and the rooms that each has here. */
const SUBSYSTEMS: Readonly<Record<string, readonly string[]>> = {
  'agent-core': ['agent'],
  'model-adapter': ['model'],
  'skill-registry': ['registry'],
  'skill-loader': ['loader'],
  'tools-runtime': ['tools', 'policy', 'process', 'door'],
  'distribution-cli': ['distribution', 'cli'],
  evals: ['evals'],
};

test('002-17 each subsystem has a page that the overview links and rooms that the map names, and a request goes through the loop of the agent core', () => {
  const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
  const [overview, map] = [read('docs/design/overview.md'), read('AGENTS.md')];
  for (const [page, rooms] of Object.entries(SUBSYSTEMS)) {
    assert.ok(overview.includes(`(${page}.md)`), `overview.md does not link ${page}.md`);
    assert.match(read(`docs/design/${page}.md`), /^# \S/);
    for (const room of rooms) {
      assert.match(map, new RegExp(`^\\| \`${room}/\` \\| \\S`, 'm'));
      assert.ok(existsSync(path.join(repository, 'src', room)), room);
    }
  }
  const walk = map.split('\n').find((line) => line.startsWith('- `run "…"`:')) ?? '';
  const stations = [...walk.matchAll(/`src\/([\w-]+)\/([\w./-]+)`/g)].map(([, room, file]) => `${room}/${file}`);
  const rooms = [...new Set(stations.map((station) => station.split('/')[0]))];
  assert.ok(stations.includes('agent/loop.ts'), walk);
  assert.deepEqual(rooms, ['cli', 'app', 'agent', 'door', 'process']);
  assert.match(read('docs/design/agent-core.md'), /src\/agent\/loop\.ts[\s\S]*Init → IndexSkills → Decide/);
});
