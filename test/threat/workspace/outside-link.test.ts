// A link in the place of a folder: what lies behind it is nobody's change, neither read, nor shown, nor applied.
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../support/changed/change.ts';
import { skillFiles, writeFiles } from '../../support/door-support.ts';
import { temporaryFolder } from '../../support/support.ts';
import { enterWorld, type NamedWorld, worldsHere } from '../../support/world/enter.ts';

const SKILL = skillFiles('does', 'name: does\ndescription: x', { 'scripts/do.sh': 'eval "$1"\n' });
const SECRET = 'TOPSECRET';

/** A folder becomes a link, and a link a folder, each beside a file of the same name outside. */
async function exchange(t: TestContext, world: NamedWorld, changes: readonly Change[] = []) {
  const place = enterWorld(t, world, { ...SKILL, 'conf/deep/data.txt': 'mine\n' });
  if (!place) return undefined;
  const victim = path.join(temporaryFolder(t), 'victim');
  writeFiles(victim, { 'deep/data.txt': `${SECRET}\n` });
  symlinkSync(victim, path.join(place.project, 'way'));
  const code = `rm -r conf way; ln -s ${victim} conf; mkdir -p way/deep; echo run > way/deep/data.txt`;
  const ran = await place.run(['exec', 'does', 'scripts/do.sh', '--yes', '--apply', 'never', '--', code], changes);
  assert.equal(ran.code, 0, ran.stderr);
  const shown = await place.run(['runs', 'changes', 'latest', '--diff'], changes);
  assert.match(shown.stdout, /conf \(a folder becomes a link, /);
  const applied = await place.run(['runs', 'apply', 'latest', 'conf/deep/data.txt', '--yes'], changes);
  const file = path.join(place.project, 'conf/deep/data.txt');
  return { told: `${shown.stdout}${applied.stdout}`, read: () => readFileSync(file, 'utf8') };
}

for (const world of worldsHere()) {
  test(`threat 69 blocked: ${world.title}: nothing behind a link that took the place of a folder is shown or applied`, async (t) => {
    const { told } = (await exchange(t, world)) ?? {};
    if (told === undefined) return;
    assert.doesNotMatch(told, new RegExp(SECRET));
    assert.match(told, /deletes conf\/deep\/data\.txt/);
  });
}

const FOLLOWED: Change = {
  file: 'src/workspace/compare.ts',
  from: 'const found = folder.inTree ? foundIn(trees, path) : undefined;',
  to: 'const found = foundIn(trees, path);',
};

test('threat 69 control: where it is looked up all the same, a file from outside is shown and lands in the project', async (t) => {
  const [world] = worldsHere();
  const { told, read } = (world && (await exchange(t, world, [FOLLOWED]))) ?? {};
  if (told === undefined) return;
  assert.match(told, new RegExp(SECRET));
  assert.equal(read?.(), `${SECRET}\n`);
});
