import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/support.ts';
import { watchReads } from '../../../test/support/watch-reads.ts';
import { discover } from '../discover.ts';
import { openSearchIndex, type SearchOptions } from './index.ts';
import type { Bodies } from './update.ts';

/** Long after every file was written, so that their times are trusted. */
const LATER = Date.now() + 3_600_000;

test('name, description, headings, body start and example prompts are found; the rest of the body is not', (t) => {
  const world = makeWorld(t);
  const filler = 'plain words '.repeat(300);
  const body = `# Marmalade\r\n\r\nquince comes first\n\n\`\`\`sh\n# notaheading\n\`\`\`\n\n${filler}\n\n## Damson\n\nbeyondthestart\n`;
  world.write('jam', 'Cooks fruit.', body);
  world.writeFile('jam/evals/evals.json', { evals: [{ id: 1, prompt: 'preserve my greengages' }] });
  world.writeFile('jam/evals/trigger-eval.json', [
    { query: 'what to do with medlars', should_trigger: true },
    { query: 'repair a bicycle', should_trigger: false },
  ]);
  world.write('other', 'Does something else.');
  for (const word of ['jam', 'fruit', 'marmalade', 'quince', 'damson', 'greengages', 'medlars'])
    assert.deepEqual(world.names(word), ['jam'], word);
  for (const word of ['beyondthestart', 'bicycle', 'greengagesx']) assert.deepEqual(world.names(word), [], word);
});

test('prompts in other spellings count, and broken or odd files beside the skill count for nothing', (t) => {
  const world = makeWorld(t);
  world.write('a', 'First.');
  world.writeFile('a/evals/cases.json', { cases: [{ input: 'whittle a spoon' }, 5, null, { prompt: 7 }, 'text'] });
  world.writeFile('a/evals/broken.json', '{"evals": [');
  world.writeFile('a/evals/deep.json', '['.repeat(10_000));
  world.writeFile('a/evals/notes.txt', 'unreadword');
  assert.deepEqual(world.names('whittle'), ['a']);
  assert.deepEqual(world.names('unreadword'), []);
});

test('links out of the skill are not followed into the index', (t) => {
  const world = makeWorld(t);
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'evals.json'), JSON.stringify([{ query: 'xylophonist', should_trigger: true }]));
  world.write('a', 'First.');
  symlinkSync(outside, path.join(world.root, 'a', 'evals'));
  world.write('b', 'Second.');
  mkdirSync(path.join(world.root, 'b', 'evals'));
  symlinkSync(path.join(outside, 'evals.json'), path.join(world.root, 'b', 'evals', 'evals.json'));
  assert.deepEqual(world.names('xylophonist'), []);
  rmSync(path.join(world.root, 'b', 'evals', 'evals.json'));
  writeFileSync(path.join(world.root, 'b', 'evals', 'evals.json'), readFileSync(path.join(outside, 'evals.json')));
  assert.deepEqual(world.names('xylophonist'), ['b']);
});

test('only new and changed skills are read again, and none when nothing changed', (t) => {
  const world = makeWorld(t);
  for (const name of ['a', 'b', 'c']) world.write(name, `Does ${name}.`, `# About ${name}\n`);
  world.names('anything');
  assert.deepEqual(world.skillsRead('read'), []);
  const before = readdirSync(world.cache).map((file) => readFileSync(path.join(world.cache, file)));
  assert.deepEqual(world.skillsRead('read'), []);
  assert.deepEqual(
    readdirSync(world.cache).map((file) => readFileSync(path.join(world.cache, file))),
    before,
  );
  world.write('b', 'Does b.', '# Zucchini\n');
  world.write('d', 'Does d.', '# Yarrow\n');
  assert.deepEqual(world.skillsRead('read'), ['b/SKILL.md', 'd/SKILL.md']);
  assert.deepEqual([world.names('zucchini'), world.names('yarrow')], [['b'], ['d']]);
});

test('a skill that was changed a moment ago is read again, as its times prove nothing yet', (t) => {
  const world = makeWorld(t);
  world.write('a', 'First.');
  world.names('x', { now: Date.now() });
  assert.deepEqual(world.skillsRead('read', Date.now()), ['a/SKILL.md']);
});

test('what is gone or has become invalid is found no more', (t) => {
  const world = makeWorld(t);
  for (const name of ['a', 'b', 'c']) world.write(name, 'Grows rhubarb.');
  assert.deepEqual(world.names('rhubarb'), ['a', 'b', 'c']);
  rmSync(path.join(world.root, 'a'), { recursive: true });
  world.writeFile('b/SKILL.md', '---\nname: b\n---\nrhubarb\n');
  assert.deepEqual(world.names('rhubarb'), ['c']);
});

test('an index updated step by step ranks like one built at once', (t) => {
  const world = makeWorld(t);
  const other = makeWorld(t);
  const write = (name: string, text: string) => {
    for (const one of [world, other]) one.write(name, `Handles ${text} reports.`, `# ${text} guide\n`);
  };
  const words = ['budget', 'traffic', 'harvest', 'energy', 'staff'];
  for (const [at, word] of words.entries()) {
    write(`skill-${at}`, word);
    world.names(word);
  }
  write('skill-1', 'weather');
  const ask = (one: typeof world) =>
    ['weather report', 'traffic', 'guide to energy reports'].map((request) =>
      one.search(request).hits.map(({ skill, score }) => [skill.name, score]),
    );
  assert.deepEqual(ask(world), ask(other));
});

