// Skills that are installed, as jobs: by their name alone, and in the schedule of a role that does not have them itself.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeProject, skillFiles, writeFiles } from '../../support/door-support.ts';
import { cli, grant, outcomeOf, start } from '../../support/jobs-support.ts';

const HELLO = skillFiles(
  'hello',
  'name: hello\ndescription: Greets.\nentry: main.py\ntimeout: 40\nactions: {greet: {params: {who: {type: string}}}}',
  {
    'main.py':
      'import json, os, sys\nr = json.loads(sys.stdin.read())\nprint(json.dumps({"success": True, "action": r["action"], "data": {"request": r, "cwd": os.getcwd()}}))\n',
  },
);
const SHOUT = skillFiles('shout', 'name: shout\ndescription: Repeats.\ncommand: python3 say.py {text}', {
  'say.py': 'import sys\nprint(sys.argv[1].upper())\n',
});
const ROLE = `allowed_tools: [Read, run_script]
schedule:
  - {id: often, interval: 1s, overlap: queue, skill: hello, action: greet, params: {who: you}}
`;

interface Health {
  readonly status: string;
  readonly schedules: readonly { readonly kind: string; readonly reason: string }[];
}

interface Answer {
  readonly data: { readonly request: { readonly context: Record<string, string> }; readonly cwd: string };
}

test('an installed skill is a job by its name alone: project, user and built-in, on its grant, with its record', async (t) => {
  const project = makeProject(t, { ...HELLO, 'data.csv': 'a,b\n1,2\n3,4\n' });
  const waits = await outcomeOf(project, ['jobs', 'run', 'hello', 'greet', 'who=me']);
  assert.deepEqual([waits.code, waits.state, waits.data.job_state], [4, 'interrupted', 'waiting']);
  const yes = await outcomeOf(project, ['resume', String(waits.data.id), '--decide', 'approve']);
  assert.deepEqual([yes.state, yes.data.job], ['success', waits.data.job], yes.summary);
  await grant(project, 'hello', 'greet');
  const ran = await outcomeOf(project, ['jobs', 'run', 'hello', 'greet', '--pin']);
  const { request, cwd } = (ran.data.response as Answer).data;
  assert.deepEqual([ran.state, cwd, request.context], ['success', project, { request_id: ran.data.job }]);
  const [job] = (await outcomeOf(project, ['jobs', 'history'])).data.jobs as Record<string, unknown>[];
  assert.deepEqual([job?.role, job?.skill, job?.action, job?.state], [null, 'hello', 'greet', 'done']);
  assert.equal((await outcomeOf(project, ['runs', 'verify', String(job?.run)])).state, 'success');
  const built = await outcomeOf(project, ['jobs', 'run', 'csv-insights', 'analyze', 'target=data.csv']);
  assert.equal(built.state, 'success', built.summary);
  const unknown = await outcomeOf(project, ['jobs', 'run', 'helo', 'greet']);
  assert.deepEqual([unknown.data.code, unknown.code], ['SKILL_NOT_FOUND', 1], unknown.summary);
  const open = await cli(project, ['jobs', 'run', 'hello']);
  assert.deepEqual([open.code, /hello can do: greet/.test(open.stderr)], [2, true]);
});

test('a command skill is a job without an action', async (t) => {
  const project = makeProject(t, SHOUT);
  const ran = await outcomeOf(project, ['jobs', 'run', 'shout', 'text=hi', '--yes']);
  assert.deepEqual([ran.state, String(ran.data.stdout).trim()], ['success', 'HI'], ran.summary);
});

