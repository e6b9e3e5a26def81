// Finds the tier by trying it: a tier counts only after a process inside it has felt its walls.
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { toFault } from '../../base/errors.ts';
import { makeFolder, removeTree, writeNewFile } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { defaultLimits } from '../limits.ts';
import type { Launch, Order, Tier } from '../order.ts';
import { runProcess } from '../run.ts';
import type { Host, Ingredient } from './host.ts';
import { bubblewrapTier } from './linux/bubblewrap.ts';
import type { CgroupPlace } from './linux/cgroup-place.ts';
import { LOWEST_LANDLOCK, landlockTier } from './linux/landlock.ts';
import { namespacesTier } from './linux/namespaces.ts';
import { callNumber } from './linux/seccomp-table.ts';
import { bareTier } from './none/bare.ts';
import { nothingToRelease, type TierWay } from './tier.ts';

/** What the probes found; with it a tier can be built again without asking anew. */
export interface ProbedTier {
  readonly tier: Tier;
  readonly ownUsers: boolean;
  readonly landlockAbi: number;
  /** A process inside could enter a cgroup made for it. */
  readonly grouped: boolean;
  /** Tiers that were tried and did not hold, with the reason. */
  readonly failed: readonly { readonly tier: Tier; readonly why: string }[];
}

export interface ProbeOptions {
  readonly cacheFolder: string;
  readonly emptyFile: string;
  readonly without: readonly Ingredient[];
  /** The highest tier to try. */
  readonly highest: Tier;
  /** Where cgroups can be made, if anywhere. */
  readonly place?: CgroupPlace | undefined;
}

const SELF_TEST = assetPath('process/sandbox/linux/self-test.pl');
const PROBE_TIMEOUT_MS = 10_000;
const TIERS_DOWN: readonly Tier[] = ['S3', 'S2', 'S1'];

export async function findTier(host: Host, options: ProbeOptions): Promise<ProbedTier> {
  const failed: { tier: Tier; why: string }[] = [];
  const landlockAbi = options.without.includes('landlock') ? 0 : await askLandlock(host);
  for (const candidate of candidates(host, landlockAbi, options)) {
    const way = buildTier(host, candidate, options);
    const why = await tryTier(way, host, options.cacheFolder);
    if (why === undefined) return { ...candidate, failed };
    failed.push({ tier: candidate.tier, why });
  }
  return { tier: 'S0', ownUsers: false, landlockAbi, grouped: options.place !== undefined, failed };
}

type Candidate = Omit<ProbedTier, 'failed'>;
type TierParts = Pick<ProbeOptions, 'emptyFile' | 'place'>;

export function buildTier(host: Host, found: Candidate, { emptyFile, place: possible }: TierParts): TierWay {
  const { architecture, perl, bubblewrap, uid, gid } = host;
  if (!architecture || !perl) return bareTier(host);
  const { tier, ownUsers, landlockAbi } = found;
  const place = found.grouped ? possible : undefined;
  if (tier === 'S3' && bubblewrap) {
    return bubblewrapTier({ bubblewrap, perl, architecture, uid, gid, ownUsers, emptyFile, landlockAbi, place });
  }
  if (tier === 'S2') return namespacesTier({ perl, architecture, uid, landlockAbi, emptyFile, place });
  if (tier === 'S1') return landlockTier({ perl, architecture, uid, landlockAbi, place });
  return bareTier(host, place);
}

/** Best first. As root, a user of its own for every call is better than root without powers. */
function candidates(host: Host, landlockAbi: number, { without, highest, place }: ProbeOptions): Candidate[] {
  if (host.platform !== 'linux' || !host.architecture || !host.perl) return [];
  const landlocked = landlockAbi >= LOWEST_LANDLOCK;
  const possible: Omit<Candidate, 'grouped'>[] = [
    ...(host.bubblewrap && host.uid === 0 ? [{ tier: 'S3', ownUsers: true, landlockAbi } as const] : []),
    ...(host.bubblewrap ? [{ tier: 'S3', ownUsers: false, landlockAbi } as const] : []),
    ...(landlocked && !without.includes('userns') ? [{ tier: 'S2', ownUsers: false, landlockAbi } as const] : []),
    ...(landlocked ? [{ tier: 'S1', ownUsers: false, landlockAbi } as const] : []),
  ];
  const from = highest === 'S0' ? TIERS_DOWN.length : TIERS_DOWN.indexOf(highest);
  const ways = place ? [true, false] : [false];
  return possible
    .filter(({ tier }) => TIERS_DOWN.indexOf(tier) >= from)
    .flatMap((candidate) => ways.map((grouped) => ({ ...candidate, grouped })));
}

/** Asked by system call, because the kernel's list of security modules is not mounted everywhere. */
async function askLandlock({ architecture, perl, platform }: Host): Promise<number> {
  if (platform !== 'linux' || !architecture || !perl) return 0;
  const number = callNumber(architecture, 'landlock_create_ruleset');
  const launch: Launch = {
    file: perl,
    args: ['-e', 'print syscall($ARGV[0] + 0, 0, 0, 1)', String(number)],
    env: {},
    cwd: '/',
    descriptors: [],
    tier: 'S0',
    notEnforced: [],
    endsTree: false,
    release: nothingToRelease,
  };
  const ended = await runProcess(launch, { timeoutMs: PROBE_TIMEOUT_MS });
  return Math.max(0, Number.parseInt(Buffer.from(ended.stdout).toString(), 10) || 0);
}

/** Undefined when the tier holds, else why not. */
async function tryTier(way: TierWay, host: Host, cacheFolder: string): Promise<string | undefined> {
  const folder = path.join(cacheFolder, `probe-${randomId(6)}`);
  const work = path.join(folder, 'work');
  const canary = path.join(folder, 'canary');
  try {
    makeFolder(work);
    writeNewFile(canary, 'canary', { mode: 0o644 });
    const ended = await runProcess(way.prepare(selfTest(host, canary, work)), { timeoutMs: PROBE_TIMEOUT_MS });
    const said = Buffer.from(ended.stdout).toString().trim();
    if (ended.exit === 0 && said === 'holds') return undefined;
    return said || Buffer.from(ended.stderr).toString().trim().slice(0, 300) || `ended: ${ended.why} ${ended.exit}`;
  } catch (error) {
    return toFault(error).message;
  } finally {
    removeTree(folder);
  }
}

function selfTest(host: Host, canary: string, work: string): Order {
  const socket = host.architecture ? callNumber(host.architecture, 'socket') : -1;
  return {
    argv: [host.perl ?? '', SELF_TEST, canary, work, String(socket)],
    cwd: work,
    env: { PATH: '/usr/bin:/bin' },
    view: { work, readOnly: [SELF_TEST], writable: [] },
    network: false,
    limits: defaultLimits(PROBE_TIMEOUT_MS),
    timeoutMs: PROBE_TIMEOUT_MS,
  };
}
