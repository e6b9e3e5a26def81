// The sandbox of this machine: its tier, what that leaves open, how to get a better one, and launches for orders.
import { readFileSync, statSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { canMakePipes } from '../child/pipes.ts';
import type { Launch, Order, Tier } from '../order.ts';
import { adviceFor } from './advice.ts';
import { describeHost, type Host, type Ingredient } from './host.ts';
import { removeForsaken } from './linux/cgroup.ts';
import { type CgroupPlace, findPlace } from './linux/cgroup-place.ts';
import { enterScope, expectedPlace, placesBeside } from './linux/cgroup-scope.ts';
import { LAUNCHER_FILE } from './linux/launcher.ts';
import { buildTier, findTier, type ProbedTier, type TierWay } from './probe.ts';
import { STRONGEST, TIER_NAMES } from './tiers.ts';

export interface Sandbox extends TierWay {
  readonly advice: readonly Text[];
  /** Why higher tiers do not hold here. */
  readonly failed: ProbedTier['failed'];
}

export interface SandboxOptions {
  /** A private folder of our own under home. */
  readonly cacheFolder: string;
  /** The highest tier to use; lower ones remain possible. */
  readonly tier?: Tier;
  /** Treat these as absent. */
  readonly without?: readonly Ingredient[];
  /** Probe again, whatever is remembered. */
  readonly fresh?: boolean;
}

// Switches that turn user namespaces on and off without a new kernel.
const SWITCHES = [
  '/proc/sys/user/max_user_namespaces',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
];

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { cacheFolder, without = [], tier: highest = STRONGEST } = options;
  const host = describeHost(without);
  makeFolder(cacheFolder);
  const emptyFile = provideEmptyFile(cacheFolder);
  const place = without.includes('cgroup') ? undefined : (findPlace() ?? (await enterScope()));
  if (place) for (const each of [place, ...placesBeside(place)]) removeForsaken(each);
  const key = keyOf(host, options, place);
  const remembered = options.fresh ? undefined : readFound(memoryFile(cacheFolder), key);
  const found = remembered ?? (await findTier(host, { cacheFolder, emptyFile, without, highest, place }));
  if (!remembered) writeFileAtomic(memoryFile(cacheFolder), JSON.stringify({ key, ...found }));
  const way = declareOutput(buildTier(host, found, { emptyFile, place }));
  const { tier, can, layers, notEnforced, openIn, prepare } = way;
  return { tier, can, layers, notEnforced, openIn, prepare, advice: adviceFor(host, found), failed: found.failed };
}

/** Without pipes, every tier leaves the same point open. */
function declareOutput(way: TierWay): TierWay {
  if (canMakePipes()) return way;
  const withSockets = <Point extends string>(points: readonly Point[]) => [...points, 'output-sockets' as const];
  const prepare = (order: Order): Launch => {
    const launch = way.prepare(order);
    return { ...launch, notEnforced: withSockets(launch.notEnforced) };
  };
  const openIn = (project: string) => withSockets(way.openIn(project));
  const { tier, can, layers, notEnforced } = way;
  return { tier, can, layers, notEnforced: withSockets(notEnforced), openIn, prepare };
}

/** The tier that was found earlier, if it still counts; nothing is tried and nothing written. */
export function recallTier(options: Pick<SandboxOptions, 'cacheFolder' | 'tier' | 'without'>): Tier | undefined {
  const host = describeHost(options.without);
  const place = options.without?.includes('cgroup') ? undefined : (findPlace() ?? expectedPlace());
  return readFound(memoryFile(options.cacheFolder), keyOf(host, options, place))?.tier;
}

function memoryFile(cacheFolder: string): string {
  return path.join(cacheFolder, 'sandbox.json');
}

function keyOf(
  host: Host,
  { tier: highest = STRONGEST, without = [] }: Pick<SandboxOptions, 'tier' | 'without'>,
  place: CgroupPlace | undefined,
): string {
  // Not where the place is: that is another one in every session.
  const groups = [place?.version, place?.memory !== undefined, place?.tasks !== undefined];
  return sha256(JSON.stringify([highest, without, host, groups, surroundings(host)]));
}

/** Everything whose change makes the remembered answer worthless. */
function surroundings({ perl, bubblewrap }: Host): unknown[] {
  return [release(), [perl, bubblewrap, LAUNCHER_FILE].map(stamp), SWITCHES.map(readSwitch)];
}

function stamp(file: string | undefined): string {
  const entry = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return entry ? `${entry.dev}:${entry.ino}:${entry.size}:${entry.mtimeMs}:${entry.mode}` : 'none';
}

function readSwitch(file: string): string {
  try {
    return readFileSync(file, 'latin1').trim();
  } catch {
    return 'none';
  }
}

function readFound(file: string, key: string): ProbedTier | undefined {
  try {
    const stored = parseJson(readTextIfThere(file) ?? 'null');
    return isRecord(stored) && stored.key === key && isFound(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function isFound(value: unknown): value is ProbedTier {
  if (!isRecord(value) || !TIER_NAMES.some((name) => name === value.tier) || !Array.isArray(value.failed)) return false;
  const sound = value.failed.every((entry) => isRecord(entry) && typeof entry.why === 'string');
  const { variant, grouped } = value;
  const switches = isRecord(variant) && Object.values(variant).every(isSwitch) && isSwitch(grouped);
  return sound && switches && typeof value.landlockAbi === 'number';
}

function isSwitch(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Shown where a file is hidden: programs take an empty file better than a forbidden one. */
function provideEmptyFile(folder: string): string {
  const file = path.join(folder, 'empty');
  const entry = statSync(file, { throwIfNoEntry: false });
  if (entry?.size !== 0 || (entry.mode & 0o777) !== 0o444) writeFileAtomic(file, '', { mode: 0o444 });
  return file;
}