for (const damage of ['cut', 'flipped', 'emptied', 'foreign'] as const) {
  test(`an index that was ${damage} is built anew`, (t) => {
    const world = makeWorld(t);
    world.write('a', 'Grows rhubarb.');
    world.names('rhubarb');
    for (const name of readdirSync(world.cache)) {
      const file = path.join(world.cache, name);
      const bytes = readFileSync(file);
      if (damage === 'flipped') bytes[bytes.length - 8] = (bytes.at(-8) ?? 0) ^ 0xff;
      const foreign = Buffer.from('[["x",1]]');
      writeFileSync(file, { cut: bytes.subarray(0, -9), flipped: bytes, emptied: '', foreign }[damage]);
    }
    assert.deepEqual(world.names('rhubarb'), ['a']);
    assert.deepEqual(world.skillsRead('read'), []);
  });
}

test('002-102 002-65 a shortlist opens no file of a skill, with and without an index, and finds changed skills by frontmatter', (t) => {
  const world = makeWorld(t);
  world.write('a', 'Grows rhubarb.', '# Quince\n');
  world.write('b', 'Bakes bread.', '# Sourdough\n');
  assert.deepEqual(world.skillsRead('remembered'), []);
  assert.deepEqual(world.shortlist('quince'), []);
  assert.deepEqual(world.shortlist('rhubarb'), ['project:a']);
  world.names('anything');
  assert.deepEqual(world.skillsRead('remembered'), []);
  assert.deepEqual(world.shortlist('quince'), ['project:a']);
  world.write('b', 'Keeps bees.', '# Honeycomb\n');
  assert.deepEqual(world.skillsRead('remembered'), []);
  assert.deepEqual([world.shortlist('bees'), world.shortlist('honeycomb')], [['project:b'], []]);
  assert.deepEqual(world.shortlist('quince'), ['project:a']);
  assert.deepEqual(world.skillsRead('read'), ['b/SKILL.md']);
  assert.deepEqual(world.shortlist('honeycomb'), ['project:b']);
});

test('002-57 what models may not choose is found by people and not shortlisted', (t) => {
  const world = makeWorld(t);
  world.writeFile('a/SKILL.md', '---\nname: a\ndescription: Grows rhubarb.\ndisable-model-invocation: true\n---\n');
  world.write('b', 'Cuts rhubarb.');
  assert.deepEqual(world.names('rhubarb'), ['a', 'b']);
  assert.deepEqual(world.shortlist('rhubarb'), ['project:b']);
  assert.deepEqual(world.shortlist('use the a skill @a'), []);
});

test('what a killed process left half written is thrown away, what another one is writing is not', (t) => {
  const world = makeWorld(t);
  world.write('a', 'First.');
  world.names('x');
  for (const name of ['.old.rank.1.tmp', '.new.rank.2.tmp']) writeFileSync(path.join(world.cache, name), 'half');
  utimesSync(path.join(world.cache, '.old.rank.1.tmp'), 1000, 1000);
  world.write('b', 'Second.');
  world.names('x');
  const left = readdirSync(world.cache).filter((name) => name.endsWith('.tmp'));
  assert.deepEqual(left, ['.new.rank.2.tmp']);
});

test('a home that cannot be written costs nothing but time', (t) => {
  const world = makeWorld(t);
  world.write('a', 'Grows rhubarb.');
  writeFileSync(world.cache, 'not a folder');
  assert.deepEqual(world.names('rhubarb'), ['a']);
});

test('the answer depends on the filter as if the others were not there', (t) => {
  const world = makeWorld(t);
  for (let number = 0; number < 150; number++) world.write(`much-${number}`, 'Grows rhubarb, rhubarb and rhubarb.');
  world.write('wanted', 'Sells many kinds of vegetables, once in a while also rhubarb, to people on the market.');
  const { hits } = world.search('rhubarb', { accept: ({ name }) => name === 'wanted', limit: 3 });
  assert.deepEqual(
    hits.map(({ skill, matched }) => [skill.name, matched]),
    [['wanted', ['rhubarb']]],
  );
});

function makeWorld(t: TestContext) {
  const root = path.join(temporaryFolder(t), 'skills');
  const cache = path.join(temporaryFolder(t), 'search');
  mkdirSync(root);
  const open = (bodies: Bodies, now = LATER) => {
    const index = discover([{ folder: root, source: 'project', label: 'skills' }], { blockAngleBrackets: true });
    return openSearchIndex(index, { folder: cache, bodies, now });
  };
  const writeFile = (inside: string, content: unknown) => {
    const file = path.join(root, inside);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const search = (request: string, options?: SearchOptions) => open('read').search(request, options);
  return {
    root,
    cache,
    writeFile,
    search,
    write: (name: string, description: string, body = '') =>
      writeFile(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n${body}`),
    names: (request: string, { now = LATER } = {}) =>
      open('read', now)
        .search(request)
        .hits.map(({ skill }) => skill.name)
        .sort(),
    shortlist: (request: string) => open('remembered').shortlist(request),
    /** Which files of skills are opened to answer, beside the frontmatter the index is made of. */
    skillsRead: (bodies: Bodies, now = LATER) => {
      const search = open(bodies, now);
      const { files } = watchReads(() => search.shortlist('anything'));
      const inside = [...files.keys()].filter((file) => file.startsWith(root));
      return inside.map((file) => path.relative(root, file)).sort();
    },
  };
}
