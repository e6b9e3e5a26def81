// `run --stream-json`: the events of the library as lines of JSON, as `schema run-event` describes them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import type { RunEvent } from '../../../src/index.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import { answer, script, select } from '../../support/agent-support.ts';
import { home } from '../../support/door-support.ts';
import { openIn } from '../../support/library/handle.ts';
import { runCli } from '../../support/support.ts';

const STEPS = [select('writer'), script('writer', 'write.sh', 'hello'), answer('It is written.')];

test('each line is an event, the last one has the outcome, and the schema holds for all of them', async (t) => {
  const { project, sw } = await openIn(t);
  writeFileSync(path.join(project, 'case.json'), JSON.stringify(STEPS));
  const schema = await eventSchema(project);
  const words = ['run', 'note hello', '--model', 'mock:case.json', '--stream-json', '--yes'];
  const { code, stdout, stderr } = await runCli(words, { cwd: project, home });
  assert.equal(code, 0, stderr);
  const printed: RunEvent[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const event of printed) schema.parse(event);
  const last = printed.at(-1);
  assert.ok(last?.type === 'ended' && last.outcome.state === 'success', stdout);
  const events: RunEvent[] = [];
  for await (const event of sw.run('note hello', { model: scriptedModel(STEPS), ask: () => 'yes' })) events.push(event);
  for (const event of events) schema.parse(JSON.parse(JSON.stringify(event)));
  const typesOf = (some: readonly RunEvent[]) =>
    some.map(({ type }) => type).filter((type) => !['text', 'question', 'answer'].includes(type));
  assert.deepEqual(typesOf(printed), typesOf(events));
  assert.throws(() => schema.parse({ type: 'other' }));
  assert.throws(() => schema.parse({ type: 'turn', turn: 1 }));
});

test('a run that waits says so in its last line, and the exit code too', async (t) => {
  const { project } = await openIn(t);
  writeFileSync(path.join(project, 'case.json'), JSON.stringify(STEPS));
  const words = ['run', 'note hello', '--model', 'mock:case.json', '--stream-json', '--non-interactive'];
  const { code, stdout } = await runCli(words, { cwd: project, home });
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  assert.deepEqual([code, last.outcome.state, last.outcome.waitsFor], [4, 'interrupted', 'approval']);
  assert.match(last.outcome.question.id, /^[0-9a-f]{24}$/);
  const both = await runCli([...words, '--json'], { cwd: project, home });
  assert.equal(both.code, 2, both.stderr);
});

async function eventSchema(project: string) {
  const { stdout } = await runCli(['schema', 'run-event'], { cwd: project, home });
  return z.fromJSONSchema(JSON.parse(stdout));
}
