// Files of a skill: nobody writes to them in a call, and what a script copies out of them is its own to write.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { type EnteredProject, enterWorld, execIn, worldsHere } from '../../support/world/enter.ts';

const COPY = `import os, pathlib, shutil, subprocess, sys
skill = pathlib.Path(__file__).resolve().parent.parent
def refused(name, work):
    try:
        work()
        print(name, 'done')
    except OSError as error:
        print(name, 'refused')
refused('write', lambda: (skill / 'assets/base.txt').write_text('changed'))
refused('append', lambda: open(skill / 'assets/base.txt', 'a').write('changed'))
refused('make', lambda: (skill / 'assets/new.txt').write_text('new'))
refused('remove', lambda: (skill / 'assets/base.txt').unlink())
refused('rename', lambda: (skill / 'assets').rename(skill / 'moved'))
refused('truncate', lambda: os.truncate(skill / 'assets/base.txt', 0))
subprocess.run(['cp', skill / 'assets/base.txt', 'cp.txt'], check=True)
subprocess.run(['cp', '-r', skill / 'assets', 'cp-r'], check=True)
subprocess.run(['cp', '-a', skill / 'assets', 'cp-a'], check=True)
shutil.copy(skill / 'assets/base.txt', 'copy.txt')
shutil.copytree(skill / 'assets', 'tree')
for name in ['cp.txt', 'cp-r/base.txt', 'cp-a/base.txt', 'copy.txt', 'tree/base.txt']:
    with open(name, 'a') as file: file.write(' and more')
for name in ['cp-r', 'cp-a', 'tree']: pathlib.Path(name, 'new.txt').write_text('new')
print('copied', pathlib.Path('tree/base.txt').read_text())
`;

const NODE = `import { appendFileSync, copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
const assets = path.join(import.meta.dirname, '../assets');
cpSync(assets, 'node', { recursive: true });
copyFileSync(path.join(assets, 'base.txt'), 'node.txt');
for (const name of ['node/base.txt', 'node.txt']) appendFileSync(name, ' and more');
writeFileSync('node/new.txt', 'new');
for (const name of process.argv.slice(2)) console.log('copied', readFileSync(name, 'utf8'));
`;

const FILES = skillFiles('kit', 'name: kit\ndescription: Copies its files.', {
  'assets/base.txt': 'base',
  'scripts/copy.py': COPY,
  'scripts/copy.mjs': NODE,
});

const WRITES = ['write', 'append', 'make', 'remove', 'rename', 'truncate'];

for (const world of worldsHere()) {
  test(`${world.title}: a script cannot write to its skill, and can to what it copies out`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (!place) return;
    const said = (await execIn(place, world, ['kit', 'scripts/copy.py'])).trim().split('\n');
    assert.deepEqual(said, [...WRITES.map((name) => `${name} refused`), 'copied base and more']);
    // At S1 no mode can be set: cpSync makes files that can only be written, and opens them afterwards.
    const made = world.tier === 'S1' ? ['node.txt'] : ['node.txt', 'node/base.txt'];
    const copied = await execIn(place, world, ['kit', 'scripts/copy.mjs', ...made]);
    assert.equal(copied, made.map(() => 'copied base and more\n').join(''));
    for (const name of ['cp.txt', 'tree/base.txt', 'cp-a/new.txt', ...made])
      assert.ok((statSync(path.join(place.project, name)).mode & 0o200) !== 0, name);
    assert.deepEqual(keptOf(place), { 'base.txt': 'base' });
  });
}

test('at S2, control: where the snapshot is not mounted read-only, Landlock lets the layer around it be written, and it too', async (t) => {
  const world = worldsHere().find(({ tier }) => tier === 'S2');
  const place = world && enterWorld(t, world, FILES);
  if (!place) return;
  const from = "return { how: isSealed(from, seal) ? 'sealed' : 'read', from, at };";
  const file = 'src/process/sandbox/linux/own-root.ts';
  const to =
    "return { how: from.includes('/snapshots/') ? 'write' : isSealed(from, seal) ? 'sealed' : 'read', from, at };";
  const writable = { file, from, to };
  const words = ['exec', 'kit', 'scripts/copy.py', '--yes', '--json'];
  const { stdout } = await place.run(words, [writable]);
  assert.match(JSON.parse(stdout).data.stdout, /^write done$/m);
});

/** What lies in the store of snapshots below `assets`. */
function keptOf({ project }: EnteredProject): Record<string, string> {
  const store = path.join(path.dirname(project), 'home/.agent/snapshots');
  const [name = ''] = readdirSync(store).filter((entry) => !entry.endsWith('.lease'));
  const assets = path.join(store, name, 'assets');
  return Object.fromEntries(readdirSync(assets).map((file) => [file, readFileSync(path.join(assets, file), 'utf8')]));
}
