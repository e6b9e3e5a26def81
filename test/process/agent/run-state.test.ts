// What a run keeps of itself, and what its settings say, through the command line.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, skillText as skill } from '../../support/place.ts';

const CASE = JSON.stringify([
  { action: { type: 'select_skills', skills: [{ name: 'listed' }], reason: 'asked' } },
  { action: { type: 'run_script', skill: { name: 'listed' }, relative_path: 'scripts/a.sh', args: [] } },
  { action: { type: 'final_answer', content: 'done' } },
]);

test('002-24 002-82 the state of a run has its skill index, and its summary the tier its script ran in', async (t) => {
  const { run } = makePlace(t, {
    'project/.agent/skills/listed/SKILL.md': skill('name: listed\ndescription: Listed.\nallowed-tools: run_script'),
    'project/.agent/skills/listed/scripts/a.sh': 'echo hi\n',
    'project/.agent/skills/hidden/SKILL.md': skill('name: hidden\ndescription: H.\ndisable-model-invocation: true'),
    'project/case.json': CASE,
  });
  const { data } = JSON.parse((await run('run', 'go', '--yes', '--model', 'mock:case.json', '--json')).stdout);
  const read = (name: string) => JSON.parse(readFileSync(path.join(data.record, name), 'utf8'));
  const { ref, at } = read('state.json').skill_index;
  const [file = ''] = ref.split('#');
  const kept = readFileSync(path.join(data.record, file)).subarray(at[0], at[0] + at[1]);
  const index: { name: string; source: string }[] = JSON.parse(kept.toString());
  assert.deepEqual(
    index.filter(({ source }) => source === 'project'),
    [
      {
        name: 'listed',
        description: 'Listed.',
        source: 'project',
        controls: {
          disable_model_invocation: false,
          user_invocable: true,
          run_mode: 'inline',
          allowed_tools: [{ tool: 'run_script' }],
          network: false,
        },
      },
    ],
  );
  assert.match(read('run.json').tier, /^S[0-3]$/);
});

test('002-96 a misspelt parameter of the mock model is refused, and says what it takes', async (t) => {
  const { run } = makePlace(t, {
    'home/.agent/config.json': JSON.stringify({ model: { provider: 'mock', params: { scrpt: 'case.json' } } }),
    'project/case.json': CASE,
  });
  const { code, stdout } = await run('run', 'go', '--json');
  const { data } = JSON.parse(stdout);
  assert.deepEqual([code, data.type], [1, 'ConfigInvalid']);
  assert.match(`${data.msg} ${data.hint}`, /scrpt.*takes script/);
});
