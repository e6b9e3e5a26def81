// A question that nobody was there for: the same facts as at a terminal, in words and as data, until it is decided.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  answer,
  makeWorld,
  runProcess,
  script,
  select,
  skillFile,
  tool,
  type World,
} from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';

const at = ({ project, home }: World) => ({ cwd: project, home });

function place(t: TestContext): World {
  return makeWorld(t, {
    'a.txt': 'one\ntwo\nthree\n',
    'b.txt': 'other\n',
    ...skillFile('keeper'),
    '.agent/skills/keeper/scripts/say.sh': 'echo said\n',
  });
}

interface SavedQuestion {
  readonly id: string;
  readonly text: string;
  readonly facts: { readonly view: Record<string, unknown> };
}

/** The step waits for a decision. */
async function saved(world: World, step: Record<string, unknown>): Promise<SavedQuestion> {
  const ran = await runProcess(world, [select('keeper'), step, answer()], { args: ['--non-interactive'] });
  assert.deepEqual([ran.code, ran.outcome.data.type], [4, 'ApprovalRequired'], ran.stdout);
  const { data } = JSON.parse(ran.stdout);
  return { id: data.id, text: data.question, facts: data.facts };
}

/** Whoever lists or opens them sees every line, and gets the same data. */
async function requireShown(world: World, questions: readonly SavedQuestion[]): Promise<void> {
  const listed = await runCli(['interrupts'], at(world));
  const { data } = JSON.parse((await runCli(['interrupts', '--json'], at(world))).stdout);
  for (const { id, text, facts } of questions) {
    for (const line of text.split('\n')) assert.ok(listed.stdout.includes(line.trim()), `${line}\n${listed.stdout}`);
    assert.deepEqual(data.items.find((item: { id: string }) => item.id === id).facts, facts);
  }
  const [first] = questions;
  const open = await runCli(['resume', first?.id ?? ''], at(world));
  assert.equal(open.code, 2);
  for (const line of first?.text.split('\n') ?? []) assert.ok(open.stdout.includes(line.trim()), open.stdout);
}

test('each kind of call as text and as data', async (t) => {
  const world = place(t);
  const write = await saved(world, tool('write_file', { path: 'a.txt', content: 'one\n2\nthree\n' }, 'keeper'));
  assert.match(
    write.text,
    /overwrites a\.txt \(3 lines, 14 B → 3 lines, 12 B\)\n {4}@@[^\n]*\n {4} one\n {4}-two\n {4}\+2\n/,
  );
  assert.deepEqual(
    [write.facts.view.kind, write.facts.view.path, write.facts.view.before],
    ['write', 'a.txt', { bytes: 14, lines: 3 }],
  );
  const fresh = await saved(world, tool('write_file', { path: 'new.txt', content: 'x\n' }, 'keeper'));
  assert.match(fresh.text, /new file new\.txt \(1 line, 2 B\)\n[\s\S]*\+x/);
  const edits = [{ op: 'replace', old: 'two', new: 'zwei' }];
  const edit = await saved(world, tool('write_file', { path: 'a.txt', edits }, 'keeper'));
  assert.match(edit.text, /overwrites a\.txt[\s\S]*-two\n {4}\+zwei/);
  const gone = await saved(world, tool('delete_file', { path: 'a.txt' }, 'keeper'));
  assert.match(gone.text, /deletes a\.txt \(3 lines, 14 B\); this is lost:\n {4}-one\n {4}-two\n {4}-three/);
  const move = await saved(world, tool('move_file', { from: 'a.txt', to: 'b.txt', overwrite: true }, 'keeper'));
  assert.match(
    move.text,
    /moves a\.txt \(3 lines, 14 B\)\n {2}to b\.txt\n {2}overwrites what is there \(1 line, 6 B\)/,
  );
  const sent = { url: 'https://example.org/x?q=1', method: 'post', headers: { 'x-key': 'v' }, body: 'a=1' };
  const request = await saved(world, tool('network_request', sent, 'keeper'));
  assert.match(
    request.text,
    /POST to example\.org\n {2}https:\/\/example\.org\/x\?q=1\n {2}x-key: v\n {2}sends 1 line, 3 B:\n {4}a=1/,
  );
  const command = await saved(world, tool('run_command', { argv: ['git', 'log', '--format=%h %s'] }, 'keeper'));
  assert.match(command.text, /1: git\n {2}2: log\n {2}3: --format=%h %s\n/);
  const runs = await saved(world, script('keeper', 'say.sh', 'x y'));
  assert.match(
    runs.text,
    /1: scripts\/say\.sh\n {2}2: x y\n {2}from project, in \.agent\/skills\/keeper\n[\s\S]*echo said/,
  );
  assert.deepEqual([runs.facts.view.kind, runs.facts.view.source], ['script', 'project']);
  await requireShown(world, [write, fresh, edit, gone, move, request, command, runs]);
});

