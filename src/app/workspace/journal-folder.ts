// Where the journals of what was applied to a project lie: under home, beside its other state.
import path from 'node:path';
import { type ProjectPlace, stateFile } from '../../store/location.ts';

export function journalFolder(place: ProjectPlace): string {
  return path.join(path.dirname(stateFile(place)), 'applies');
}
