// Telemetry of whole processes: the tree of one agent run inside a job, metrics of the queue, trace ids in the log, and receivers that do not work.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { runRequest } from '../../../src/app/run/start.ts';
import { createRuntime } from '../../../src/app/runtime.ts';
import { JOB_METRICS } from '../../../src/jobs/metric.ts';
import { openaiCompatible } from '../../../src/model/provider/openai-compatible.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import { answer, invoke, makeWorld, script, select, skillFile, tool } from '../../support/agent-support.ts';
import { home } from '../../support/door-support.ts';
import { cli, grant, makeRole, outcomeOf, start } from '../../support/jobs-support.ts';
import { never, openReceiver, type ReceivedSpan, treeOf } from '../../support/server/otlp-receiver.ts';
import { repository } from '../../support/support.ts';

const PROMPT = 'schedule:\n  - {id: morning, cron: "0 9 * * *", prompt: Say SECRET-PROMPT how it went.}\n';
const [TRACE, CALLER] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const SECRET = 'tok-8fk2-not-to-be-seen';

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `${name} in ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

test('an agent run inside a job is one tree below whoever queued it, and the log names it', async (t) => {
  const receiver = await openReceiver(t);
  const saying = invoke('watcher/echo', { who: 'SECRET-PARAM' }, 'say');
  const project = makeRole(t, PROMPT, { 'case.json': JSON.stringify([saying, answer('SECRET-ANSWER')]) });
  await grant(project, 'watcher/echo', 'say');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const queued = await outcomeOf(project, ['jobs', 'run', 'watcher/morning', '--detach'], {
    TRACEPARENT: `00-${TRACE}-${CALLER}-01`,
  });
  const env = { ...receiver.env, CI_TOKEN: SECRET };
  const started = start(t, project, ['--model', 'mock:case.json'], env);
  const done = await started.until('job done');
  assert.equal(await started.end('SIGTERM'), 0);
  const spans = receiver.spans();
  assert.deepEqual(treeOf(spans, CALLER), [
    'job watcher',
    '  invoke_agent watcher',
    '    turn',
    '      chat mock',
    '      execute_tool run_script',
    '        process',
    '    turn',
    '      chat mock',
  ]);
  assert.equal(
    spans.every(({ traceId }) => traceId === TRACE),
    true,
  );
  const job = named(spans, 'job watcher');
  assert.deepEqual([done.trace_id, done.span_id], [TRACE, job.spanId]);
  assert.deepEqual(
    [job.kind, job.attributes['skillwright.job.id'], job.attributes['skillwright.job.left']],
    [5, queued.data.job, 'done'],
  );
  const call = named(spans, 'execute_tool run_script').attributes;
  assert.deepEqual(
    [
      'gen_ai.operation.name',
      'gen_ai.tool.name',
      'skillwright.policy.effect',
      'skillwright.skill.id',
      'skillwright.outcome.state',
    ].map((name) => call[name]),
    ['execute_tool', 'run_script', 'ask', 'project:watcher/echo', 'success'],
  );
  assert.match(String(call['skillwright.skill.digest']), /^[0-9a-z:-]{32,}$/);
  const ran = named(spans, 'process').attributes;
  assert.deepEqual([ran['process.exit.code'], ran['skillwright.process.ended_by']], [0, 'exit']);
  assert.match(String(ran['skillwright.sandbox.tier']), /^S[0-3]$/);
  const everything = receiver.got.map(({ body }) => body).join();
  for (const word of ['SECRET-', SECRET, 'SAY-ONLY', project]) assert.equal(everything.includes(word), false, word);
});

test('a worker tells of its queue: depth, age, latency, duration for each skill, retries, jobs by state', async (t) => {
  const receiver = await openReceiver(t);
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'fail');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'fail', '--detach', '--retry', '1']);
  const started = start(t, project, [], receiver.env);
  await started.until('job failed');
  assert.equal(await started.end('SIGTERM'), 0);
  const metrics = receiver.metrics();
  const { depth, oldest, jobs, startLatency, duration, retries, paused } = JOB_METRICS;
  const pointsOf = ({ name }: { readonly name: string }) => metrics.get(name)?.points ?? [];
  for (const { name, unit } of [depth, oldest, jobs, paused, startLatency, duration, retries])
    assert.equal(metrics.get(name)?.unit, unit, name);
  const skill = { 'skillwright.skill.name': 'watcher/echo' };
  assert.deepEqual(
    [pointsOf(retries), pointsOf(startLatency), pointsOf(duration)].map((points) =>
      points.map(({ attributes, asDouble, count }) => [attributes, asDouble ?? Number(count)]),
    ),
    [
      [[skill, 1]],
      [[skill, 2]],
      [
        [{ ...skill, 'skillwright.job.left': 'retrying' }, 1],
        [{ ...skill, 'skillwright.job.left': 'failed' }, 1],
      ],
    ],
  );
  const dead = pointsOf(jobs).find(({ attributes }) => attributes['skillwright.job.state'] === 'dead');
  assert.deepEqual([dead?.asDouble, pointsOf(depth)[0]?.asDouble], [1, 0]);
  const attempts = receiver.spans().filter(({ name }) => name === 'job watcher/echo fail');
  assert.deepEqual(
    attempts.map(({ attributes, status }) => [
      attributes['skillwright.job.attempt'],
      attributes['error.type'],
      status.code,
    ]),
    [
      [1, 'retrying', 2],
      [2, 'failed', 2],
    ],
  );
  const call = named(receiver.spans(), 'execute_tool run_script');
  assert.equal(call.attributes['error.type'], 'EXTERNAL_SERVICE_ERROR');
});

test('what the model used, what a skill does on its own and what failed stand on their spans', async (t) => {
  const receiver = await openReceiver(t);
  const { project, home: own } = makeWorld(t, {
    ...skillFile('solo', 'run-mode: subagent\n'),
    ...skillFile('tidy'),
    '.agent/skills/tidy/scripts/no.sh': '#!/bin/sh\nexit 3\n',
  });
  const answers = [
    invoke('solo', { task: 'look' }),
    tool('list_dir', { path: '.' }),
    answer('seen'),
    select('tidy'),
    script('tidy', 'no.sh'),
    answer(),
  ];
  const runtime = await createRuntime({
    project,
    home: own,
    env: { ...process.env, HOME: own, ...receiver.env },
    language: 'en',
  });
  const given = {
    ...scriptedModel(answers, { usage: { inputTokens: 11, outputTokens: 5, cost: 0.01 } }),
    name: 'big-1',
    provider: openaiCompatible.telemetryName,
  };
  const outcome = await runRequest(runtime, { text: 'do it' }, { version: '0', given, yes: true });
  assert.equal(outcome.state, 'success', outcome.summary);
  await runtime.telemetry?.close();
  const spans = receiver.spans();
  assert.deepEqual(treeOf(spans), [
    'invoke_agent skillwright',
    '  turn',
    '    chat big-1',
    '    invoke_agent solo',
    '      turn',
    '        chat big-1',
    '        execute_tool list_dir',
    '      turn',
    '        chat big-1',
    '  turn',
    '    chat big-1',
    '  turn',
    '    chat big-1',
    '    execute_tool run_script',
    '      process',
    '  turn',
    '    chat big-1',
  ]);
  assert.deepEqual(named(spans, 'chat big-1').attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.output.type': 'json',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'big-1',
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 5,
    'skillwright.usage.cost': 0.01,
  });
  assert.equal(named(spans, 'chat big-1').kind, 3);
  const run = named(spans, 'invoke_agent skillwright').attributes;
  assert.deepEqual(
    [
      run['gen_ai.operation.name'],
      run['gen_ai.conversation.id'],
      run['skillwright.run.tokens'],
      run['skillwright.outcome.state'],
    ],
    ['invoke_agent', outcome.data.run_id, 6 * 16, 'success'],
  );
  const ended = named(spans, 'process');
  assert.deepEqual(
    [ended.attributes['process.exit.code'], ended.attributes['error.type'], ended.status.code],
    [3, 'exit', 2],
  );
});

test('a command hangs below the trace of its caller, and asks no receiver where none is named', async (t) => {
  const receiver = await openReceiver(t);
  const project = makeRole(t);
  const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;
  const args = ['call', 'watcher/echo', 'say', 'who=me', '--yes'];
  assert.equal((await outcomeOf(project, args, { TRACEPARENT })).state, 'success');
  assert.equal(
    (await outcomeOf(project, args, { ...receiver.env, TRACEPARENT, OTEL_SDK_DISABLED: 'true' })).state,
    'success',
  );
  assert.equal(receiver.got.length, 0);
  assert.equal((await outcomeOf(project, args, { ...receiver.env, TRACEPARENT })).state, 'success');
  assert.deepEqual(treeOf(receiver.spans(), CALLER), ['execute_tool run_script', '  process']);
});

test('a receiver that does not work changes no outcome and is named in one line', async (t) => {
  const project = makeRole(t);
  const silent = await openReceiver(t, never);
  for (const url of ['http://127.0.0.1:9', silent.url]) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
    const { code, stdout, stderr } = await cli(
      project,
      ['call', 'watcher/echo', 'say', 'who=me', '--yes', '--json'],
      env,
    );
    assert.deepEqual([code, (JSON.parse(stdout) as { state: string }).state], [0, 'success'], stderr);
    assert.match(stderr, /^telemetry not delivered: 2 spans, 0 metrics \([^)\n]+\)\n$/);
  }
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const started = start(t, project, [], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await started.until('started');
  assert.equal(await started.end('SIGTERM'), 0);
  assert.equal(started.log().filter(({ event }) => event === 'telemetry lost').length, 1);
});

test('a variable that cannot be meant switches telemetry off, is named in one line, and stops nothing', async (t) => {
  const project = makeRole(t);
  const say = ['call', 'watcher/echo', 'say', 'who=me', '--yes', '--json'];
  const good = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  for (const [env, reason] of [
    [{ ...good, OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER takes always_on'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is no plain http'],
  ] as const) {
    const { code, stdout, stderr } = await cli(project, say, env);
    assert.deepEqual([code, (JSON.parse(stdout) as { state: string }).state], [0, 'success'], stderr);
    assert.match(stderr, new RegExp(`^telemetry switched off: ${reason}[^\\n]*\\n$`));
    assert.equal((await cli(project, ['list'], env)).stderr.includes('telemetry'), false);
  }
  const quiet = await cli(project, say, { OTEL_TRACES_SAMPLER: 'sometimes' });
  assert.deepEqual([quiet.code, quiet.stderr], [0, '']);
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const started = start(t, project, [], { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' });
  const line = await started.until('telemetry not delivered');
  assert.match(String(line.reason), /^switched off: OTEL_EXPORTER_OTLP_ENDPOINT /);
  assert.equal(await started.end('SIGTERM'), 0);
});

test('a program that makes no runtime of its own loses nothing, and does not wait', async (t) => {
  const receiver = await openReceiver(t);
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'say');
  const order = { agent_role: 'watcher', skill_name: 'echo', action: 'say', params: { who: 'me' } };
  const index = path.join(repository, 'src/index.ts');
  const program = `import { executeSkill } from ${JSON.stringify(index)};
    const { success } = await executeSkill(${JSON.stringify(order)});
    process.stdout.write(String(success));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...receiver.env },
  });
  assert.equal(await text(child.stdout), 'true');
  await (child.exitCode ?? once(child, 'exit'));
  assert.deepEqual(treeOf(receiver.spans()), ['execute_tool run_script', '  process']);
});

test('without telemetry a job is kept as ever, and a traceparent that is none is not kept at all', async (t) => {
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'say');
  const run = ['jobs', 'run', 'watcher/echo', 'say', 'who=me', '--key', 'k'];
  const first = await outcomeOf(project, run, { TRACEPARENT: 'not one' });
  const second = await outcomeOf(project, run, { TRACEPARENT: `00-${TRACE}-${CALLER}-01` });
  assert.deepEqual([first.state, second.data.job], ['success', first.data.job]);
});
