// Seed 002, section 10: what a pack holds, which packs are refused, and an installation that is killed.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openArchive } from '../../../src/distribution/archive/archive.ts';
import { makeDesk, makePack } from '../../support/install-desk.ts';
import { treeOf } from '../../support/install-support.ts';
import { runCli } from '../../support/support.ts';
import { buildZip } from '../../support/zip-builder.ts';
import { readWithYauzl } from '../../support/zip-oracle.ts';

interface Listed {
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

test('002-84 002-89 a pack holds <skill>/SKILL.md for several skills, and manifest.json with the hash of every file', async (t) => {
  const desk = makeDesk(t);
  const files = { 'scripts/run.sh': 'echo\n' };
  const pack = await makePack(desk, 'p.zip', { name: 'alpha', version: '1.0.0', files }, { name: 'beta' });
  const bytes = readFileSync(pack);
  const read = await readWithYauzl(bytes);
  assert.ok('files' in read, JSON.stringify(read));
  const held = read.files.filter(([name]) => name !== 'manifest.json').map(([name, , hash]) => `${name} ${hash}`);
  assert.deepEqual(
    held.map((line) => line.split(' ')[0]),
    ['alpha/SKILL.md', 'alpha/scripts/run.sh', 'beta/SKILL.md'],
  );
  const list = openArchive(bytes).find(({ name }) => name === 'manifest.json');
  const { skills } = JSON.parse(String(list?.read())) as { skills: readonly Listed[] };
  const listed = skills.flatMap(({ folder, files: own }) => own.map((one) => `${folder}/${one.path} ${one.sha256}`));
  assert.deepEqual(listed.toSorted(), held.toSorted());
});

test('002-85 files wait in a folder below the root and are moved; what is killed between two skills is finished by the next command', async (t) => {
  const desk = makeDesk(t);
  const pack = await makePack(desk, 'p.zip', { name: 'alpha' }, { name: 'beta' });
  const root = path.join(desk.cwd, '.agent', 'skills');
  const move = 'if (coming !== undefined && existsSync(coming)) moveInto(coming, target);';
  const change = {
    file: 'src/distribution/transaction.ts',
    from: move,
    to: `${move}\n    process.kill(process.pid, 'SIGKILL');`,
  };
  const killed = await runCli(['install', pack, '--yes'], { ...desk, change });
  assert.equal(killed.code, null, killed.stderr);
  const left = readdirSync(root).map((name) => name.replace(/^(\.staging).*/, '$1'));
  assert.deepEqual(left.toSorted(), ['.staging', 'alpha']);
  const { data } = await desk.sw('list', '--source', 'project');
  assert.deepEqual(
    data.skills.map(({ name }) => name),
    ['alpha', 'beta'],
  );
  assert.deepEqual(readdirSync(root).sort(), ['alpha', 'beta']);
  assert.equal((await desk.sw('verify', '--scope', 'project', '--strict')).code, 0);
});

test('002-86 a pack whose skill has no name, or with a path that leads out, is refused, and nothing changes', async (t) => {
  const desk = makeDesk(t);
  const good = { name: 'good/SKILL.md', content: '---\nname: good\ndescription: Good.\n---\nx' };
  const nameless = { name: 'bad/SKILL.md', content: '---\ndescription: Bad.\n---\nx' };
  const packs = { METADATA_MISSING: [nameless], ARCHIVE_PATH: [good, { name: 'good/../../evil.txt', content: 'x' }] };
  const before = treeOf(desk.cwd);
  for (const [code, entries] of Object.entries(packs)) {
    const pack = path.join(desk.folder, `${code}.zip`);
    writeFileSync(pack, buildZip(entries));
    const refused = await desk.sw('install', pack, '--yes');
    assert.deepEqual([refused.code, refused.data.code], [1, code], refused.text);
  }
  assert.equal(treeOf(desk.cwd), before);
});
