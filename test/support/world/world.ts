// Poorer machines than this one: bubblewrap and user namespaces taken away from outside, without a word to the product.
import { spawnSync } from 'node:child_process';
import { findTrusted } from '../../../src/process/sandbox/host.ts';

/** The tier the product finds by itself in such a world. */
export type WorldTier = 'S3' | 'S2' | 'S1';

export interface World {
  readonly tier: WorldTier;
  /** An ordinary user; only root can become one. */
  readonly user?: number;
  /** A list of users that names this one, too: some programs refuse to run for a user without a name. */
  readonly passwd?: string;
}

const ENTER = new URL('world.pl', import.meta.url).pathname;
const BUBBLEWRAP = 'bwrap';

/** The words that go in front of a program's own, so that it is started in that world. */
export function worldWords(world: World): string[] {
  return [findTrusted('perl') ?? 'perl', ENTER, ...stepsTo(world), '--'];
}

/** Why this machine cannot show that world; undefined where it can. Asked of the kernel, not of the product under test. */
export function whyUnreachable(world: World): string | undefined {
  if (!findTrusted('perl')) return 'perl is not installed';
  if (world.tier === 'S3' && !findTrusted(BUBBLEWRAP)) return 'bubblewrap is not installed';
  const [perl = '', ...words] = [...worldWords(world).slice(0, -1), ...neededBy(world).map((part) => `try=${part}`)];
  const { status, stderr } = spawnSync(perl, [...words, '--', '/bin/true'], { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}

function stepsTo({ tier, user, passwd }: World): string[] {
  const bubblewrap = findTrusted(BUBBLEWRAP);
  return [
    ...(tier !== 'S3' && bubblewrap !== undefined && isRoot() ? [`hide=${bubblewrap}`] : []),
    ...(passwd === undefined ? [] : [`passwd=${passwd}`]),
    ...(tier === 'S1' ? ['no-user-namespaces'] : []),
    ...(user === undefined ? [] : [`user=${user}`]),
  ];
}

function neededBy({ tier, user }: World): string[] {
  if (tier === 'S1') return ['landlock'];
  if (tier === 'S2') return ['landlock', 'user-namespaces'];
  return isRoot() && user === undefined ? [] : ['user-namespaces'];
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}
