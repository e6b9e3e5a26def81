// What remains of a preparation: the consent under home, on the owner's record, and the digest of the tree in the lock.
import type { BuiltPackages } from '../../door/door.ts';
import type { LockedEnvironment } from '../../environment/lock/lock-entry.ts';
import { plainLocked, readEnvironments, readLocked, writeEnvironment } from '../../environment/lock/lock-file.ts';
import { lockPlace } from '../../environment/lock/lock-place.ts';
import { writePrepared } from '../../environment/store/prepared.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';

export function keepPrepared({ skill, digest, manifest, locked }: BuiltPackages, runtime: Runtime): void {
  const { home, project } = runtime;
  const { ecosystem, entry, name, interpreter } = manifest;
  recordOwn(runtime, { command: 'prepare', files: [skill] }, () => {
    writePrepared(home, project, { skill, digest }, { ecosystem, entry, name, interpreter });
    rememberTree(locked, manifest, project);
  });
}

/** So that the next machine knows which bytes to expect; what was resolved anew is written only now that it was agreed to and built. */
function rememberTree(
  added: LockedEnvironment | undefined,
  { entry, exact, tree }: BuiltPackages['manifest'],
  project: string,
): void {
  const file = lockPlace(project);
  const locked = readEnvironments(file).find(({ hash }) => hash === entry) ?? added;
  if (!locked || locked.trees[exact] === tree) return;
  const read = readLocked({ ...Object(plainLocked(locked)), trees: { ...locked.trees, [exact]: tree } });
  if (read) writeEnvironment(file, read);
}
