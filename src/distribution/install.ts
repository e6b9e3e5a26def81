// Installs skills into a root: stage and hash, judge, ask a person, then put all in place atomically. Runs no code.
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/errors.ts';
import { isInside } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import type { VetPolicy } from '../config/vet-policy.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { canonicalKey } from './archive/name.ts';
import type { Candidate, InstallOptions } from './candidate.ts';
import { keepEvidence } from './evidence.ts';
import { assignFolders } from './install-folder.ts';
import { type JudgedSkill, judgeSkill } from './judge.ts';
import { keepSource } from './known-source.ts';
import { type Lock, type LockedSkill, readLock } from './lock.ts';
import type { InstallPlace } from './place.ts';
import { checkAgainstManifest } from './publish/manifest.ts';
import { type KeyStore, openKeyStore } from './sign/key-store.ts';
import { checkSignature } from './sign/signature.ts';
import { sshMessage } from './sign/ssh-signature.ts';
import { type DamagedSkill, sortOut } from './source/choice.ts';
import type { Offer, OfferedSkill, Origin } from './source/offer.ts';
import { readOffered } from './source/offered-skill.ts';
import { checkStaged, stageSkill } from './stage.ts';
import { commit, openStaging, recover, type Staging, type TransactionStep } from './transaction.ts';
import { emptyTrash, newTrashId, type TrashRecord } from './trash.ts';
import { openInspector } from './vet/vet.ts';

export interface InstallPlaces {
  readonly place: InstallPlace;
  readonly home: string;
  readonly clock: Clock;
  /** Paths inside it are stored relative, so that the lock is valid on another machine. */
  readonly base?: string;
  /** Every existing skill, to detect names that collide or look alike. */
  readonly known: readonly SkillEntry[];
  readonly blockAngleBrackets: boolean;
  readonly trashDays: number;
  readonly vet?: VetPolicy;
}

export interface Prepared {
  readonly items: readonly JudgedSkill[];
  /** Skills of the source that were left out, because their SKILL.md cannot be read. */
  readonly damaged: readonly DamagedSkill[];
  /** Where the files of an item lie until then. */
  stagedAt(index: number): string;
  /** Puts everything in place; returns what was installed. */
  commit(): JudgedSkill[];
  discard(): void;
}

/** Throws a Fault when something must not be installed; then nothing has changed. */
export function prepareInstall(
  offers: readonly Offer[],
  places: InstallPlaces,
  options: InstallOptions = {},
): Prepared {
  const { place, home } = places;
  recover(place);
  const staging = openStaging(place);
  try {
    const { sound, damaged } = options.skipDamaged ? sortOut(offers, places) : { sound: offers, damaged: [] };
    const lock = readLock(place.lockFile);
    const candidates = assignFolders(stageOffers(sound, staging, places), lock, place, places.known);
    refuseTwice(candidates);
    const keys = openKeyStore(home);
    const items = candidates.map((candidate) =>
      judgeSkill(candidate, { place, lock, keys, known: places.known, vet: places.vet ?? {} }, options),
    );
    return {
      items,
      damaged,
      stagedAt: (index) => staging.newFolder(index),
      commit: () => putInPlace(items, lock, staging, places, options),
      discard: () => staging.discard(),
    };
  } catch (error) {
    staging.discard();
    throw error;
  }
}

function stageOffers(offers: readonly Offer[], staging: Staging, places: InstallPlaces): Candidate[] {
  const candidates: Candidate[] = [];
  for (const offer of offers) {
    const from = candidates.length;
    const staged = offer.skills.map((skill, at) => stageOffered(skill, offer, staging.newFolder(from + at), places));
    const signed = signatureOf(offer, staged, places);
    candidates.push(...staged.map((candidate) => ({ ...candidate, ...signed })));
  }
  return candidates;
}

function stageOffered(offered: OfferedSkill, offer: Offer, folder: string, places: InstallPlaces): Candidate {
  const read = readOffered(offered, places);
  const inspector = openInspector();
  const digest = stageSkill(offered, folder, { onFile: (file, content) => inspector.see(file, content) });
  if (offer.manifest) checkAgainstManifest(offer.manifest, offered, digest);
  const origin = originOf(offer.origin, offered, places.base);
  return { ...read, digest, origin, vetting: inspector.conclude(read.manifest) };
}

