// The five tools as plain values: judged without doing, run after a yes, in one layer and one record.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import type { SkillTool, SkillToolName, Toolset, ToolsOptions } from '../../../src/index.ts';
import { skillFiles } from '../../support/door-support.ts';
import { oddTime, openIn, processesWith, sightOf, WRITER } from '../../support/library/handle.ts';

const SKILLS = {
  ...WRITER,
  ...skillFiles('mover', 'name: mover\ndescription: Moves notes away.', {
    'scripts/all.sh':
      'rm old.txt\necho new > new.txt\necho "all:" > Makefile\nmkdir -p .github/workflows\necho x > .github/workflows/ci.yml\n',
    'reference/more.md': '# More\n\n## Deep\ndown here\n',
  }),
  ...skillFiles('secretive', 'name: secretive\ndescription: For people.\ndisable-model-invocation: true'),
  'old.txt': 'old\n',
};

const NAMES: readonly SkillToolName[] = ['search_skills', 'load_skill', 'read_skill_resource', 'run_skill', 'get_run'];

test('the tools say what they take and give, and every result keeps to it', async (t) => {
  const { set, tool } = await openTools(t);
  assert.deepEqual(
    set.tools.map(({ name }) => name),
    NAMES,
  );
  for (const { description, annotations } of set.tools) {
    assert.ok(description.length > 20);
    assert.equal(typeof annotations.readOnlyHint, 'boolean');
  }
  assert.match(set.instructions, /search_skills[\s\S]*load_skill[\s\S]*run_skill/);
  const names = JSON.stringify(tool('load_skill').inputSchema);
  assert.ok(names.includes('"writer"') && !names.includes('secretive'), names);
  const found = await tool('search_skills').execute({ query: 'move notes away' });
  const loaded = await tool('load_skill').execute({ name: 'mover' });
  const read = await tool('read_skill_resource').execute({
    skill: 'mover',
    path: 'reference/more.md',
    section: 'Deep',
  });
  const refused = await tool('run_skill').execute({ skill: 'mover', script: 'scripts/none.sh' });
  const seen = await tool('get_run').execute({});
  assert.match(JSON.stringify(found.skills), /"name":"mover"/);
  assert.deepEqual([loaded.instructions, loaded.resources], ['# mover', ['reference/more.md', 'scripts/all.sh']]);
  assert.match(String(read.text), /down here/);
  assert.equal(refused.ok, false);
  const results = {
    search_skills: found,
    load_skill: loaded,
    read_skill_resource: read,
    run_skill: refused,
    get_run: seen,
  };
  for (const name of NAMES) {
    const { outputSchema, inputSchema } = tool(name);
    z.fromJSONSchema(inputSchema);
    z.fromJSONSchema(outputSchema).parse(results[name]);
  }
});

test('what a model gets wrong is told in the result, and a skill for people is unknown to it', async (t) => {
  const { tool } = await openTools(t);
  const messages = [
    await tool('run_skill').execute({}),
    await tool('run_skill').execute({ skill: 'writer', sript: 'x' }),
    await tool('run_skill').execute({ skill: 'writer', args: 'x' }),
    await tool('run_skill').execute('writer'),
    await tool('load_skill').execute({ name: 'secretive' }),
    await tool('run_skill').execute({ skill: 'secretive' }),
    await tool('run_skill').execute({ skill: 'csv-insights' }),
  ].map(({ ok, error }) => [ok, Object(error).code]);
  assert.deepEqual(messages, [
    [false, 'MISSING_PARAM'],
    [false, 'INVALID_PARAM'],
    [false, 'INVALID_PARAM'],
    [false, 'INVALID_PARAM'],
    [false, 'SKILL_NOT_FOUND'],
    [false, 'SKILL_NOT_FOUND'],
    [false, 'MISSING_PARAM'],
  ]);
  assert.equal((await tool('run_skill').decide({ skill: 'secretive' })).effect, 'allow');
  const near = await tool('load_skill').execute({ name: 'csv-insigths' });
  assert.match(String(near.hint), /^Did you mean csv-insights\? `search_skills`/);
  const empty = await tool('read_skill_resource').execute({ path: 'SKILL.md' });
  assert.equal(empty.hint, 'The tool takes skill, path, section.');
});

