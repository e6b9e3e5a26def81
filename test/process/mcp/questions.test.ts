// What needs a yes, asked of whoever sits before the client: bound to the very call, for once, and no more than `--yes`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { home, skillFiles } from '../../support/door-support.ts';
import { WRITER } from '../../support/library/handle.ts';
import { callTool, connect, connectProcess, ERAS, type Era, servedProject } from '../../support/mcp/client.ts';
import { connectRaw } from '../../support/mcp/raw.ts';
import { runCli } from '../../support/support.ts';

const SKILLS = {
  ...WRITER,
  ...skillFiles('mover', 'name: mover\ndescription: Moves notes away.', {
    'scripts/all.sh':
      'rm old.txt\necho new > new.txt\necho "all:" > Makefile\nmkdir -p .github/workflows\necho x > .github/workflows/ci.yml\n',
  }),
  ...skillFiles('taker', 'name: taker\ndescription: Takes.\nsecrets: [PATH]\nallowed-tools: Bash(./scripts/*)', {
    'scripts/take.sh': 'echo "$PATH" > taken.txt\n',
  }),
  'old.txt': 'old\n',
};
const WRITE = { skill: 'writer', script: 'scripts/write.sh', args: ['hello'] };
const ELICITS = { elicitation: {} };

type Answer = ElicitResult | (() => ElicitResult);
const YES: ElicitResult = { action: 'accept', content: { approve: true } };
const NOES: readonly ElicitResult[] = [
  { action: 'accept', content: { approve: false } },
  { action: 'decline' },
  { action: 'cancel' },
];

interface Asking {
  readonly project: string;
  readonly client: Client;
  readonly asked: string[];
}

/** A person who gives these answers one after the other. */
async function openAsking(t: TestContext, era: Era, answers: readonly Answer[]): Promise<Asking> {
  const project = servedProject(t, SKILLS);
  const asked: string[] = [];
  const left = [...answers];
  const { client } = await connect(t, project, {
    era,
    capabilities: ELICITS,
    prepare: (made) => answerBy(made, asked, left),
  });
  return { project, client, asked };
}

function answerBy(client: Client, asked: string[], left: Answer[]): void {
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    const answer = left.shift();
    if (!answer) throw new Error('nobody expected a question');
    return typeof answer === 'function' ? answer() : answer;
  });
}

