// A handle of the library: what there is, calls with questions and policy, and what code may not do wrong.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Ask, Fault, type Question, type RunEvent } from '../../../src/index.ts';
import { skillFiles } from '../../support/door-support.ts';
import { openIn, WRITER } from '../../support/library/handle.ts';

const hintOf = (error: unknown) => (error instanceof Fault ? error.hint.en : '');
const isUsage = (error: unknown) => error instanceof Fault && error.type === 'Usage';

test('skills are listed, found, and read layer by layer', async (t) => {
  const guide = '# Guide\n\n## One\nfirst\n\n## Two\nsecond\n';
  const files = skillFiles('notes', 'name: notes\ndescription: Keeps notes of meetings.', {
    'reference/guide.md': guide,
  });
  const { sw, project } = await openIn(t, files);
  assert.equal(sw.project, project);
  const skills = await sw.skills();
  const mine = skills.find(({ name }) => name === 'notes');
  assert.deepEqual(mine, {
    ...{ name: 'notes', source: 'project', kind: 'prompt', description: 'Keeps notes of meetings.', actions: [] },
    folder: path.join(project, '.claude/skills/notes'),
  });
  const [best] = (await sw.search('notes of a meeting')).hits;
  assert.equal(best?.name, 'notes');
  const whole = await sw.catalog();
  assert.match(whole.text, /Keeps notes of meetings\./);
  assert.deepEqual(whole.left, []);
  const narrow = await sw.catalog('notes of a meeting', { tokens: 90 });
  assert.ok(narrow.tokens <= 90 && narrow.text.includes('Keeps notes of meetings.'), narrow.text);
  assert.ok(narrow.left.includes('csv-insights'), String(narrow.left));
  const read = await sw.read('notes');
  assert.deepEqual([read.text.trim(), read.resources], ['# notes', ['reference/guide.md']]);
  assert.match((await sw.readResource('notes', 'reference/guide.md')).text, /first[\s\S]*second/);
  assert.match((await sw.readResource('notes', 'reference/guide.md', 'Two')).text, /^## Two\s+second\s*$/);
  await assert.rejects(sw.read('note'), (error) => error instanceof Fault && error.type === 'SkillNotFound');
  await assert.rejects(sw.readResource('notes', '../../../../etc/passwd'), Fault);
});

test('an action, a skill by its name and a script: the outcome is a value with what came out', async (t) => {
  const { sw, project } = await openIn(t, { ...WRITER, 'sales.csv': 'day,sales\n1,100\n2,140\n', 'a.md': '# A\n' });
  const called = await sw.call('csv-insights', 'analyze', { target: 'sales.csv' });
  assert.ok(called.state === 'success', called.summary);
  assert.deepEqual(Object.keys(Object(called.result)).slice(0, 2), ['insights', 'metrics']);
  assert.ok(called.meta.seconds > 0 && called.meta.seconds < 60);
  const invoked = await sw.invoke('markdown-converter', 'a.md');
  assert.ok(invoked.state === 'success', invoked.summary);
  const [html = ''] = invoked.result.artifacts;
  assert.match(readFileSync(path.join(project, html), 'utf8'), /<h1[^>]*>A<\/h1>/);
  const failed = await sw.exec('writer', 'scripts/fail.sh', [], { ask: () => 'yes' });
  assert.ok(failed.state === 'error', failed.summary);
  assert.deepEqual([failed.error.type, failed.result], ['RuntimeFailed', { exit: 7, stdout: '', stderr: 'broken\n' }]);
  const lacking = await sw.invoke('markdown-converter');
  assert.ok(lacking.state === 'pending', lacking.summary);
  assert.deepEqual(lacking.missing, ['input']);
  const unknown = await sw.call('no-such-skill', 'analyze');
  assert.ok(unknown.state === 'error' && unknown.error.code === 'SKILL_NOT_FOUND', JSON.stringify(unknown));
});

test('code decides in the place of a person, about the call and about its changes, and events tell of it', async (t) => {
  const { sw, project } = await openIn(t);
  const asked: Question[] = [];
  const events: RunEvent[] = [];
  const ask: Ask = (question) => {
    asked.push(question);
    return 'yes';
  };
  const options = { ask, onEvent: (event: RunEvent) => events.push(event) };
  const done = await sw.exec('writer', 'scripts/write.sh', ['hello'], options);
  assert.ok(done.state === 'success', done.summary);
  assert.deepEqual(done.result, { exit: 0, stdout: 'wrote hello\n', stderr: '' });
  assert.deepEqual(done.changes?.applied, [{ path: 'note.txt', kind: 'new', bytes: 6 }]);
  assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
  const [call, changes] = asked;
  assert.ok(call?.about === 'call' && changes?.about === 'changes');
  assert.deepEqual([call.tool, call.words], ['run_script', ['scripts/write.sh', 'hello']]);
  assert.match(call.text, /writer .*wants to use run_script/);
  assert.deepEqual(changes.changes, done.changes?.applied);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['question', 'answer', 'question', 'answer', 'ended'],
  );
});