test('decide does nothing, and its approval is for this very call and these very files', async (t) => {
  const { set, tool, project } = await openTools(t);
  const wanted = { skill: 'writer', script: 'scripts/write.sh', args: ['hello'] };
  const judged = await tool('run_skill').decide(wanted);
  assert.deepEqual([judged.effect, judged.risk], ['ask', 'medium']);
  assert.match(judged.reason, /^global: execution\.require_approval_for: run_script$/);
  assert.equal(set.runId(), undefined);
  assert.ok(judged.approval);
  const other = await tool('run_skill').execute({ ...wanted, args: ['bye'] }, { approval: judged.approval });
  assert.deepEqual([other.ok, other.state], [false, 'interrupted']);
  writeFileSync(path.join(project, '.claude/skills/writer/scripts/write.sh'), 'echo evil > note.txt\n');
  const changed = await tool('run_skill').execute(wanted, { approval: judged.approval });
  assert.equal(changed.state, 'interrupted');
  assert.equal(existsSync(path.join(project, 'note.txt')), false);
  const again = await tool('run_skill').decide(wanted);
  const done = await tool('run_skill').execute(wanted, { approval: again.approval ?? '' });
  assert.equal(done.state, 'success', JSON.stringify(done));
  const twice = await tool('run_skill').execute(wanted);
  assert.equal(twice.state, 'interrupted', 'one approval is for one call');
});

test('a yes to the call covers new and changed ordinary files; the rest waits for apply', async (t) => {
  const { set, tool, project } = await openTools(t);
  const done = await tool('run_skill').execute({ skill: 'mover', script: 'scripts/all.sh' }, { approval: true });
  assert.equal(done.ok, true, JSON.stringify(done));
  const { applied, waiting } = Object(done.changes);
  const pathsOf = (changes: readonly { path: string }[]) => changes.map((change) => change.path);
  assert.deepEqual(pathsOf(applied), ['new.txt']);
  assert.ok(['.github/workflows/ci.yml', 'Makefile', 'old.txt'].every((one) => pathsOf(waiting).includes(one)));
  assert.deepEqual(
    ['new.txt', 'Makefile', 'old.txt'].map((name) => existsSync(path.join(project, name))),
    [true, false, true],
  );
  const next = await tool('run_skill').execute(
    { skill: 'writer', script: 'scripts/write.sh', args: ['b'] },
    { approval: true },
  );
  assert.deepEqual(pathsOf(Object(next.changes).applied), ['note.txt'], 'what was left stays left');
  const seen = await tool('get_run').execute({});
  assert.ok(pathsOf(Object(seen.changes).waiting).includes('Makefile'));
  assert.equal(Object(seen).calls.length, 2);
  const other = await set.apply({ only: ['old.txt'], digest: 'of other changes' });
  assert.equal(other.state === 'error' && other.error.code, 'CONFLICT', other.summary);
  const looked = await set.changes();
  const rest = await set.apply({ only: ['old.txt', 'Makefile'], digest: looked?.digest ?? '' });
  assert.equal(rest.state, 'partial', rest.summary);
  assert.deepEqual(
    ['Makefile', 'old.txt'].map((name) => existsSync(path.join(project, name))),
    [true, false],
  );
  const after = await tool('run_skill').execute(
    { skill: 'writer', script: 'scripts/write.sh', args: ['c'] },
    { approval: true },
  );
  assert.deepEqual(pathsOf(Object(after.changes).applied), ['note.txt'], JSON.stringify(after));
});

