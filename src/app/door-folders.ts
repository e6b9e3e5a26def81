// Where a door keeps what is its own, under home, and where results go.
import path from 'node:path';
import type { DoorFolders } from '../door/door.ts';
import type { Runtime } from './runtime.ts';

export function foldersOf({ home, places, config }: Pick<Runtime, 'home' | 'places' | 'config'>): DoorFolders {
  const own = path.join(home, '.agent');
  return {
    snapshots: path.join(own, 'snapshots'),
    cache: path.join(own, 'cache', 'process'),
    ...{ work: path.join(own, 'work'), homes: path.join(own, 'homes') },
    output: places.output.at(-1) ?? config.outputFolder,
  };
}
