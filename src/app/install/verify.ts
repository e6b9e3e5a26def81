// The hashes of skills: whether they are what was installed or what a pack says, and who signed them.
import { statSync } from 'node:fs';
import path from 'node:path';
import { isArchiveName } from '../../distribution/archive/types.ts';
import { readLock } from '../../distribution/lock.ts';
import { findPlaces, type InstallPlace, type InstallScope } from '../../distribution/place.ts';
import { recover } from '../../distribution/transaction.ts';
import {
  describeUnlocked,
  type Verified,
  type VerifyState,
  verifyPack,
  verifySkill,
  withSigner,
} from '../../distribution/verify.ts';
import { calledName } from '../../registry/called-name.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';

export interface VerifyOrder {
  /** Skills or packs; every skill where there are none. */
  readonly names: readonly string[];
  /** Both unless given. */
  readonly scope?: InstallScope | undefined;
  /** What nobody signed is a failure. */
  readonly signed: boolean;
  /** What the lock does not know is a failure. */
  readonly strict: boolean;
}

export interface VerifyReport {
  readonly results: readonly Verified[];
  readonly failed: readonly Verified[];
}

const FAILURES: ReadonlySet<VerifyState> = new Set(['modified', 'missing', 'extra']);

export function verifySkills({ names, scope, signed, strict }: VerifyOrder, runtime: Runtime): VerifyReport {
  const places = findPlaces(runtime).filter((place) => scope === undefined || scope === place.scope);
  for (const place of places) recover(place);
  const found =
    names.length === 0 ? verifyAll(places, runtime) : names.flatMap((written) => verifyNamed(written, places, runtime));
  const results = signed ? found.map(requireSigner) : found;
  const failed = results.filter(
    ({ state }) => FAILURES.has(state) || (state === 'unsigned' && signed) || (state === 'unlocked' && strict),
  );
  return { results, failed };
}

function requireSigner(result: Verified): Verified {
  const isUnsigned = (result.state === 'ok' || result.state === 'unlocked') && result.signer === undefined;
  if (!isUnsigned) return result;
  return { ...result, state: 'unsigned', why: result.why_unsigned ?? 'no signature lies beside it' };
}

function verifyNamed(written: string, places: readonly InstallPlace[], runtime: Runtime): Verified[] {
  const isPack = isArchiveName(written) && statSync(path.resolve(written), { throwIfNoEntry: false })?.isFile();
  if (isPack === true)
    return verifyPack(path.resolve(written), runtime.home, runtime.config.security.blockAngleBracketsInFrontmatter);
  const all = verifyAll(places, runtime);
  const locked = all.filter(
    ({ name, state }) => state !== 'unlocked' && (name === written || name.endsWith(`/${written}`)),
  );
  if (locked.length > 0) return locked;
  const skill = findSkill(runtime.index(), written);
  const name = calledName(skill);
  return all
    .filter((one) => one.name === name)
    .concat(skill.source === 'builtin' ? [describeUnlocked(name, skill.folder)] : []);
}

function verifyAll(places: readonly InstallPlace[], runtime: Runtime): Verified[] {
  const { skills } = runtime.index();
  return places.flatMap((place) => {
    const locked = readLock(place.lockFile).skills;
    const known = new Set(locked.map(({ folder }) => path.join(place.root, folder)));
    const others = skills.filter(({ source, folder }) => source === place.scope && !known.has(folder));
    return [
      ...locked.map((skill) => {
        const result = verifySkill(path.join(place.root, skill.folder), skill);
        const name = calledName({ name: skill.name, folderName: skill.folder });
        return { ...withSigner(result, runtime.home, skill.signer), name };
      }),
      ...others.map((skill) => {
        const result = describeUnlocked(skill.name, skill.folder);
        return { ...withSigner(result, runtime.home), name: calledName(skill) };
      }),
    ].map((result) => ({ ...result, scope: place.scope }));
  });
}