test('without an approval the tool asks the code that opened it, or leaves a question', async (t) => {
  const { sw, tool } = await openTools(t);
  const wanted = { skill: 'writer', script: 'scripts/write.sh', args: ['x'] };
  const left = await tool('run_skill').execute(wanted);
  assert.deepEqual([left.state, (await sw.questions()).length], ['interrupted', 1]);
  const { id } = Object(left.question);
  assert.deepEqual((await tool('get_run').execute({})).questions, [{ id, state: 'waiting' }]);
  await sw.answer(id, 'yes');
  const [answered] = Object(await tool('get_run').execute({})).questions;
  assert.deepEqual([answered.id, answered.state, answered.calls.length], [id, 'interrupted', 1]);
  const asked: string[] = [];
  const asking = await sw.tools({
    ask: ({ about }) => {
      asked.push(about);
      return 'yes';
    },
  });
  const done = await asking.tools[3]?.execute(wanted);
  assert.deepEqual([done?.ok, asked], [true, ['call']], JSON.stringify(done));
});

test('policy that denies is told before and holds inside', async (t) => {
  const { tool } = await openTools(t, {}, { policy: { denied: ['run_script'] } });
  const wanted = { skill: 'writer', script: 'scripts/write.sh', args: ['x'] };
  const judged = await tool('run_skill').decide(wanted);
  assert.deepEqual([judged.effect, judged.reason], ['deny', 'runtime: execution.denied: run_script']);
  const done = await tool('run_skill').execute(wanted, { approval: true });
  assert.deepEqual([done.ok, Object(done.error).code], [false, 'PERMISSION_DENIED']);
});

test('a signal ends the call with its processes, calls take turns, and only the named skills are there', async (t) => {
  const { tool, project } = await openTools(t, { skills: ['writer'] });
  assert.equal((await tool('load_skill').execute({ name: 'mover' })).ok, false);
  const [abort, time] = [new AbortController(), oddTime()];
  const waits = tool('run_skill').execute(
    { skill: 'writer', script: 'scripts/wait.sh', args: [time] },
    { approval: true, signal: abort.signal },
  );
  await sightOf(time);
  const behind = tool('run_skill').execute(
    { skill: 'writer', script: 'scripts/write.sh', args: ['after'] },
    { approval: true },
  );
  abort.abort();
  assert.deepEqual([(await waits).ok, processesWith(time)], [false, []]);
  const after = await behind;
  assert.equal(after.ok, true, JSON.stringify(after));
  assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'after\n');
});

async function openTools(t: TestContext, wish: ToolsOptions = {}, options: Parameters<typeof openIn>[2] = {}) {
  const { sw, project } = await openIn(t, SKILLS, options);
  const set: Toolset = await sw.tools(wish);
  const tool = (name: SkillToolName): SkillTool => {
    const found = set.tools.find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };
  return { sw, set, tool, project };
}

test('what is in the project from this run is no conflict later, while something else still waits; what a person changed is', async (t) => {
  const { set, sw, tool, project } = await openTools(t);
  const write = async (word: string) => {
    const given = { skill: 'writer', script: 'scripts/write.sh', args: [word] };
    return Object((await tool('run_skill').execute(given, { approval: true })).changes).conflicts;
  };
  await tool('run_skill').execute({ skill: 'mover', script: 'scripts/all.sh' }, { approval: true });
  const note = path.join(project, 'note.txt');
  assert.deepEqual([await write('a'), await write('b'), readFileSync(note, 'utf8')], [undefined, undefined, 'b\n']);
  writeFileSync(note, 'of a person\n');
  assert.deepEqual([await write('c'), readFileSync(note, 'utf8')], [['note.txt'], 'of a person\n']);
  writeFileSync(note, 'b\n');
  assert.deepEqual([await write('d'), readFileSync(note, 'utf8')], [undefined, 'd\n']);
  assert.equal((await sw.runs.undo(set.runId() ?? '')).state, 'success');
  assert.deepEqual([await write('e'), readFileSync(note, 'utf8')], [['note.txt'], 'b\n']);
});
