// One contestant of the telemetry suite: runs of the agent whenever the parent asks for one, in a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scriptedModel } from '../src/model/scripted.ts';
import { runRequest } from '../src/open-run.ts';
import { createRuntime } from '../src/runtime.ts';

const SKILL = '---\nname: say\ndescription: Says a word. Use it to hear one.\n---\n# say\n';
const TURNS = 100;
const SCRIPTS = 10;
/** In a row, as in a worker that has much to do: code that rests is slower. */
const RUNS = 4;

const [place = ''] = process.argv.slice(2);
const [project, home] = [path.join(place, 'project'), path.join(place, 'home')];
const skill = path.join(project, '.claude', 'skills', 'say');
mkdirSync(path.join(skill, 'scripts'), { recursive: true });
mkdirSync(home);
writeFileSync(path.join(skill, 'SKILL.md'), SKILL);
writeFileSync(path.join(skill, 'scripts', 'say.sh'), 'echo word\n');
for (let at = 0; at < TURNS; at++) writeFileSync(path.join(project, `${at}.txt`), String(at));

const runtime = await createRuntime({ project, home, env: { ...process.env, HOME: home }, language: 'en' });
runtime.telemetry?.onLoss((loss) => {
  throw new Error(`lost: ${JSON.stringify(loss)}`);
});

const done = { action: { type: 'final_answer', content: 'done' } };
const select = { action: { type: 'select_skills', skills: ['say'], reason: 'needed' } };
const reads = Array.from({ length: TURNS }, (_, at) => ({
  action: { type: 'use_tool', tool: 'read_file', args: { path: `${at}.txt` } },
}));
const scripts = Array.from({ length: SCRIPTS }, (_, at) => ({
  action: { type: 'run_script', skill: 'say', relative_path: 'scripts/say.sh', args: [String(at)] },
}));

process.on('message', async (kind: 'turns' | 'scripts') => {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  for (let at = 0; at < RUNS; at++) await run(kind === 'turns' ? [...reads, done] : [select, ...scripts, done]);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ wall: (performance.now() - startedAt) / RUNS, cpu: (user + system) / 1000 / RUNS });
});
process.send?.('ready');

/** As a worker does it: one runtime for many runs, and batches that leave while the next one is under way. */
async function run(answers: readonly Record<string, unknown>[]): Promise<void> {
  const budget = { turns: answers.length, tool_calls: answers.length, script_runs: answers.length };
  const order = { version: '0', given: scriptedModel(answers), yes: true, budget };
  const { state, summary } = await runRequest(runtime, { text: 'do it' }, order);
  if (state !== 'success') throw new Error(summary);
}
