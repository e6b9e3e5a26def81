// Installs skills from a source, or exactly those the lock names; nothing of them is run.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import { readLock } from '../../distribution/lock.ts';
import { findPlace, type InstallPlace } from '../../distribution/place.ts';
import { listChoices } from '../../distribution/source/choice.ts';
import { foreignHash, readForeignLock } from '../../distribution/source/foreign-lock.ts';
import type { Offer, OfferedSkill, Origin } from '../../distribution/source/offer.ts';
import { openSource, type SourceWish } from '../../distribution/source/source.ts';
import { recover } from '../../distribution/transaction.ts';
import { verifySkill } from '../../distribution/verify.ts';
import type { Runtime } from '../runtime.ts';
import { carryOut, emptyPlan, type InstallOrder, type InstallResult } from './carry-out.ts';
import { openInstalled, withSourcePlaces } from './open-sources.ts';
import { openServedSources } from './served-sources.ts';

export async function installSource(wish: SourceWish, order: InstallOrder, runtime: Runtime): Promise<InstallResult> {
  runtime.requireConfig();
  const place = findPlace(runtime, order.scope);
  await using servers = openServedSources(runtime);
  const around = { cwd: order.folder, servers };
  const opened = await withSourcePlaces(runtime, around, (places) => openSource(wish, places));
  const isNamed = wish.names.length > 0;
  const offers = isNamed ? opened : await letChoose(opened, order, runtime);
  if (offers.length === 0) return { ...emptyPlan(place), ended: 'refused' };
  return await carryOut({ command: 'install', place, offers, skipDamaged: !isNamed }, order, runtime);
}

/** Whoever can be asked chooses among several; everybody else gets them all. */
async function letChoose(offers: readonly Offer[], order: InstallOrder, runtime: Runtime): Promise<readonly Offer[]> {
  const several = offers.flatMap(({ skills }) => skills).length > 1;
  if (!order.choose || order.yes || !several) return offers;
  const { blockAngleBracketsInFrontmatter: blockAngleBrackets } = runtime.config.security;
  const chosen = await order.choose(listChoices(offers, { blockAngleBrackets }));
  const isChosen = ({ folder }: OfferedSkill) => chosen.includes(folder);
  return offers
    .map((offer) => ({ ...offer, skills: offer.skills.filter(isChosen) }))
    .filter(({ skills }) => skills.length > 0);
}

/** What is in place already is left alone; everything else comes from where the lock says, or not at all. */
export async function installFrozen(order: InstallOrder, runtime: Runtime): Promise<InstallResult> {
  runtime.requireConfig();
  const place = findPlace(runtime, order.scope);
  recover(place);
  const wanted = frozenSkills(place, runtime).filter((skill) => !isInPlace(skill, place));
  const check = (items: readonly JudgedSkill[]) => requireLocked(items, wanted);
  await using servers = openServedSources(runtime);
  const offers = await openInstalled(wanted, 'pinned', place, { cwd: order.folder, servers }, runtime);
  return await carryOut({ command: 'install', place, offers, check }, order, runtime);
}

interface Frozen {
  readonly name: string;
  readonly source: Origin;
  readonly digest?: string;
  /** The hash another tool keeps. */
  readonly hash?: string;
}

function frozenSkills(place: InstallPlace, { project }: Runtime): Frozen[] {
  const { skills } = readLock(place.lockFile);
  const foreign = skills.length === 0 && place.scope === 'project' ? readForeignLock(project) : [];
  const found = [
    ...skills.map(({ name, source, digest }) => ({ name, source, digest })),
    ...foreign.map(({ name, origin, hash }) => ({ name, source: origin, ...(hash !== undefined && { hash }) })),
  ];
  if (found.length > 0) return found;
  throw new Fault('DataNotFound', visible(place.lockFile), {
    hint: { en: 'Nothing is locked yet: install something first.', zh: '锁文件为空: 请先安装。' },
  });
}

function isInPlace({ name }: Frozen, place: InstallPlace): boolean {
  const locked = readLock(place.lockFile).skills.find((skill) => skill.name === name);
  return locked !== undefined && verifySkill(path.join(place.root, locked.folder), locked).state === 'ok';
}

function requireLocked(items: readonly JudgedSkill[], wanted: readonly Frozen[]): void {
  for (const { candidate } of items) {
    const { manifest, digest, offered } = candidate;
    const locked = wanted.find(({ name }) => name === manifest.name);
    const isSame = locked?.digest === undefined || locked.digest === digest.digest;
    const isSameElsewhere = locked?.hash === undefined || locked.hash === foreignHash(offered.files);
    if (!locked || !isSame || !isSameElsewhere)
      throw new Fault('IntegrityMismatch', {
        en: `${visible(manifest.name)}: its source no longer has what the lock says`,
        zh: `${visible(manifest.name)}: 来源内容与锁文件不符`,
      });
  }
}