test('whoever reads a question reads it in their own language, and the yes is to the same one', async (t) => {
  const world = place(t);
  const step = script('keeper', 'say.sh', 'x y');
  const { id, text } = await saved(world, step);
  assert.match(text, /wants to use run_script \[medium risk\]/);
  for (const words of [['interrupts'], ['resume', id]]) {
    const { stdout } = await runCli([...words, '--lang', 'zh'], at(world));
    assert.match(stdout, /请求使用 run_script \[中风险\]\n[\s\S]*echo said/, words.join(' '));
    assert.doesNotMatch(stdout, /wants to use/);
  }
  const { stdout } = await runCli(['interrupts', '--json', '--lang', 'zh'], at(world));
  assert.equal(JSON.parse(stdout).data.items[0].question, text, 'the text that the answer is bound to');
  const answered = await runCli(['resume', id, '--decide', 'approve', '--lang', 'zh'], at(world));
  assert.equal(answered.code, 0, answered.stdout);
});

test('a yes is for the diff that was shown: another content in its place, and it is no longer one', async (t) => {
  const world = place(t);
  const step = tool('write_file', { path: 'a.txt', content: 'one\n2\nthree\n' }, 'keeper');
  const first = await saved(world, step);
  writeFileSync(path.join(world.project, 'a.txt'), 'quite\nother\n');
  assert.notEqual((await runCli(['resume', first.id, '--decide', 'approve'], at(world))).code, 0);
  assert.equal(readFileSync(path.join(world.project, 'a.txt'), 'utf8'), 'quite\nother\n');
  const second = await saved(world, step);
  assert.equal((await runCli(['resume', second.id, '--decide', 'approve', '--apply', 'always'], at(world))).code, 0);
  assert.equal(readFileSync(path.join(world.project, 'a.txt'), 'utf8'), 'one\n2\nthree\n');
});

test('nothing of a question is coloured or asked where nobody is, and a name that steers a terminal is shown', async (t) => {
  const world = place(t);
  const { text } = await saved(
    world,
    tool('write_file', { path: 'x\u001b[2J.txt', content: 'a\u001b[2Jb\n' }, 'keeper'),
  );
  assert.ok(text.includes('x\\u{1b}[2J.txt') && text.includes('+a\\u{1b}[2Jb'), text);
  const { stdout } = await runCli(['interrupts'], at(world));
  assert.ok(!stdout.includes('\u001b'), stdout);
  assert.equal(existsSync(path.join(world.project, 'new.txt')), false);
});

test('a no with a reason: the model reads it, the record keeps it, and only a no has one', async (t) => {
  const world = place(t);
  const { id } = await saved(world, script('keeper', 'say.sh'));
  for (const words of [
    ['--decide', 'approve', '--reason', 'because'],
    ['--decide', 'deny', '--reason', ' '],
  ]) {
    const refused = await runCli(['resume', id, ...words], at(world));
    assert.equal(refused.code, 2, refused.stdout);
    assert.match(refused.stderr + refused.stdout, /--reason TEXT goes with --decide deny/);
  }
  const reason = 'say it in prose instead';
  const denied = await runCli(['resume', id, '--decide', 'deny', '--reason', reason, '--json'], at(world));
  assert.equal(JSON.parse(denied.stdout).state, 'success', denied.stdout);
  const folder = path.join(world.project, '.agent/runs', String(JSON.parse(denied.stdout).data.run_id));
  const events = readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const answered = events.find(({ type }) => type === 'interrupt-answer');
  assert.deepEqual([answered.interrupt, answered.by], [id, 'person']);
  const [file = ''] = String(answered.reason.ref).split('#');
  const [start, length] = answered.reason.at;
  assert.equal(
    readFileSync(path.join(folder, file))
      .subarray(start, start + length)
      .toString(),
    reason,
  );
  const read = readFileSync(path.join(folder, file), 'utf8');
  assert.ok(read.includes(`ApprovalDenied: the answer was no; the reason: ${reason}`), read);
  const verified = await runCli(['runs', 'verify', path.basename(folder)], at(world));
  assert.equal(verified.code, 0, verified.stdout);

  const call = await runCli(['exec', 'keeper', 'scripts/say.sh', '--non-interactive', '--json'], at(world));
  const asked = String(JSON.parse(call.stdout).data.id);
  const words = ['resume', asked, '--decide', 'deny', '--reason', reason, '--lang', 'zh', '--json'];
  const { data, summary } = JSON.parse((await runCli(words, at(world))).stdout);
  assert.equal(data.type, 'ApprovalDenied');
  assert.match(summary, new RegExp(`原因: ${reason}`));
});
