// Skills with files whose names are no UTF-8: each command says which file it is, and none fails as a fault of ours.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli, temporaryFolder } from '../support/support.ts';

const NAME = Buffer.from([0x61, 0xff]);

for (const kind of ['file', 'folder'] as const) {
  test(`a ${kind} whose name is no UTF-8 is named by pack, vet and inspect, and curate goes on`, async (t) => {
    const cwd = temporaryFolder(t);
    const home = temporaryFolder(t);
    if (!makeSkill(t, path.join(cwd, '.agent/skills/odd'), kind)) return;
    const run = async (...words: string[]) => {
      const { stdout, stderr } = await runCli([...words, '--json'], { cwd, home });
      const { data } = JSON.parse(stdout);
      assert.notEqual(data.type, 'Internal', stdout + stderr);
      return stdout;
    };
    assert.match(await run('pack', 'odd'), /ARCHIVE_COLLISION.*a\ufffd.*no UTF-8/s);
    assert.match(await run('vet', 'odd'), /a\ufffd.*no UTF-8/);
    assert.match(await run('inspect', 'odd'), /a\ufffd is no UTF-8/);
    assert.match(await run('curate'), /odd/);
  });
}

/** Some systems have no such names at all. */
function makeSkill(t: TestContext, folder: string, kind: 'file' | 'folder'): boolean {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: odd\ndescription: Says x. Use when y.\n---\n# Odd\n');
  const odd = Buffer.concat([Buffer.from(`${folder}/`), NAME]);
  try {
    if (kind === 'file') writeFileSync(odd, 'x');
    else mkdirSync(odd);
    return true;
  } catch {
    t.diagnostic('not run: file names here are UTF-8 always');
    return false;
  }
}
