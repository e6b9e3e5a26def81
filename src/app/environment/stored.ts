// The environments below home: listed, shown, verified byte by byte, and removed where nobody uses them.
import { Fault } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { EnvironmentManifest } from '../../environment/store/manifest.ts';
import { listPrepared } from '../../environment/store/prepared.ts';
import {
  listStored,
  removeStored,
  type StoredEnvironment,
  sweepBuilding,
  type VerifiedEnvironment,
  verifyStored,
} from '../../environment/store/store.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';

export interface ListedEnvironment {
  readonly name: string;
  readonly ecosystem: string;
  readonly packages: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** Files of packages that nobody gets, and programs that stand behind those of the machine. */
  readonly left_out: readonly string[];
  readonly behind: readonly string[];
  readonly index: string;
  readonly entry: string;
  readonly tree: string;
  readonly exact: string;
  readonly built: string;
  readonly used: string;
  /** Of this project, by name. */
  readonly skills: readonly string[];
  /** Its manifest is not the one that was sealed. */
  readonly damaged: boolean;
}

export function listEnvironments({ home, project }: Pick<Runtime, 'home' | 'project'>): ListedEnvironment[] {
  const prepared = listPrepared(home, project);
  return listStored(home).map((stored) => {
    const users = prepared.filter(({ parts }) => parts.some(({ name }) => name === stored.name));
    return describe(stored, [...new Set(users.map(({ skill }) => skill))].sort());
  });
}

const NOTHING: Omit<EnvironmentManifest, 'name' | 'ecosystem' | 'entry' | 'tree'> = {
  ...{ packages: [], files: 0, bytes: 0, index: '', exact: '', built: 0, interpreter: '', trace: '', listing: '' },
};

function describe({ name, manifest, used }: StoredEnvironment, skills: readonly string[]): ListedEnvironment {
  const { packages, files, bytes, index, exact, built, leftOut = [], behind = [] } = manifest ?? NOTHING;
  const at = (time: number) => (time === 0 ? '' : new Date(time).toISOString());
  return {
    ...{
      name,
      ecosystem: manifest?.ecosystem ?? '',
      packages,
      files,
      bytes,
      index,
      exact,
      skills,
      left_out: leftOut,
      behind,
    },
    ...{ entry: manifest?.entry ?? '', tree: manifest?.tree ?? '', built: at(built), used: at(used) },
    damaged: manifest === undefined,
  };
}

/** By the beginning of its name. Throws a Fault where that is none, or several. */
export function findEnvironment(written: string, runtime: Runtime): ListedEnvironment {
  const all = listEnvironments(runtime);
  const meant = all.filter(({ name }) => written.length >= 4 && name.startsWith(written));
  const [only] = meant;
  if (only && meant.length === 1) return only;
  throw unknown(written, all);
}

/** All of them, or the ones that were named. */
export function verifyEnvironments(names: readonly string[], runtime: Runtime): VerifiedEnvironment[] {
  const chosen = names.length === 0 ? listStored(runtime.home) : names.map((name) => findEnvironment(name, runtime));
  return chosen.map(({ name }) => verifyStored(runtime.home, name));
}

export interface PruneWish {
  /** Unused for so many days. */
  readonly days: number;
  readonly names: readonly string[];
  readonly dryRun: boolean;
}

const DAY_MS = 24 * 3_600_000;

export interface PrunedEnvironments {
  readonly removed: readonly ListedEnvironment[];
  /** A running call uses them. */
  readonly kept: readonly ListedEnvironment[];
}

/** A damaged one goes, too: it is built again from the lock. */
export function pruneEnvironments({ days, names, dryRun }: PruneWish, runtime: Runtime): PrunedEnvironments {
  const before = runtime.clock.now() - days * DAY_MS;
  const isUnused = ({ used, built, damaged }: ListedEnvironment) =>
    damaged || Math.max(Date.parse(used) || 0, Date.parse(built) || 0) <= before;
  const chosen =
    names.length > 0 ? names.map((name) => findEnvironment(name, runtime)) : listEnvironments(runtime).filter(isUnused);
  if (dryRun) return { removed: chosen, kept: [] };
  sweepBuilding(runtime.home);
  if (chosen.length === 0) return { removed: [], kept: [] };
  return recordOwn(runtime, { command: 'environments prune', files: chosen.map(({ name }) => name) }, () => {
    const removed = chosen.filter(({ name }) => removeStored(runtime.home, name));
    return { removed, kept: chosen.filter((one) => !removed.includes(one)) };
  });
}

function unknown(written: string, all: readonly ListedEnvironment[]): Fault {
  const shown = visible(written);
  return new Fault(
    'DataNotFound',
    { en: `no environment ${shown}`, zh: `没有环境 ${shown}` },
    didYouMean(
      written,
      all.map(({ name }) => name.slice(0, 12)),
      { en: '`skillwright environments list` shows them.', zh: '`skillwright environments list` 列出环境。' },
    ),
  );
}