test('a no is told with its reason, and nothing has run', async (t) => {
  const { sw, project } = await openIn(t);
  const denied = await sw.exec('writer', 'scripts/write.sh', ['x'], { ask: () => ({ no: 'not on a Friday' }) });
  assert.ok(denied.state === 'error', denied.summary);
  assert.equal(denied.error.code, 'APPROVAL_DENIED');
  assert.match(denied.error.message, /not on a Friday/);
  const odd = await sw.exec('writer', 'scripts/write.sh', ['x'], { ask: () => JSON.parse('"sure"') });
  assert.equal(odd.state, 'error');
  assert.equal(existsSync(path.join(project, 'note.txt')), false);
});

test('what ask throws ends the call, is told as that of the program, and nothing is done', async (t) => {
  const { sw, project } = await openIn(t);
  const ask = (): never => {
    throw new Error('readline was closed');
  };
  const thrown = await sw.exec('writer', 'scripts/write.sh', ['x'], { ask });
  assert.ok(thrown.state === 'error', thrown.summary);
  assert.equal(thrown.error.code, 'RUNTIME_FAILED');
  assert.match(thrown.error.message, /ask threw: readline was closed/);
  assert.equal(existsSync(path.join(project, 'note.txt')), false);
});

test('without anybody to ask the question is saved, and an answer from code goes on once', async (t) => {
  const { sw, project, open } = await openIn(t);
  const stopped = await sw.exec('writer', 'scripts/write.sh', ['later']);
  assert.ok(stopped.state === 'interrupted' && stopped.waitsFor === 'approval' && stopped.question, stopped.summary);
  const { id } = stopped.question;
  const other = await open();
  const [waiting] = await other.questions();
  assert.deepEqual([waiting?.id, waiting?.of], [id, 'call']);
  assert.match(waiting?.text ?? '', /write\.sh/);
  const done = await other.answer(id, 'yes', { apply: 'always' });
  assert.equal(done.state, 'success', done.summary);
  assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'later\n');
  const again = await sw.answer(id, 'yes');
  assert.equal(again.state, 'error', again.summary);
  assert.deepEqual(await sw.questions(), []);
});

test('what is not applied waits, and is shown, applied, taken back and thrown away from code', async (t) => {
  const { sw, project } = await openIn(t);
  const note = path.join(project, 'note.txt');
  const kept = await sw.exec('writer', 'scripts/write.sh', ['one'], { ask: () => 'yes', apply: 'never' });
  assert.ok(kept.state === 'success' && kept.runId !== undefined, kept.summary);
  assert.equal(existsSync(note), false);
  const waiting = await sw.changes(kept.runId);
  assert.deepEqual(waiting.changes, [{ path: 'note.txt', kind: 'new', bytes: 4 }]);
  const applied = await sw.runs.apply(kept.runId);
  assert.ok(applied.state === 'success', applied.summary);
  assert.deepEqual(applied.result, { applied: waiting.changes, left: [] });
  assert.equal(readFileSync(note, 'utf8'), 'one\n');
  const undone = await sw.runs.undo(kept.runId);
  assert.ok(undone.state === 'success', undone.summary);
  assert.deepEqual([undone.result.undone.length, existsSync(note)], [1, false]);
  const twice = await sw.runs.undo(kept.runId);
  assert.ok(twice.state === 'error' && twice.error.code === 'DATA_NOT_FOUND', twice.summary);
  const other = await sw.exec('writer', 'scripts/write.sh', ['two'], { ask: () => 'yes', apply: 'never' });
  assert.equal(await sw.runs.discard(other.runId ?? ''), true);
  assert.equal(await sw.runs.discard(other.runId ?? ''), false);
  const [latest] = await sw.runs.list();
  assert.deepEqual([latest?.id, latest?.kind], [other.runId, 'exec']);
  const shown = await sw.runs.show('latest');
  assert.ok(shown.check.ok && shown.events.length > 3, JSON.stringify(shown.check));
  assert.deepEqual(
    shown.printed.map(({ tool, text }) => [tool, text]),
    [['run_script', 'wrote two\n']],
  );
  assert.ok((await sw.runs.verify()).every(({ ok }) => ok));
});

