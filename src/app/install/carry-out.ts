// The common way of installing and updating: prepare, let somebody decide, put in place.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type LinkedSkill, linkSkill, missingLinks, type OtherAgent } from '../../distribution/agent-folder.ts';
import type { InstallOptions } from '../../distribution/candidate.ts';
import { type InstallPlaces, type Prepared, prepareInstall } from '../../distribution/install.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import type { InstallPlace, InstallScope } from '../../distribution/place.ts';
import type { DamagedSkill } from '../../distribution/source/choice.ts';
import type { Offer } from '../../distribution/source/offer.ts';
import type { ReadSkill } from '../../distribution/source/offered-skill.ts';
import { recordOwn } from '../own/record.ts';
import { installedBy } from '../own/skill-change.ts';
import type { Runtime } from '../runtime.ts';
import { type PlannedSkill, withNeeds } from './planned-skill.ts';

export interface InstallOrder {
  /** The project's place unless given. */
  readonly scope?: InstallScope | undefined;
  /** Where relative paths begin. */
  readonly folder: string;
  readonly allowed: InstallOptions;
  /** Only say what would happen. */
  readonly dryRun: boolean;
  /** Only where it is one of these, by the digest of its files; absent: whatever it is. */
  readonly digests?: readonly string[];
  /** Agents that are to find the skills in folders of their own, too. */
  readonly agents?: readonly OtherAgent[];
  /** Lets a person choose among several skills; by their folders in the source. */
  readonly choose?: (choices: readonly (ReadSkill | DamagedSkill)[]) => Promise<readonly string[]>;
  /** Answers for a person, unless something grave was found. */
  readonly yes: boolean;
  /** Shows the plan to a person and brings the answer; without it nobody can be asked. */
  readonly ask?: (plan: InstallPlan) => Promise<boolean>;
}

export interface InstallPlan {
  readonly place: InstallPlace;
  readonly items: readonly PlannedSkill[];
  /** Left out, because their SKILL.md cannot be read. */
  readonly damaged: readonly DamagedSkill[];
  /** Links of other agents to what is installed. */
  readonly links: readonly string[];
}

export function emptyPlan(place: InstallPlace): InstallPlan {
  return { place, items: [], damaged: [], links: [] };
}

export interface InstallResult extends InstallPlan {
  /** `undecided`: nobody could be asked; like `refused` and `planned` it has changed nothing. */
  readonly ended: 'installed' | 'planned' | 'refused' | 'undecided';
}

/** What is brought, by which command, where to, and a last look before anybody is asked, which throws where it must not go on. */
export interface Delivery {
  readonly command: 'install' | 'update';
  readonly place: InstallPlace;
  readonly offers: readonly Offer[];
  readonly check?: (items: readonly JudgedSkill[]) => void;
  /** Skills whose SKILL.md cannot be read are left out. */
  readonly skipDamaged?: boolean;
}

export async function carryOut(
  { command, place, offers, check, skipDamaged = false }: Delivery,
  order: InstallOrder,
  runtime: Runtime,
): Promise<InstallResult> {
  const prepared = prepareInstall(offers, placesFor(place, runtime), { ...order.allowed, skipDamaged });
  try {
    const linked = findLinks(prepared.items, place, order, runtime);
    const { damaged } = prepared;
    check?.(prepared.items);
    requireExpected(prepared.items, order);
    const items = await withNeeds(prepared, runtime);
    const plan = { place, items, damaged, links: linked.flatMap(({ links }) => links) };
    if (order.dryRun) return { ...plan, ended: 'planned' };
    const answer = await decide(plan, order);
    if (answer !== 'yes') return { ...plan, ended: answer };
    for (const { stillOffered } of offers) await stillOffered?.();
    putInPlace(command, prepared, place, runtime);
    for (const { skill, links } of linked) linkSkill(skill, links);
    runtime.index();
    return { ...plan, ended: 'installed' };
  } finally {
    prepared.discard();
  }
}

function putInPlace(command: Delivery['command'], prepared: Prepared, place: InstallPlace, runtime: Runtime): void {
  const skills = installedBy(prepared.items, place);
  if (skills.length === 0) prepared.commit();
  else recordOwn(runtime, { command, scope: place.scope, skills }, prepared.commit);
}

/** Somebody looked at it earlier, and said yes to what it was then. */
function requireExpected(items: readonly JudgedSkill[], { digests }: InstallOrder): void {
  if (!digests) return;
  const other = items.find(
    ({ action, candidate }) => action !== 'unchanged' && !digests.includes(candidate.digest.digest),
  );
  if (!other) return;
  const { manifest, digest } = other.candidate;
  const shown = visible(manifest.name);
  throw new Fault(
    'IntegrityMismatch',
    {
      en: `${shown} is ${digest.digest} now, and --digest says otherwise`,
      zh: `${shown} 现为 ${digest.digest}，与 --digest 不符`,
    },
    { hint: { en: 'Without --digest it is shown anew.', zh: '不带 --digest 会重新展示。' } },
  );
}

/** Found out before anything is asked or changed: what lies in the way is not replaced. */
function findLinks(
  items: readonly JudgedSkill[],
  { root, scope }: InstallPlace,
  { agents = [] }: InstallOrder,
  { project, home }: Runtime,
): { skill: LinkedSkill; links: string[] }[] {
  const base = scope === 'project' ? project : home;
  return items.map(({ candidate }) => {
    const skill = { folder: path.join(root, candidate.folderName), base };
    return { skill, links: missingLinks(skill, agents) };
  });
}

/** Why no `yes` given in advance answers for a person. */
export function gravePoints({ items }: Pick<InstallPlan, 'items'>): JudgedSkill['needsPerson'] {
  return items.flatMap(({ needsPerson }) => needsPerson);
}

async function decide(plan: InstallPlan, { yes, ask }: InstallOrder): Promise<'yes' | 'refused' | 'undecided'> {
  if (plan.items.every(({ action }) => action === 'unchanged') && plan.links.length === 0) return 'yes';
  if (yes && gravePoints(plan).length === 0) return 'yes';
  if (!ask) return 'undecided';
  return (await ask(plan)) ? 'yes' : 'refused';
}

function placesFor(place: InstallPlace, runtime: Runtime): InstallPlaces {
  const { home, clock, project, config } = runtime;
  return {
    place,
    home,
    clock,
    ...(place.scope === 'project' && { base: project }),
    known: runtime.index().skills,
    blockAngleBrackets: config.security.blockAngleBracketsInFrontmatter,
    trashDays: config.retention.trashDays,
    vet: config.security.vet,
  };
}
