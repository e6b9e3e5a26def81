import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { renderPages } from '../../../scripts/docs.ts';
import { repository } from '../../support/support.ts';

test('docs/cli.md, docs/tools.md, docs/errors.md and docs/map.md say what the code says', async () => {
  for (const [name, text] of Object.entries(await renderPages())) {
    const written = readFileSync(path.join(repository, name), 'utf8');
    assert.equal(written, text, `${name} is out of date: npm run docs`);
  }
});

test('002-107 there is a page on skills, a design overview and one page per subsystem', () => {
  const pages = [
    'agent-core',
    'skill-registry',
    'skill-loader',
    'model-adapter',
    'tools-runtime',
    'distribution-cli',
    'evals',
  ];
  const overview = readFileSync(path.join(repository, 'docs', 'design', 'overview.md'), 'utf8');
  for (const page of pages) assert.ok(overview.includes(`(${page}.md)`), page);
  assert.ok(existsSync(path.join(repository, 'docs', 'agent-skills.md')));
});

test('every link between the pages leads to a page', () => {
  for (const page of globSync(['*.md', 'docs/**/*.md'], { cwd: repository })) {
    const text = readFileSync(path.join(repository, page), 'utf8').replace(/```[\s\S]*?```/g, '');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      assert.ok(existsSync(path.join(repository, path.dirname(page), target)), `${page}: ${target}`);
    }
  }
});

test('002-16 decided differently: the product is TypeScript, and only the Python kit keeps to the standard library', () => {
  const kit = readFileSync(path.join(repository, 'src', 'protocol', 'sdk', 'skillwright_skill.py'), 'utf8');
  const imported = [...kit.matchAll(/^(?:import|from) (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(imported, ['json', 'os', 'signal', 'sys', 'time', 'traceback']);
  const others = globSync('src/**/*.{js,mjs,cjs,py}', { cwd: repository, exclude: ['src/cli/templates/**'] });
  assert.deepEqual(
    others.filter((file) => !file.startsWith('src/task/assets/')).sort(),
    // What Node loads before a script, what answers installers inside a call, what keeps pip from starting programs, and what asks Python what only it knows.
    [
      'src/environment/need/installed-python.py',
      'src/environment/python/pip-alone.py',
      'src/environment/use/resolve-hook.cjs',
      'src/environment/use/shim.py',
      'src/protocol/sdk/skillwright_skill.py',
      'src/skill/need/python-facts.py',
    ],
  );
});
