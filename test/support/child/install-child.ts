// Installs in a process of its own that can be killed: at a chosen change of the file system, or from outside.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { prepareInstall } from '../../../src/distribution/install.ts';
import { findPlace } from '../../../src/distribution/place.ts';
import { openFolder } from '../../../src/distribution/source/folder.ts';
import { uninstallSkill } from '../../../src/distribution/uninstall.ts';
import { findRoots } from '../../../src/registry/roots.ts';

const [folder = '', what = '', killAt = '0'] = process.argv.slice(2);
const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
const place = findPlace(
  { project, home, roots: findRoots({ project, home, builtin: '/none', config: {} }) },
  'project',
);

if (killAt !== '0') dieAtChange(Number(killAt));
process.stdout.write('ready\n');
if (what === 'uninstall') uninstallSkill(place, { name: 'alpha', folderName: 'alpha' }, { now: Date.now() });
else {
  const offers = [openFolder(path.join(folder, what), { names: [] })];
  const places = { place, home, clock: { now: () => Date.now() }, known: [], blockAngleBrackets: true, trashDays: 30 };
  const prepared = prepareInstall(offers, places, { replace: true, allowDowngrade: true });
  prepared.commit();
  prepared.discard();
}
process.stdout.write('done\n');

/** Not after a change and not before it, but instead of it: as if the power had gone. */
function dieAtChange(number: number): void {
  let changes = 0;
  for (const name of ['renameSync', 'linkSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'writeSync'] as const) {
    const real = fs[name] as (...words: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...words: unknown[]) => {
        if (++changes === number) process.kill(process.pid, 'SIGKILL');
        return real(...words);
      },
    });
  }
  syncBuiltinESMExports();
}
