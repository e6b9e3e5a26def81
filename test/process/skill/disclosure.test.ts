// What is read when: the index reads frontmatter, a body is read when chosen, a resource when named, and nothing else.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadBody } from '../../../src/loader/body.ts';
import { renderCatalog } from '../../../src/loader/catalog.ts';
import { loadResource } from '../../../src/loader/resource.ts';
import { discover, type SkillEntry } from '../../../src/registry/discover.ts';
import { openIndexCache } from '../../../src/registry/index-cache.ts';
import { count, temporaryFolder } from '../../support/support.ts';
import { watchReads } from '../../support/watch-reads.ts';

const SKILLS = count(1000, 50);
const BLOCK = 1024;
const BODY = 'BODY-CANARY '.repeat(5000);

for (const mode of ['without an index', 'with a new index', 'with a known index'] as const) {
  test(`002-03 002-36 002-101 listing reads one block of each SKILL.md and no resource, ${mode}`, (t) => {
    const world = makeWorld(t);
    if (mode === 'with a known index') world.discover(true);
    const { result, files } = watchReads(() => {
      const index = world.discover(mode !== 'without an index');
      return { index, catalog: renderCatalog(index.skills) };
    });
    assert.equal(result.index.skills.length, SKILLS);
    const ofSkills = [...files].filter(([file]) => file.startsWith(world.root));
    const read = new Set(ofSkills.map(([file]) => file));
    const unread = result.index.skills.filter(({ file }) => !read.delete(file));
    assert.deepEqual([...read], []);
    // Files that are old enough need not be opened again.
    if (mode !== 'with a known index') assert.deepEqual(unread, []);
    for (const [file, bytes] of ofSkills) assert.ok(bytes <= BLOCK, `${bytes} bytes of ${file}`);
    assert.doesNotMatch(JSON.stringify(result), /CANARY/);
  });
}

test('002-04 002-102 choosing a skill reads its body, once, and no other file', (t) => {
  const skill = makeWorld(t).skill('skill-7');
  const { result, files } = watchReads(() => loadBody(skill));
  assert.match(result.text, /BODY-CANARY/);
  assert.deepEqual([...files], [[skill.file, readFileSync(skill.file).length]]);
  assert.equal(result.resources.items.length, 3);
  assert.doesNotMatch(JSON.stringify(result.resources), /RESOURCE-CANARY/);
});

test('002-05 002-103 naming a resource reads that file and no other', (t) => {
  const skill = makeWorld(t).skill('skill-7');
  for (const name of ['reference/guide.md', 'scripts/run.py', 'assets/note.txt']) {
    const { result, files } = watchReads(() => loadResource(skill, name));
    assert.match(result.text, /RESOURCE-CANARY/);
    assert.deepEqual([...files.keys()], [path.join(skill.folder, name)]);
  }
});

test('002-05 002-103 a request that is refused or unknown reads nothing', (t) => {
  const skill = makeWorld(t).skill('skill-7');
  for (const name of ['reference/other.md', '../skill-8/SKILL.md', 'reference']) {
    const { files } = watchReads(() => assert.throws(() => loadResource(skill, name)));
    assert.deepEqual([...files.keys()], []);
  }
});

test('002-65 rendering the catalog opens no file at all', (t) => {
  const index = makeWorld(t).discover(false);
  const { result, files } = watchReads(() => renderCatalog(index.skills, { tokenBudget: 500 }));
  assert.notEqual(result.text, '');
  assert.deepEqual([...files.keys()], []);
});

test('the watch itself sees a read by whatever means', (t) => {
  const file = path.join(temporaryFolder(t), 'x');
  writeFileSync(file, '12345');
  assert.deepEqual([...watchReads(() => readFileSync(file, 'utf8')).files], [[file, 5]]);
  assert.deepEqual([...watchReads(() => undefined).files], []);
});

function makeWorld(t: TestContext) {
  const home = temporaryFolder(t);
  const root = path.join(temporaryFolder(t), 'skills');
  for (let number = 0; number < SKILLS; number++) makeSkill(path.join(root, `skill-${number}`));
  const roots = [{ folder: root, source: 'project' as const, label: 'skills' }];
  const run = (cached: boolean) => {
    const order = { folder: home, roots, deep: false, blockAngleBrackets: true };
    return discover(roots, { blockAngleBrackets: true, ...(cached && { cache: openIndexCache(order) }) });
  };
  const skill = (name: string): SkillEntry => {
    const found = run(false).skills.find((entry) => entry.name === name);
    assert.ok(found);
    return found;
  };
  return { root, discover: run, skill };
}

function makeSkill(folder: string): void {
  const name = path.basename(folder);
  const files = {
    'SKILL.md': `---\nname: ${name}\ndescription: Does what ${name} does.\n---\n${BODY}\n`,
    'reference/guide.md': 'RESOURCE-CANARY',
    'scripts/run.py': 'RESOURCE-CANARY',
    'assets/note.txt': 'RESOURCE-CANARY',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}
