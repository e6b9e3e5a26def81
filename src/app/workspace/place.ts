// Where the layers of a project's runs lie, and the journals of what was applied: under home, by run.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { stateFile } from '../../store/location.ts';
import type { LayerPlace } from '../../workspace/layer.ts';
import { type JournalStore, openJournals } from '../../workspace/transaction/journal.ts';
import type { Runtime } from '../runtime.ts';
import { journalFolder } from './journal-folder.ts';

type Place = Pick<Runtime, 'home' | 'project'>;

export function layerPlace({ home, project, config }: Place & Pick<Runtime, 'config'>, run: string): LayerPlace {
  const own = path.join(home, '.agent');
  const state = path.dirname(stateFile({ home, project }));
  return {
    folder: absolutePath(path.join(state, 'layers', run)),
    project,
    own: isInside(project, own) && existsSync(own) ? [own] : [],
    bounds: config.workspace,
    memory: path.join(state, 'hidden.json'),
    spares: path.join(state, 'layers'),
  };
}

export function projectJournals(place: Place): JournalStore {
  return openJournals(place.home, journalFolder(place));
}