function refuseTwice(candidates: readonly Candidate[]): void {
  const seen = new Set<string>();
  for (const { manifest, folderName } of candidates) {
    const key = canonicalKey([folderName]);
    if (seen.has(key)) throw new Fault('ARCHIVE_COLLISION', visible(manifest.name));
    seen.add(key);
  }
}

function originOf(origin: Origin, { folder }: OfferedSkill, base: string | undefined): Origin {
  const isLocal = path.isAbsolute(origin.location) && base !== undefined && isInside(base, origin.location);
  const location = isLocal ? `./${path.relative(base, origin.location)}` : origin.location;
  return { ...origin, location, ...(origin.path === undefined && folder !== '' && { path: folder }) };
}

function signatureOf(
  { signed, origin }: Offer,
  candidates: readonly Candidate[],
  { home }: InstallPlaces,
): Pick<Candidate, 'signer' | 'evidence'> {
  if (!signed) return {};
  const skills = candidates.map(({ manifest: { name, version }, digest: { digest } }) => {
    return { name, ...(version !== undefined && { version }), digest };
  });
  const pack = { archive: origin.digest ?? '', skills };
  const signer = checkSignature(signed.signature, signed.bytes, pack, openKeyStore(home));
  return { signer, evidence: { ...pack, message: sshMessage(signed.bytes), signature: signed.signature } };
}

function putInPlace(
  items: readonly JudgedSkill[],
  lock: Lock,
  staging: Staging,
  places: InstallPlaces,
  options: InstallOptions,
): JudgedSkill[] {
  const { place, clock, home } = places;
  const now = clock.now();
  const changing = items.map((item, staged) => ({ item, staged })).filter(({ item }) => item.action !== 'unchanged');
  refuseStale(
    changing.map(({ item }) => item),
    lock,
    readLock(place.lockFile),
  );
  for (const { item, staged } of changing) checkStaged(staging.newFolder(staged), item.candidate.digest);
  const steps = changing.map(({ item, staged }) => ({ ...stepFor(item, lock, place, now, options), staged }));
  for (const { candidate } of items) if (candidate.evidence) keepEvidence(home, candidate.evidence);
  for (const location of new Set(items.map(({ candidate }) => candidate.origin.location))) keepSource(home, location);
  if (steps.length > 0) commit(place, staging, steps);
  else staging.discard();
  for (const { candidate } of items) rememberPublisher(candidate, openKeyStore(home));
  emptyTrash(place.trash, places.trashDays, now);
  return changing.map(({ item }) => item);
}

function rememberPublisher({ manifest: { name, version }, signer }: Candidate, keys: KeyStore): void {
  if (signer === undefined) return;
  keys.pin(name, signer);
  if (version !== undefined) keys.saw(name, signer, version);
}

/** The judgement was made against this lock; a person may have taken long to answer, so it is compared again. */
function refuseStale(items: readonly JudgedSkill[], then: Lock, now: Lock): void {
  for (const { candidate } of items) {
    const { name } = candidate.manifest;
    const [before, after] = [then, now].map(({ skills }) => skills.find((skill) => skill.name === name));
    if (before?.digest === after?.digest && before?.installed === after?.installed) continue;
    throw new Fault('IntegrityMismatch', {
      en: `${visible(name)} was installed or removed by another command meanwhile`,
      zh: `${visible(name)} 在此期间已被另一命令安装或移除`,
    });
  }
}

function stepFor(
  { candidate, action }: JudgedSkill,
  lock: Lock,
  place: InstallPlace,
  now: number,
  options: InstallOptions,
): TransactionStep {
  const { manifest, folderName, digest, origin, signer } = candidate;
  const { name, version } = manifest;
  const before = lock.skills.find((skill) => skill.name === name);
  const set: LockedSkill = {
    name,
    folder: folderName,
    ...(version !== undefined && { version }),
    digest: digest.digest,
    source: origin,
    files: digest.files,
    ...(signer !== undefined && { signer }),
    installed: new Date(now).toISOString(),
    ...(before?.unknown && { unknown: before.unknown }),
  };
  const replaced: TrashRecord = {
    id: newTrashId(now),
    name,
    folderName,
    root: place.root,
    reason: 'replaced',
    removed: new Date(now).toISOString(),
    backup: options.backup === true,
    ...(before && { locked: before }),
  };
  return { folderName, change: { name, set }, ...(action === 'replace' && { replaced }) };
}