test('policy of the program only takes away: a yes and a grant do not bring back what it refuses', async (t) => {
  const { sw, open } = await openIn(t);
  const grant = await sw.grants.add({ skill: 'writer', script: 'scripts/write.sh', writes: true, tier: 'S1' });
  assert.deepEqual([grant.state, grant.writes], ['active', true]);
  assert.equal((await sw.exec('writer', 'scripts/write.sh', ['granted'])).state, 'success');
  const strict = await open({ policy: { denied: ['run_script'] }, ask: () => 'yes' });
  const refused = await strict.exec('writer', 'scripts/write.sh', ['x']);
  assert.ok(refused.state === 'error' && refused.error.code === 'PERMISSION_DENIED', refused.summary);
  const verdict = await strict.explain({ skill: 'writer', tool: 'run_script', words: ['scripts/write.sh'] });
  assert.deepEqual(
    verdict.layers.filter(({ effect }) => effect === 'deny'),
    [{ layer: 'runtime', rule: 'execution.denied: run_script', effect: 'deny' }],
  );
  const closed = await open({ policy: { default: 'deny' }, ask: () => 'yes' });
  assert.equal((await closed.exec('writer', 'scripts/write.sh', ['x'])).state, 'error');
  const lists = await open({ policy: { programs: ['python3'] }, ask: () => 'yes' });
  assert.equal((await lists.exec('writer', 'scripts/write.sh', ['x'])).state, 'error');
  assert.deepEqual(
    (await sw.grants.list()).map(({ id }) => id),
    [grant.id],
  );
  await sw.grants.revoke(grant.id);
  assert.equal((await sw.exec('writer', 'scripts/write.sh', ['x'])).state, 'interrupted');
});

test('what a script of a handle may use does not depend on what another handle was opened with', async (t) => {
  const { sw, open, project } = await openIn(t);
  const chinese = await open({ language: 'zh', ask: () => 'no' });
  const [en, zh] = await Promise.all([
    sw.exec('writer', 'scripts/write.sh', ['en'], { ask: () => 'yes', apply: 'always' }),
    chinese.exec('writer', 'scripts/write.sh', ['zh'], { apply: 'always' }),
  ]);
  assert.equal(en.state, 'success', en.summary);
  assert.match(zh.summary, /未获批准/);
  assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'en\n');
});

test('wrong use is a Fault that names the word, and nothing has begun', async (t) => {
  const { sw, open, project } = await openIn(t);
  await assert.rejects(sw.call('', 'analyze'), isUsage);
  await assert.rejects(sw.call('csv-insights', 'analyze', JSON.parse('[1]')), isUsage);
  await assert.rejects(sw.exec('writer', 'x', JSON.parse('[1]')), isUsage);
  await assert.rejects(sw.exec('writer', 'x', [], { timeout: -1 }), isUsage);
  assert.throws(() => sw.run('  '), isUsage);
  assert.throws(
    () => sw.run('x', { budget: JSON.parse('{"turn":1}') }),
    /budget\.turn must be one of turns, toolCalls/,
  );
  assert.throws(() => sw.run('x', { model: JSON.parse('{"decide":1}') }), isUsage);
  await assert.rejects(open({ policy: { denied: ['run_scripts'] } }), /run_scripts is none/);
  await assert.rejects(open({ policy: JSON.parse('{"default":"ask"}') }), isUsage);
  await assert.rejects(open({ language: JSON.parse('"de"') }), /language must be one of en, zh/);
  await assert.rejects(
    open({ project: path.join(project, 'typo') }),
    (error) => isUsage(error) && /no such folder: .*typo/.test(String(error)) && /docs\/api\.md/.test(hintOf(error)),
  );
  assert.equal(existsSync(path.join(project, 'typo')), false);
  const settings = JSON.parse('{"provider":"anthropic","name":"claude-sonnet-5"}');
  await assert.rejects(open({ model: settings }), /model must be a name such as 'anthropic:/);
  assert.deepEqual(await sw.runs.list(), []);
  await sw.close();
  await assert.rejects(sw.skills(), /this handle is closed/);
});