for (const era of ERAS) {
  test(`${era}: a yes is for the very call, and what it writes is in the project before the result`, async (t) => {
    const { project, client, asked } = await openAsking(t, era, [YES, { action: 'decline' }]);
    const done = await callTool(client, 'run_skill', WRITE);
    assert.deepEqual([done.isError, done.result.state], [false, 'success'], JSON.stringify(done));
    assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
    assert.match(asked[0] ?? '', /writer[\s\S]*hello[\s\S]*A yes also puts/);
    const again = await callTool(client, 'run_skill', { ...WRITE, args: ['bye'] });
    assert.equal(asked.length, 2);
    assert.equal(Object(again.result.error).code, 'APPROVAL_DENIED', JSON.stringify(again));
    assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
  });

  test(`${era}: a box that is not ticked, a decline and a closed form are a no, which the record has`, async (t) => {
    const { project, client, asked } = await openAsking(t, era, NOES);
    for (const no of NOES) {
      const refused = await callTool(client, 'run_skill', WRITE);
      assert.deepEqual(
        [refused.isError, Object(refused.result.error).code],
        [true, 'APPROVAL_DENIED'],
        JSON.stringify([no, refused]),
      );
    }
    assert.equal(asked.length, NOES.length);
    assert.equal(existsSync(path.join(project, 'note.txt')), false);
    const { stdout } = await runCli(['runs', 'show', 'latest', '--json'], { cwd: project, home });
    assert.equal(stdout.match(/"no \(client\)"/g)?.length, NOES.length, stdout);
  });

  test(`${era}: files that became others while somebody thought make the yes none`, async (t) => {
    const change = (): ElicitResult => {
      writeFileSync(path.join(project, '.claude/skills/writer/scripts/write.sh'), 'echo evil > note.txt\n');
      return YES;
    };
    const { project, client } = await openAsking(t, era, [change]);
    const left = await callTool(client, 'run_skill', WRITE);
    assert.equal(left.result.state, 'interrupted', JSON.stringify(left));
    assert.equal(existsSync(path.join(project, 'note.txt')), false);
  });

  test(`${era}: deletions and programs are asked about afterwards, and what others obey is not a client's to allow`, async (t) => {
    const { project, client, asked } = await openAsking(t, era, [YES, { action: 'decline' }, YES, YES]);
    const there = (name: string) => existsSync(path.join(project, name));
    const first = await callTool(client, 'run_skill', { skill: 'mover', script: 'scripts/all.sh' });
    assert.equal(first.result.ok, true, JSON.stringify(first));
    assert.match(asked[1] ?? '', /deleted old\.txt/);
    assert.match(asked[1] ?? '', /new Makefile/);
    assert.doesNotMatch(asked[1] ?? '', /\.github|new\.txt/);
    assert.deepEqual(['new.txt', 'old.txt', 'Makefile'].map(there), [true, true, false]);
    const second = await callTool(client, 'run_skill', WRITE);
    assert.deepEqual([second.result.ok, asked.length], [true, 3], 'what was declined is not asked about again');
    writeFileSync(path.join(project, 'more.txt'), '');
    const third = await callTool(client, 'run_skill', { skill: 'mover', script: 'scripts/all.sh' });
    assert.equal(asked.length, 4);
    assert.deepEqual(['old.txt', 'Makefile', '.github'].map(there), [true, false, false], JSON.stringify(third));
  });

  test(`${era}: a yes to changes applies them, and nothing that came later`, async (t) => {
    const { project, client, asked } = await openAsking(t, era, [YES, YES, YES]);
    const there = (name: string) => existsSync(path.join(project, name));
    const done = await callTool(client, 'run_skill', { skill: 'mover', script: 'scripts/all.sh' });
    assert.equal(asked.length, 2);
    assert.deepEqual(['new.txt', 'old.txt', 'Makefile', '.github'].map(there), [true, false, true, false]);
    const { applied, waiting } = Object(done.result.changes);
    assert.deepEqual(applied.map(({ path: one }: { path: string }) => one).sort(), ['Makefile', 'new.txt', 'old.txt']);
    assert.ok(
      waiting.every(({ path: one }: { path: string }) => one.startsWith('.github')),
      JSON.stringify(waiting),
    );
    const later = await callTool(client, 'run_skill', WRITE);
    assert.equal(later.result.ok, true, JSON.stringify(later));
    assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
  });

  test(`${era}: what --yes would not answer is not asked of a client, and stays for a terminal`, async (t) => {
    const { client, asked } = await openAsking(t, era, []);
    const left = await callTool(client, 'run_skill', { skill: 'taker', script: 'scripts/take.sh' });
    assert.deepEqual([left.result.state, asked], ['interrupted', []], JSON.stringify(left));
    assert.match(String(left.result.hint), /skillwright resume/);
  });

  test(`${era}: without elicitation the question is left, and get_run tells later what became of it`, async (t) => {
    const project = servedProject(t, SKILLS);
    const { client } = await connect(t, project, { era });
    const left = await callTool(client, 'run_skill', WRITE);
    const { id } = Object(left.result.question);
    const questions = async () => Object((await callTool(client, 'get_run', {})).result).questions;
    assert.deepEqual(await questions(), [{ id, state: 'waiting' }]);
    const decided = await runCli(['resume', id, '--decide', 'approve', '--apply', 'always', '--json'], {
      cwd: project,
      home,
    });
    assert.equal(decided.code, 0, decided.stdout);
    assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
    const [answered] = await questions();
    assert.deepEqual([answered.id, answered.state], [id, 'success']);
    assert.match(answered.calls[0].text, /wrote hello/);
  });
}

test('an answer counts once, for the call it was asked about; none, and one nobody can read, are a no', async (t) => {
  const project = servedProject(t, SKILLS);
  const request = await connectRaw(t, project);
  const call = { name: 'run_skill', arguments: WRITE };
  const ask = async (): Promise<string> => {
    const { result } = await request('tools/call', call);
    assert.equal(result.resultType, 'input_required', JSON.stringify(result));
    return result.requestState;
  };
  const approve = { inputResponses: { decision: YES } };
  const silent = await request('tools/call', { ...call, requestState: await ask() });
  const wrapped = { inputResponses: { decision: { method: 'elicitation/create', result: YES } } };
  const unread = await request('tools/call', { ...call, ...wrapped, requestState: await ask() });
  for (const { result } of [silent, unread]) assert.equal(result.structuredContent.error.code, 'APPROVAL_DENIED');
  const other = { ...call, arguments: { ...WRITE, args: ['other'] } };
  const moved = await request('tools/call', { ...other, ...approve, requestState: await ask() });
  const invented = await request('tools/call', { ...call, ...approve, requestState: 'yes' });
  for (const { error } of [moved, invented]) assert.equal(error?.code, -32602);
  assert.equal(existsSync(path.join(project, 'note.txt')), false);
  const requestState = await ask();
  const done = await request('tools/call', { ...call, ...approve, requestState });
  assert.equal(done.result.structuredContent.state, 'success', JSON.stringify(done));
  const again = await request('tools/call', { ...call, ...approve, requestState });
  assert.equal(again.error?.code, -32602, JSON.stringify(again));
});

test('over pipes: asked, approved and done, by clients of either era', async (t) => {
  for (const era of ERAS) {
    const project = servedProject(t, SKILLS);
    const asked: string[] = [];
    const { client } = await connectProcess(t, project, [], {
      era,
      capabilities: ELICITS,
      prepare: (made) => answerBy(made, asked, [YES]),
    });
    const done = await callTool(client, 'run_skill', WRITE);
    assert.deepEqual([done.result.state, asked.length], ['success', 1], JSON.stringify(done));
  }
});
