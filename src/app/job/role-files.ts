// The files that jobs name by digest: those of the project, and those of packs that were fetched to this machine.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { removeTree, touchFile, writeNewFile } from '../../base/files.ts';
import { entriesIfThere, readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { type Digest, digestName, digestNamed, requireDigest } from '../../base/value/digest.ts';
import { openKeyStore } from '../../distribution/sign/key-store.ts';
import type { JobTarget } from '../../jobs/payload.ts';
import { digestOfTarget, type PinOptions, pinnablesOf } from '../../jobs/pin.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { fingerprint } from '../../registry/fingerprint.ts';
import { listRoles } from '../../registry/role/role.ts';
import { digestIfSound, type SkillContent } from '../../skill/digest.ts';
import { listTree } from '../../skill/tree.ts';
import type { Job } from '../../store/queue.ts';
import type { Runtime } from '../runtime.ts';

type Places = Pick<Runtime, 'project' | 'home'>;

export interface RoleFiles {
  /** What this machine can run now, as jobs are pinned to it. */
  digests(): Promise<readonly string[]>;
  /** Of a folder, hashed again only where its files may have changed; undefined where it can be no skill. */
  digestOf(skill: SkillContent): Digest | undefined;
  /** Something was fetched, or is not what it was: they are looked at again at once. */
  changed(): void;
}

/** A change of files counts after this. */
const FRESH_MS = 1_000;
/** Beside agents/ of what was fetched: when a job used it last. */
const USED = 'used';
/** And whose key signed it: once that is revoked, it counts no more. */
const SIGNER = 'signer';

/** Beside those of roles, of `installed` skills, asked for at each look. */
export function openRoleFiles({ project, home }: Places, installed: () => readonly SkillEntry[] = () => []): RoleFiles {
  const memory = rememberDigests();
  let known: { readonly digests: Promise<readonly string[]>; readonly at: number } | undefined;
  const look = async () => {
    const own = installed().flatMap((skill) => memory.digestOf(skill) ?? []);
    return [...new Set([...(await digestsIn(project, memory.digestOf)), ...own, ...fetchedDigests(home)])];
  };
  return {
    digests() {
      if (!known || performance.now() - known.at >= FRESH_MS) known = { digests: look(), at: performance.now() };
      return known.digests;
    },
    digestOf: memory.digestOf,
    changed() {
      known = undefined;
      memory.forget();
    },
  };
}

/** The folder in whose agents/ the files lie that the job is pinned to; the project where it is pinned to none. Throws a Fault where they belong to something else than it names. */
export async function folderFor(
  { project, home }: Places,
  job: Job,
  target: JobTarget,
  options: PinOptions,
): Promise<string | undefined> {
  const { role, digest } = job;
  if (digest === undefined || digest === (await digestOfTarget(project, role, target, options))) return project;
  const fetched = fetchedFolder(home, requireDigest(digest));
  const isTrusted = isSignerTrusted(fetched, home);
  if (isTrusted && digest === (await digestOfTarget(fetched, role, target, { digestOf: options.digestOf }))) {
    touchFile(path.join(fetched, USED), Date.now());
    return fetched;
  }
  // Given back, it would be taken by this machine again at once: the files are here.
  for (const folder of [project, ...(isTrusted ? [fetched] : [])])
    if ((await digestsIn(folder)).includes(digest)) throw filesOfAnother(job);
  // Nobody may change it there: what is not itself, or of a key that was revoked since, is fetched again or refused.
  removeTree(fetched);
  return undefined;
}

export function rememberSigner(folder: string, id: string): void {
  writeNewFile(path.join(folder, SIGNER), id);
}

/** Whose key signed the pack of these files; undefined where none was fetched. */
export function signerOfFetched(home: string, digest: string): string | undefined {
  return readTextIfThere(path.join(fetchedFolder(home, requireDigest(digest)), SIGNER));
}

function isSignerTrusted(fetched: string, home: string): boolean {
  const key = openKeyStore(home).find(readTextIfThere(path.join(fetched, SIGNER)) ?? '');
  return key !== undefined && key.revoked === undefined;
}

function filesOfAnother({ target }: Job): Fault {
  return new Fault('IntegrityMismatch', {
    en: `the files it is pinned to are not those of ${visible(target)}`,
    zh: `其固定的文件不属于 ${visible(target)}`,
  });
}

/** Where a pack lies once it was fetched: under home, apart from every project. */
export function fetchedFolder(home: string, digest: Digest): string {
  return path.join(fetchedRoot(home), digestName(digest));
}

export function fetchedRoot(home: string): string {
  return path.join(home, '.agent', 'cache', 'packs');
}

/** What no job used for so long, and what a killed process left half fetched. */
export function forgetFetched(home: string, olderThanMs: number): void {
  for (const { name } of entriesIfThere(fetchedRoot(home))) {
    const folder = path.join(fetchedRoot(home), name);
    const times = [folder, path.join(folder, USED)].map(
      (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    if (Math.max(...times) < Date.now() - olderThanMs) removeTree(folder);
  }
}

export async function digestsIn(folder: string, digestOf: RoleFiles['digestOf'] = digestIfSound): Promise<string[]> {
  return (await listRoles(folder)).flatMap((role) => pinnablesOf(role, digestOf).map(({ digest }) => digest));
}

function fetchedDigests(home: string): string[] {
  return entriesIfThere(fetchedRoot(home)).flatMap(({ name }) => digestNamed(name) ?? []);
}

/** Only folders that may have changed are hashed again. */
function rememberDigests(): Pick<RoleFiles, 'digestOf'> & { forget(): void } {
  const known = new Map<string, { readonly print: string; readonly digest: Digest | undefined }>();
  return {
    digestOf({ folder, without = [] }) {
      const print = printOf(folder);
      const name = [folder, ...without].join('\n');
      const last = known.get(name);
      if (last && print !== '' && last.print === print) return last.digest;
      const digest = digestIfSound({ folder, without });
      known.set(name, { print, digest });
      return digest;
    },
    forget: () => known.clear(),
  };
}

function printOf(folder: string): string {
  try {
    return fingerprint(listTree(folder), Date.now());
  } catch {
    return '';
  }
}
