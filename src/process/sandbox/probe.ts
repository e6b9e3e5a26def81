// Finds the strongest tier whose self-test passes; S0 promises nothing and is not tried.
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { toFault } from '../../base/errors.ts';
import { makeFolder, removeTree, writeNewFile } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { isAtLeast, spellTier } from '../../policy/tier.ts';
import { defaultLimits } from '../limits.ts';
import type { Launch, Order, Tier } from '../order.ts';
import { plainLaunch } from '../plain-launch.ts';
import { runProcess } from '../run.ts';
import { layBait } from './bait.ts';
import { type Capabilities, openByLack } from './capability.ts';
import type { Host, Ingredient } from './host.ts';
import type { CgroupPlace } from './linux/cgroup-place.ts';
import { launcherOf } from './linux/launcher.ts';
import { callNumber } from './linux/seccomp-table.ts';
import { bareTier } from './none/bare.ts';
import type { OpenPoint } from './not-enforced.ts';
import type { BuiltTier, LayerMounts, SandboxTier, TierParts, TierVariant } from './tier.ts';
import { TIERS, tiersNamed } from './tiers.ts';

/** A tier on this machine. */
export interface TierWay {
  readonly tier: Tier;
  readonly can: Capabilities;
  readonly notEnforced: readonly OpenPoint[];
  /** Absent: no layer can be mounted for its calls. */
  readonly layers: LayerMounts | undefined;
  /** What stays open for calls that see this project. */
  openIn(project: string): readonly OpenPoint[];
  prepare(order: Order): Launch;
}

/** What the probes found; with it a tier can be built again without asking anew. */
export interface ProbedTier {
  readonly tier: Tier;
  readonly variant: TierVariant;
  readonly landlockAbi: number;
  /** A process inside could enter a cgroup made for it (assumed at S0, which is not tried). */
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

export async function findTier(host: Host, options: ProbeOptions): Promise<ProbedTier> {
  const failed: { tier: Tier; why: string }[] = [];
  const landlockAbi = options.without.includes('landlock') ? 0 : await askLandlock(host);
  for (const candidate of candidates(host, landlockAbi, options)) {
    const way = buildTier(host, candidate, options);
    const why = await tryTier(way, host, options.cacheFolder);
    if (why === undefined) return { ...candidate, failed };
    failed.push({ tier: candidate.tier, why });
  }
  const bare = { tier: spellTier(bareTier.rank), variant: {}, landlockAbi };
  return { ...bare, grouped: options.place !== undefined, failed };
}

type Candidate = Omit<ProbedTier, 'failed'>;

/** What a machine no longer has drops to no sandbox at all, and says so. */
export function buildTier(
  host: Host,
  { tier, variant, landlockAbi, grouped }: Candidate,
  { emptyFile, place }: Pick<ProbeOptions, 'emptyFile' | 'place'>,
): TierWay {
  const parts: TierParts = { host, landlockAbi, ...variant, emptyFile, place: grouped ? place : undefined };
  for (const known of tiersNamed(tier)) {
    const built = known.build(parts);
    if (built) return wayOf(known, built);
  }
  return wayOf(bareTier, bareTier.build(parts));
}

function wayOf({ rank, can: usual }: SandboxTier, built: BuiltTier): TierWay {
  const { can = usual, notEnforced, layers, openIn, prepare } = built;
  const tier = spellTier(rank);
  const lacks = openByLack(can);
  return {
    tier,
    can,
    layers,
    notEnforced: [...lacks, ...notEnforced],
    openIn: (project) => [...lacks, ...(openIn?.(project) ?? notEnforced)],
    prepare(order) {
      const launch = prepare(order);
      return { ...launch, tier, notEnforced: [...lacks, ...launch.notEnforced], endsTree: can.endsTree };
    },
  };
}

/** Best first, each with a cgroup of its own before it is tried without. */
function candidates(host: Host, landlockAbi: number, { without, highest, place }: ProbeOptions): Candidate[] {
  const allowed = TIERS.filter(({ rank }) => rank > bareTier.rank && isAtLeast(highest, spellTier(rank)));
  const groups = place ? [true, false] : [false];
  return allowed.flatMap(({ rank, variants }) =>
    variants({ host, landlockAbi, without }).flatMap((variant) =>
      groups.map((grouped) => ({ tier: spellTier(rank), variant, landlockAbi, grouped })),
    ),
  );
}

/** Asked by system call, because the kernel's list of security modules is not mounted everywhere. */
async function askLandlock(host: Host): Promise<number> {
  const launcher = launcherOf(host);
  if (!launcher) return 0;
  const number = callNumber(launcher.architecture, 'landlock_create_ruleset');
  const args = ['-e', 'print syscall($ARGV[0] + 0, 0, 0, 1)', String(number)];
  const launch = plainLaunch({ file: launcher.perl, args, env: {}, cwd: '/' });
  const ended = await runProcess(launch, { timeoutMs: PROBE_TIMEOUT_MS });
  return Math.max(0, Number.parseInt(Buffer.from(ended.stdout).toString(), 10) || 0);
}

/** Undefined when the tier holds, else why not. */
async function tryTier(way: TierWay, host: Host, cacheFolder: string): Promise<string | undefined> {
  const folder = path.join(cacheFolder, `probe-${randomId(6)}`);
  const work = path.join(folder, 'work');
  const canary = path.join(folder, 'canary');
  const shown = path.join(folder, 'shown');
  try {
    makeFolder(work);
    writeNewFile(canary, 'canary', { mode: 0o644 });
    await using bait = await layBait(shown);
    const words = [canary, work, shown, String(bait.port), way.can.sockets ? '1' : '0'];
    const order = selfTest(host, words, { work, shown });
    const ended = await runProcess(way.prepare(order), { timeoutMs: PROBE_TIMEOUT_MS });
    const said = Buffer.from(ended.stdout).toString().trim();
    if (ended.exit === 0 && said === 'holds') return undefined;
    return said || Buffer.from(ended.stderr).toString().trim().slice(0, 300) || `ended: ${ended.why} ${ended.exit}`;
  } catch (error) {
    return toFault(error).message;
  } finally {
    removeTree(folder);
  }
}

function selfTest(host: Host, words: readonly string[], { work, shown }: { work: string; shown: string }): Order {
  return {
    argv: [host.perl ?? '', SELF_TEST, ...words],
    cwd: work,
    env: { PATH: '/usr/bin:/bin' },
    view: { work: absolutePath(work), readOnly: [SELF_TEST, shown].map(absolutePath), writable: [] },
    network: 'none',
    limits: defaultLimits(PROBE_TIMEOUT_MS),
    timeoutMs: PROBE_TIMEOUT_MS,
  };
}
