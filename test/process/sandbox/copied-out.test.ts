// Files of a skill: what a call writes to them is a change like others and never in the snapshot that the next call starts
// from, and what a script copies out of them is its own to write.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { type EnteredProject, enterWorld, execIn, worldsHere } from '../../support/world/enter.ts';

const COPY = `import os, pathlib, shutil, subprocess, sys
skill = pathlib.Path(__file__).resolve().parent.parent
def tried(name, work):
    try:
        work()
        print(name, 'done')
    except OSError as error:
        print(name, 'refused', error)
tried('write', lambda: (skill / 'own/base.txt').write_text('changed'))
tried('append', lambda: open(skill / 'own/base.txt', 'a').write(' twice'))
tried('make', lambda: (skill / 'own/new.txt').write_text('new'))
tried('remove', lambda: (skill / 'own/gone.txt').unlink())
tried('rename', lambda: (skill / 'own').rename(skill / 'moved'))
tried('truncate', lambda: os.truncate(skill / 'scripts/copy.mjs', 0))
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
  'own/base.txt': 'base',
  'own/gone.txt': 'gone',
  'scripts/copy.py': COPY,
  'scripts/copy.mjs': NODE,
});

const WRITES = ['write', 'append', 'make', 'remove', 'rename', 'truncate'];
const CHANGED = ['moved', 'moved/base.txt', 'moved/new.txt', 'own', 'own/base.txt', 'own/gone.txt', 'scripts/copy.mjs'];

for (const world of worldsHere()) {
  test(`${world.title}: a script writes to its skill, which nobody else finds changed, and to what it copies out`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (!place) return;
    const before = filesIn(skillIn(place));
    const said = (await execIn(place, world, ['kit', 'scripts/copy.py'])).trim().split('\n');
    assert.deepEqual(said, [...WRITES.map((name) => `${name} done`), 'copied base and more']);
    assert.deepEqual([filesIn(skillIn(place)), keptOf(place)], [before, before]);
    const { stdout } = await place.run(['runs', 'changes', 'latest', '--json']);
    const { changes } = JSON.parse(stdout).data as { changes: { path: string; obeyed_by?: string }[] };
    const own = changes.filter(({ path: file }) => file.startsWith('.claude/'));
    assert.deepEqual(
      own.map(({ path: file, obeyed_by: by }) => [path.relative('.claude/skills/kit', file), by]),
      CHANGED.map((file) => [file, 'coding agents']),
    );
    // At S1 no mode can be set: cpSync makes files that can only be written, and opens them afterwards.
    const made = world.tier === 'S1' ? ['node.txt'] : ['node.txt', 'node/base.txt'];
    const copied = await execIn(place, world, ['kit', 'scripts/copy.mjs', ...made]);
    assert.equal(copied, made.map(() => 'copied base and more\n').join(''));
    for (const name of ['cp.txt', 'tree/base.txt', 'cp-a/new.txt', ...made])
      assert.ok((statSync(path.join(place.project, name)).mode & 0o200) !== 0, name);
    assert.deepEqual(keptOf(place), before);
  });
}

test('control: where a call is shown the snapshot itself, what it writes there is what the next call starts from', async (t) => {
  const [world] = worldsHere();
  const place = world && enterWorld(t, world, FILES);
  if (!place) return;
  const before = filesIn(skillIn(place));
  const from = '    folder,\n    writable: true,';
  const to = '    folder: snapshot.folder,\n    writable: true,';
  const words = ['exec', 'kit', 'scripts/copy.py', '--yes', '--json'];
  await place.run(words, [{ file: 'src/door/output/own-folder.ts', from, to }]);
  assert.notDeepEqual(keptOf(place), before);
});

function skillIn({ project }: EnteredProject): string {
  return path.join(project, '.claude/skills/kit');
}

/** What lies in the store of snapshots. */
function keptOf({ project }: EnteredProject): Record<string, string> {
  const store = path.join(path.dirname(project), 'home/.agent/snapshots');
  const [name = ''] = readdirSync(store).filter((entry) => !entry.endsWith('.lease'));
  return filesIn(path.join(store, name));
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}