test('the schedule of a role names an installed skill: it is pinned, runs on its grant, and stops when its files change', async (t) => {
  const project = makeProject(t, { ...HELLO, 'agents/ops/agent.yaml': ROLE });
  const lint = async () =>
    (
      (await outcomeOf(project, ['roles', 'lint'])).data.results as {
        diagnostics: { code: string; fix: string; line: number }[];
      }[]
    )[0]?.diagnostics.map(({ code, fix, line }) => [code, fix, line]);
  assert.deepEqual(await lint(), [['grant-missing', 'skillwright grants add hello --action greet', 3]]);
  await grant(project, 'hello', 'greet');
  assert.deepEqual(await lint(), []);
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const started = start(t, project);
  const { job } = await started.until('job done');
  const shown = (await outcomeOf(project, ['jobs', 'show', String(job)])).data.job as {
    digest: string;
    outcome: { data: { response: Answer } };
  };
  const { request, cwd } = shown.outcome.data.response.data;
  assert.deepEqual([request.context.agent_id, cwd, /^sha256:/.test(shown.digest)], ['ops', project, true]);
  const script = path.join(project, '.claude/skills/hello/main.py');
  writeFileSync(script, `${readFileSync(script, 'utf8')}#`);
  const { schedule, reason } = await started.until('schedule stopped');
  assert.deepEqual([schedule, /changed/.test(String(reason))], ['ops/often', true]);
  assert.equal(await started.end('SIGTERM'), 0);
});

test('a revoked key under a schedule is named by jobs list, doctor and health', async (t) => {
  const project = makeProject(t, { 'agents/ops/agent.yaml': ROLE.replace('interval: 1s', 'interval: 6h') });
  const source = makeProject(t, HELLO);
  await cli(project, ['keys', 'generate', 'work']);
  const pack = path.join(project, 'hello.zip');
  await cli(project, ['pack', path.join(source, '.claude/skills/hello'), '-o', pack]);
  const signed = await cli(project, ['sign', pack, '--key', 'work']);
  assert.equal(signed.code, 0, signed.stderr);
  const installed = await cli(project, ['install', pack, '--yes']);
  assert.equal(installed.code, 0, installed.stdout + installed.stderr);
  await grant(project, 'hello', 'greet');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const troubles = async () => {
    const { data } = await outcomeOf(project, ['jobs', 'list']);
    return (data.schedules as { troubles: { kind: string }[] }[])[0]?.troubles.map(({ kind }) => kind);
  };
  assert.deepEqual(await troubles(), ['no-worker'], 'control');
  assert.equal((await cli(project, ['keys', 'revoke', 'work'])).code, 0);
  assert.deepEqual(await troubles(), ['key-revoked', 'no-worker']);
  const shown = await cli(project, ['jobs', 'list', '--lang', 'zh']);
  assert.match(shown.stdout + shown.stderr, /密钥已撤销: 其文件由 work \(\S+\) 签名/);
  assert.match((await cli(project, ['doctor'])).stdout, /ops\/often: key revoked: its files were signed with work/);
  const started = start(t, project, ['--health', '0']);
  const { health } = await started.until('started');
  const { status, schedules } = (await (await fetch(`http://127.0.0.1:${health}/health`)).json()) as Health;
  assert.deepEqual([status, schedules[0]?.kind], ['degraded', 'key-revoked']);
  assert.match(schedules[0]?.reason ?? '', /^key revoked: /);
  assert.equal(await started.end('SIGTERM'), 0);
});

test('the list of a role binds the installed skill that it schedules', async (t) => {
  const project = makeProject(t, { ...HELLO, 'agents/ops/agent.yaml': ROLE.replace('Read, run_script', 'Read') });
  await grant(project, 'hello', 'greet');
  const denied = await outcomeOf(project, ['jobs', 'run', 'ops/often']);
  assert.deepEqual([denied.state, denied.data.code], ['error', 'PERMISSION_DENIED'], denied.summary);
  assert.equal((await outcomeOf(project, ['jobs', 'run', 'hello', 'greet'])).state, 'success');
});

test('a skill of the role comes before an installed one of its name', async (t) => {
  const project = makeProject(t, { ...HELLO, 'agents/ops/agent.yaml': ROLE });
  writeFiles(project, {
    'agents/ops/.claude/skills/hello.py':
      'import json, sys\nr = json.loads(sys.stdin.read())\nprint(json.dumps({"success": True, "action": r["action"], "data": {"own": True}}))\n',
  });
  const ran = await outcomeOf(project, ['jobs', 'run', 'ops/often', '--yes']);
  assert.deepEqual((ran.data.response as { data: unknown }).data, { own: true }, ran.summary);
});
