// Seed 002, sections 10 and 12: a pack of two skills as it is drawn there, by the commands of the first stage.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, type Place } from '../../support/place.ts';
import { type Answer, readAnswer } from '../../support/rule-support.ts';
import { buildZip } from '../../support/zip-builder.ts';

const manifest = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n# ${name}\n`;
const PACK = {
  'paper-crane/SKILL.md': manifest('paper-crane'),
  'paper-crane/reference/folds.md': '# Folds\n',
  'paper-boat/SKILL.md': manifest('paper-boat'),
  'paper-boat/scripts/fold.py': 'print("folded")\n',
};

function writePack({ cwd }: Place, name: string, files: Record<string, string>): void {
  const entries = Object.entries(files).map(([file, content]) => ({ name: file, content }));
  writeFileSync(path.join(cwd, name), buildZip(entries));
}

test('seed 002, sections 10/8.1, 10/8.2 and 12: skills-pack.zip is installed, listed, verified and uninstalled', async (t) => {
  const place = makePlace(t);
  const sw = async (...words: string[]): Promise<Answer> => readAnswer(await place.run(...words, '--json'));
  const root = path.join(place.cwd, '.agent/skills');
  writePack(place, 'skills-pack.zip', PACK);
  writePack(place, 'climbs.zip', { ...PACK, 'paper-boat/../../climbed.md': 'x' });
  writePack(place, 'no-skill.zip', {
    'paper-crane/SKILL.md': manifest('paper-crane'),
    'paper-boat/README.md': '# x\n',
  });
  writePack(place, 'no-name.zip', { 'paper-crane/SKILL.md': '---\nauthor: x\n---\n# x\n' });

  const refused = await Promise.all(
    ['climbs', 'no-skill', 'no-name'].map((name) => sw('install', `${name}.zip`, '--yes')),
  );
  assert.deepEqual(
    refused.map(({ code, data }) => [code, data.code]),
    [
      [1, 'ARCHIVE_PATH'],
      [1, 'METADATA_MISSING'],
      [1, 'METADATA_MISSING'],
    ],
  );
  assert.ok(!existsSync(root) || readdirSync(root).length === 0);

  const installed = await sw('install', 'skills-pack.zip', '--yes');
  assert.equal(installed.code, 0, installed.summary);
  for (const file of Object.keys(PACK)) assert.ok(existsSync(path.join(root, file)), file);
  const listed = (await sw('list', '--source', 'project')).data.skills as { name: string }[];
  assert.deepEqual(listed.map(({ name }) => name).sort(), ['paper-boat', 'paper-crane']);

  const verified = await place.run('skills', 'verify', 'paper-boat');
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(verified.stdout, /^ {4}[0-9a-f]{64} {2}SKILL\.md$[\s\S]*^ {4}[0-9a-f]{64} {2}scripts\/fold\.py$/m);

  const gone = await sw('uninstall', 'paper-crane', '--source', 'project', '--yes');
  assert.equal(gone.code, 0, gone.summary);
  assert.deepEqual(
    readdirSync(root).filter((name) => !name.startsWith('.')),
    ['paper-boat'],
  );
});
