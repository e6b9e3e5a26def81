// Whatever one SKILL.md says, the others are listed and it is named: thousands of bad ones in one project, by the command line.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Case, eachPair, randomMixes } from '../../support/frontmatter-shapes.ts';
import { count, randomSeed, runCli, temporaryFolder } from '../../support/support.ts';

interface World {
  readonly cwd: string;
  readonly home: string;
  readonly skills: string;
}

interface Found {
  readonly code: string;
  readonly path: string;
  readonly severity: string;
}

interface Listed {
  readonly name: string;
  readonly folder_name: string;
  readonly path: string;
  readonly controls: Readonly<Record<string, unknown>>;
}

// Before, among and behind the bad ones.
const GOOD = ['aaa-good', 'mix-0001-good', 'pair-0002-good', 'zzz-good'];

function makeWorld(t: TestContext): World {
  const folder = temporaryFolder(t);
  const world = { cwd: path.join(folder, 'project'), home: path.join(folder, 'home'), skills: '' };
  const skills = path.join(world.cwd, '.agent', 'skills');
  for (const made of [skills, world.home]) mkdirSync(made, { recursive: true });
  return { ...world, skills };
}

function write(folder: string, name: string, text: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'SKILL.md'), text);
}

function writeGood(folder: string): void {
  for (const name of GOOD)
    write(folder, name, `---\nname: ${name}\ndescription: Counts marmots well.\n---\n# ${name}\n`);
}

function generate(t: TestContext): Case[] {
  const seed = randomSeed();
  const cases = [...eachPair(count(1, 5)), ...randomMixes(count(1000, 150), seed)];
  t.diagnostic(`${cases.length} frontmatters, SKILLWRIGHT_SEED=${seed}`);
  return cases;
}

/** One JSON answer that is no internal error, whatever else it is. */
async function ask(world: World, ...args: string[]) {
  const { code, stdout, stderr } = await runCli([...args, '--json'], world);
  assert.doesNotMatch(stderr, / {4}at |Error:/, args.join(' '));
  const { state, summary, data } = JSON.parse(stdout);
  assert.notEqual(data.type, 'Internal', `${args.join(' ')}: ${summary}`);
  return { code, state, summary, data };
}

test('thousands of frontmatters, every field in every shape: none ends a listing, each bad one is named', async (t) => {
  const world = makeWorld(t);
  const cases = generate(t);
  for (const { name, text } of cases) write(world.skills, name, text);
  writeGood(world.skills);
  const fileOf = (name: string) => path.join(world.skills, name, 'SKILL.md');

  const listed = await ask(world, 'list', '--all');
  assert.equal(listed.code, 0, listed.summary);
  const skills: Listed[] = listed.data.skills;
  const seen = new Set(skills.map(({ path: file }) => file));
  for (const name of GOOD) assert.ok(seen.has(fileOf(name)), name);
  const diagnostics: Found[] = listed.data.diagnostics;
  assert.deepEqual(
    diagnostics.filter(({ code }) => code === 'internal'),
    [],
  );
  const said = Map.groupBy(diagnostics, ({ path: file }) => file);
  for (const one of cases) {
    const found = said.get(fileOf(one.name)) ?? [];
    assert.ok(seen.has(fileOf(one.name)) || found.some(({ severity }) => severity === 'error'), one.text);
    assert.ok(!one.isBad || found.some(({ severity }) => severity !== 'info'), one.text);
  }
  assertRestricted(skills, cases);

  const searched = await ask(world, 'search', 'marmots', '--limit', '100');
  assert.equal(searched.code, 0, searched.summary);
  const hits: Listed[] = searched.data.hits;
  for (const name of GOOD)
    assert.ok(
      hits.some((hit) => hit.folder_name === name),
      name,
    );
  const unread = new Set((searched.data.diagnostics as Found[]).map(({ path: file }) => file));
  for (const { name } of cases) assert.ok(seen.has(fileOf(name)) || unread.has(fileOf(name)), name);

  const judged = await ask(world, 'doctor');
  const verdicts = new Set((judged.data.skills as { path: string }[]).map(({ path: file }) => file));
  for (const { name } of cases) assert.ok(verdicts.has(fileOf(name)), name);

  for (const profile of ['lenient', 'spec', 'strict']) {
    const { data } = await ask(world, 'validate', '--profile', profile);
    const results: { path: string; ok: boolean; diagnostics: Found[] }[] = data.results;
    assert.equal(results.length, cases.length + GOOD.length);
    assert.ok(results.every(({ diagnostics }) => diagnostics.every(({ code }) => code !== 'internal')));
    if (profile === 'lenient') for (const { path: file, ok } of results) assert.ok(ok || said.has(file), file);
  }
  const scanned = await ask(world, 'scan');
  assert.equal(scanned.code, 0, scanned.summary);
});

/** A field that guards something and cannot be read has its most restrictive value. */
function assertRestricted(skills: readonly Listed[], cases: readonly Case[]): void {
  const byFolder = new Map(skills.map((skill) => [skill.folder_name, skill.controls]));
  for (const { name, fields, text } of cases) {
    const controls = byFolder.get(name);
    if (!controls) continue;
    const isFlag = (field: string) => /^ (?:true|false)$/.test(fields[field] ?? ' true');
    if (!isFlag('disable-model-invocation')) assert.equal(controls.disable_model_invocation, true, text);
    if (!isFlag('user-invocable')) assert.equal(controls.user_invocable, false, text);
    if (fields.network !== undefined && fields.network !== ' true') assert.equal(controls.network, false, text);
    if (fields['run-mode'] !== undefined && fields['run-mode'] !== ' inline')
      assert.equal(controls.run_mode, 'subagent', text);
    if (/^ (?:\{|true|false|7|~|$)|macOS/.test(fields['allowed-tools'] ?? 'x'))
      assert.deepEqual(controls.allowed_tools, [], text);
  }
}

test('one bad skill beside good ones: inspect, vet and install speak of it by name and never of themselves', async (t) => {
  const world = makeWorld(t);
  const cases = generate(t).filter((_, at) => at % count(40, 61) === 0);
  for (const { name, text } of cases) write(world.skills, name, text);
  writeGood(world.skills);
  for (const { name } of cases) {
    const inspected = await ask(world, 'inspect', name);
    assert.ok(inspected.code === 0 || inspected.summary.includes(name), `${name}: ${inspected.summary}`);
    await ask(world, 'vet', path.join(world.skills, name));
  }
  const vetted = await ask(world, 'vet', world.skills);
  for (const name of GOOD) assert.match(JSON.stringify(vetted), new RegExp(name));
  const offer = path.join(world.home, 'offer');
  writeGood(offer);
  write(offer, 'maps', '---\nname: maps\ndescription: d\ncompatibility:\n  - platform: macOS\ntimeout: {a: b}\n---\n');
  const installed = await ask({ ...world, cwd: world.home }, 'install', offer, '--scope', 'user', '--yes');
  assert.equal(installed.code, 0, installed.summary);
  assert.deepEqual(installed.data.installed.map(({ name }: Listed) => name).sort(), [...GOOD, 'maps'].sort());
  write(offer, 'nameless', '---\nname: [{a: b}]\ndescription:\n  - c: d\n---\n');
  const refused = await ask({ ...world, cwd: world.home }, 'install', offer, '--scope', 'user', '--yes');
  assert.match(`${refused.summary} ${JSON.stringify(refused.data)}`, /nameless\/SKILL\.md/);
});
