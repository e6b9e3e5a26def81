// Seed 002, section 6: what the frontmatter of a skill says, as list, inspect and validate tell it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { SpokenDiagnostic } from '../../../src/base/diagnostic.ts';
import { answer, makeWorld, observed, resource, runProcess, select, type World } from '../../support/agent-support.ts';
import { ask } from '../../support/rule-support.ts';

/** SKILL.md of the folder, with exactly these fields. */
const fields = (folder: string, text: string, body = '# x\n') => ({
  [`.agent/skills/${folder}/SKILL.md`]: `---\n${text}\n---\n${body}`,
});

interface Checked {
  readonly path: string;
  readonly ok: boolean;
  readonly diagnostics: readonly SpokenDiagnostic[];
}

/** By folder: whether the skill passed, and the codes of what was found. */
async function validate({ project, home }: World, ...words: string[]): Promise<Record<string, string>> {
  const { data } = await ask(project, ['validate', ...words], { at: home });
  const told = (data.results as Checked[]).map(({ path: file, ok, diagnostics }) => {
    const codes = diagnostics.filter(({ code }) => code !== 'section-missing').map(({ code }) => code);
    return [path.basename(path.dirname(file)), [ok ? 'passed' : 'failed', ...codes].join(' ')];
  });
  return Object.fromEntries(told);
}

interface Entry {
  readonly name: string;
  readonly controls?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

test('002-55 002-56 002-58 002-59 002-64 an index entry has id, source, path and controls; four spellings are one list of tools', async (t) => {
  const tools = {
    flow: 'allowed-tools: [read_file, "Bash(git log:*)"]',
    block: 'allowed-tools:\n  - read_file\n  - Bash(git log:*)',
    commas: 'allowed-tools: read_file, Bash(git log:*)',
    spaces: 'allowed-tools: read_file Bash(git log:*)',
  };
  const spelt = Object.entries(tools).map(([name, line]) => fields(name, `name: ${name}\ndescription: b\n${line}`));
  const controlled = `name: controlled
description: Says all.
version: 1.2.0
author: Ada
disable-model-invocation: true
user-invocable: false
run-mode: subagent
network: true
allowed-tools: []`;
  const { project, home } = makeWorld(t, {
    ...Object.assign({}, ...spelt),
    ...fields('controlled', controlled),
    ...fields('nameless', 'description: Has no name.'),
    ...fields('speechless', 'name: speechless\nversion: 1.0.0'),
  });
  const { data } = await ask(project, ['list', '--all', '--source', 'project'], { at: home });
  const entries = new Map((data.skills as Entry[]).map((entry) => [entry.name, entry]));
  assert.deepEqual([...entries.keys()].sort(), ['block', 'commas', 'controlled', 'flow', 'nameless', 'spaces']);
  assert.deepEqual(entries.get('controlled'), {
    skill_id: 'project:controlled@1.2.0',
    name: 'controlled',
    folder_name: 'controlled',
    source: 'project',
    kind: 'prompt',
    description: 'Says all.',
    version: '1.2.0',
    path: path.join(project, '.agent/skills/controlled/SKILL.md'),
    controls: {
      disable_model_invocation: true,
      user_invocable: false,
      run_mode: 'subagent',
      allowed_tools: [],
      network: true,
    },
    state: 'visible',
  });
  for (const name of Object.keys(tools)) {
    const listed = entries.get(name)?.controls?.allowed_tools;
    assert.deepEqual(listed, [{ tool: 'read_file' }, { tool: 'Bash', pattern: 'git log:*' }], name);
  }
  const missing = (data.diagnostics as SpokenDiagnostic[]).find(({ code }) => code === 'description-missing');
  assert.equal(missing?.path, path.join(project, '.agent/skills/speechless/SKILL.md'));
  const inspected = await ask(project, ['inspect', 'controlled'], { at: home });
  assert.equal((inspected.data.manifest as Entry).author, 'Ada');
  // Only a model may choose it, so a person is not offered it.
  const offered = await ask(project, ['list'], { at: home });
  assert.ok(!(offered.data.skills as Entry[]).some(({ name }) => name === 'controlled'));
});

test('002-55 (decided: in lenient a name falls back to the folder) 002-61 002-62 (decided: profiles) what validate refuses for those who publish', async (t) => {
  const world = makeWorld(t, {
    ...fields('good', 'name: good\ndescription: Fine.\nparams: {x: {required: true}}\nrequires: [other]'),
    ...fields('folded', 'name: folded\ndescription: >-\n  Written over\n  several lines.'),
    ...fields('nameless', 'description: Has no name.'),
    ...fields('speechless', 'name: speechless'),
    ...fields('less', 'name: less\ndescription: a < b'),
    ...fields('author', 'name: author\ndescription: b\nauthor: "<x>"'),
    ...fields('more', 'name: more\ndescription: >-\n  b > c'),
    ...fields('nested', 'name: nested\ndescription: b\nmetadata: {deep: {deeper: 1}}'),
    ...fields('mixed', 'name: mixed\ndescription: b\nallowed-tools: [{a: b}]'),
  });
  assert.deepEqual(await validate(world, '--profile', 'strict'), {
    good: 'passed',
    folded: 'passed',
    nameless: 'failed name-missing',
    speechless: 'failed description-missing',
    less: 'failed strict-angle-bracket',
    author: 'failed strict-angle-bracket',
    more: 'failed strict-angle-bracket',
    nested: 'failed strict-nesting',
    mixed: 'failed field-restricted strict-nesting',
  });
  const lenient = await validate(world);
  assert.deepEqual([lenient.nameless, lenient.speechless], ['passed name-missing', 'failed description-missing']);
  assert.deepEqual([lenient.less, lenient.author, lenient.more], ['passed', 'passed', 'passed']);
  // What is nested is kept and means nothing; where it should limit the tools, it allows none.
  assert.deepEqual([lenient.nested, lenient.mixed], ['passed', 'passed field-restricted']);
});

test('002-66 002-67 (decided: profiles) 002-68 a body is cleaned, and cut at 500 lines; the rest is read by section, those who publish must split it', async (t) => {
  const sections = Array.from({ length: 12 }, (_, at) => `## Part ${at}\n${`line of ${at}\n`.repeat(49)}`);
  const world = makeWorld(t, {
    ...fields('long', 'name: long\ndescription: b', sections.join('')),
    ...fields('fits', 'name: fits\ndescription: b', `# Fits\n${'x\n'.repeat(499)}`),
    ...fields('dirty', 'name: dirty\ndescription: b', 'a\u200bb\r\nc\u202ed\re\u{e0041}f\ufeff\n'),
  });
  const { project, home } = world;
  const { data } = await ask(project, ['inspect', 'dirty', '--body'], { at: home });
  assert.equal(data.body, 'ab\ncd\nef\n');
  const checked = await validate(world, 'long', 'fits', '--profile', 'strict');
  assert.deepEqual(checked, { long: 'failed body-long', fits: 'passed' });
  assert.equal((await validate(world, 'long')).long, 'passed body-long');
  const steps = [select('long', 'dirty'), resource('long', 'SKILL.md', 'Part 11'), answer()];
  const ran = await runProcess(world, steps);
  const [, prompt = ''] = ran.prompts;
  assert.match(prompt, /line of 9\n/);
  assert.doesNotMatch(prompt, /line of 10|[\u200b\u202e\r]/);
  assert.match(prompt, /further sections of SKILL\.md, readable with load_resource and section_hint: Part 10; Part 11/);
  assert.match(observed(ran).at(-1) ?? '', /^## Part 11\nline of 11\n/);
});
