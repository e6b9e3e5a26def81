import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { TOOLS, toolOf } from './list.ts';
import { defaultNetworkPolicy } from './network.ts';
import { runTool, type ToolContext } from './tool-call.ts';
import type { ToolName } from './tool-name.ts';

const faultOf = (type: string) => (error: unknown) => error instanceof Fault && error.type === type;

function makeContext(t: TestContext): ToolContext {
  const project = temporaryFolder(t);
  writeFileSync(path.join(project, 'a.txt'), 'one\ntwo\n');
  mkdirSync(path.join(project, '.agent/runs'), { recursive: true });
  writeFileSync(path.join(project, '.agent/state.db'), 'SQLite format 3');
  const network = { ...defaultNetworkPolicy, timeoutMs: 5000, refuses: () => false };
  return { project, outputFolder: path.join(project, 'mybox/output'), isOwnState: () => false, network };
}

test('each tool runs by name and answers with plain data', async (t) => {
  const context = makeContext(t);
  const run = (name: ToolName, args: unknown) => runTool(name, args, context);
  assert.equal((await run('read_file', { path: 'a.txt', start_line: 2 })).content, 'two\n');
  assert.deepEqual((await run('list_dir', {})).entries, [
    { path: '.agent', kind: 'folder' },
    { path: 'a.txt', kind: 'file', size: 8 },
  ]);
  assert.equal(((await run('grep', { pattern: 't.o' })).matches as unknown[]).length, 1);
  assert.equal((await run('write_file', { path: 'b.txt', content: 'b' })).created, true);
  const edits = [{ op: 'append', content: 'three' }];
  assert.match(String((await run('write_file', { path: 'a.txt', edits, dry_run: true })).diff), /^\+three$/m);
  assert.equal((await run('write_file', { path: 'a.txt', edits })).changed, true);
  assert.equal(readFileSync(path.join(context.project, 'a.txt'), 'utf8'), 'one\ntwo\nthree\n');
  assert.equal((await run('delete_file', { path: 'b.txt' })).deleted, true);
});

test('a network answer is text, or base64 where it is none', async (t) => {
  const server = createServer((request, response) =>
    response.end(request.url === '/text' ? '技能' : Buffer.from([0, 255])),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = makeContext(t);
  const text = await runTool('network_request', { url: `${base}/text` }, context);
  assert.deepEqual([text.status, text.body, text.encoding], [200, '技能', 'utf-8']);
  const bytes = await runTool('network_request', { url: `${base}/bytes` }, context);
  assert.deepEqual([bytes.body, bytes.encoding], ['AP8=', 'base64']);
  const refusing = { ...context, network: defaultNetworkPolicy };
  await assert.rejects(runTool('network_request', { url: base }, refusing), faultOf('PathBlocked'));
});

test('bad arguments are named and nothing runs', async (t) => {
  const context = makeContext(t);
  const bad: [ToolName, unknown][] = [
    ['read_file', {}],
    ['read_file', { path: 'a.txt', start_line: 0 }],
    ['read_file', { path: 'a.txt', extra: 1 }],
    ['read_file', null],
    ['write_file', { path: 'a.txt' }],
    ['write_file', { path: 'a.txt', content: 'x', edits: [{ op: 'append', content: 'x' }] }],
    ['write_file', { path: 'a.txt', edits: [{ op: 'explode' }] }],
    ['delete_file', { path: '' }],
    ['grep', { pattern: '' }],
  ];
  for (const [name, args] of bad)
    await assert.rejects(runTool(name, args, context), faultOf('ParamInvalid'), JSON.stringify(args));
  assert.equal(readFileSync(path.join(context.project, 'a.txt'), 'utf8'), 'one\ntwo\n');
});

test('what is started in the sandbox is not run here, and every tool can be described to a model', () => {
  for (const name of ['run_command', 'run_script'] as const) assert.equal(toolOf(name).run, undefined);
  for (const { name, schema } of TOOLS)
    assert.equal(
      schema && z.toJSONSchema(schema(z)).type,
      ['run_script', 'server_tool'].includes(name) ? undefined : 'object',
      name,
    );
});

test('003-09 the state database is not readable by the file tools', async (t) => {
  const context = makeContext(t);
  for (const file of [
    '.agent/state.db',
    './.agent/state.db',
    path.join(context.project, '.agent/state.db'),
    '.AGENT/state.db',
  ])
    await assert.rejects(runTool('read_file', { path: file }, context), faultOf('PathBlocked'), file);
  assert.deepEqual((await runTool('grep', { pattern: 'SQLite' }, context)).matches, []);
  await assert.rejects(runTool('list_dir', { path: '.agent/runs' }, context), faultOf('PathBlocked'));
  const home = temporaryFolder(t);
  writeFileSync(path.join(home, 'state.db'), 'SQLite format 3');
  const own = { ...context, project: home, isOwnState: (file: string) => file.endsWith('state.db') };
  await assert.rejects(runTool('read_file', { path: 'state.db' }, own), faultOf('PathBlocked'));
});

test('threat 52 control: without the forbidden names the poisoned field reaches the file', async () => {
  const open = await changed<typeof import('./json-edit.ts')>('src/tools/json-edit.ts', {
    from: "new Set(['__proto__', 'constructor', 'prototype'])",
    to: 'new Set()',
  });
  const poisoned = open.updateJson('{"a":{}}', '__proto__.x', '1');
  assert.equal(poisoned, '{"a":{},"__proto__":{"x":1}}');
});
