// What a run reads, by counting opened files: frontmatter of all skills, the body of the chosen one, the file that was named.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  answer,
  makeWorld,
  openWorld,
  resource,
  runAgent,
  select,
  skillFile,
  tool,
  type World,
} from './agent-support.ts';
import { count } from './support.ts';
import { watchReadsLater } from './watch-reads.ts';

const SKILLS = count(300, 30);
const BLOCK = 4096;
const LONG_BODY = 'BODY-CANARY '.repeat(4_000);

function crowdedWorld(t: Parameters<typeof makeWorld>[0]): World {
  const files: Record<string, string> = { 'notes.txt': 'x' };
  for (let at = 0; at < SKILLS; at++) {
    Object.assign(files, skillFile(`skill-${at}`, '', LONG_BODY));
    files[`.agent/skills/skill-${at}/reference/guide.md`] = '# Guide\n';
    files[`.agent/skills/skill-${at}/reference/other.md`] = '# Other\n';
  }
  return makeWorld(t, files);
}

for (const mode of ['without an index', 'with an index'] as const) {
  test(`002-36 002-101 002-102 002-103 a run reads one body and one resource, ${mode}`, async (t) => {
    const world = crowdedWorld(t);
    const steps = [
      tool('list_dir'),
      { action: { type: 'search_skills', query: 'skill number three' } },
      select('skill-7'),
      resource('skill-7', 'reference/guide.md'),
      tool('read_file', { path: 'notes.txt' }, 'skill-7'),
      answer(),
    ];
    // Code is loaded as it is needed; the second run loads none.
    await runAgent(
      makeWorld(t, { ...skillFile('skill-7'), '.agent/skills/skill-7/reference/guide.md': '#\n', 'notes.txt': 'x' }),
      steps,
    );
    if (mode === 'with an index') {
      const runtime = await openWorld(world);
      (await runtime.searchIndex(runtime.index(), 'read')).refresh();
    }
    const { result, files } = await watchReadsLater(() => runAgent(world, steps));
    assert.equal(result.outcome.state, 'success', result.outcome.summary);
    const root = path.join(world.project, '.agent', 'skills');
    const chosen = path.join(root, 'skill-7');
    const inSkills = [...files].filter(([file]) => file.startsWith(root));
    const resources = inSkills.filter(([file]) => !file.endsWith('SKILL.md')).map(([file]) => file);
    assert.deepEqual(resources, [path.join(chosen, 'reference', 'guide.md')]);
    for (const [file, bytes] of inSkills.filter(([file]) => file.endsWith('SKILL.md'))) {
      const whole = readFileSync(file).length;
      if (path.dirname(file) === chosen) assert.ok(bytes >= whole, file);
      else assert.ok(bytes <= BLOCK, `${bytes} bytes of ${file}`);
    }
    assert.doesNotMatch(result.prompts.slice(0, 3).join('\n'), /BODY-CANARY/);
    assert.match(result.prompts[3] ?? '', /BODY-CANARY/);
  });
}
