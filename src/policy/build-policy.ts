// The policy of a call, put together from the settings, the places, and whoever acts.
import path from 'node:path';
import { isInside, realPath } from '../base/paths.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import type { Manifest } from '../skill/skill.ts';
import type { EffectsOnly } from './asking.ts';
import type { Places } from './place.ts';
import type { Allowance, Policy, PolicySettings, Tightening } from './policy.ts';
import type { Tier } from './tier.ts';

/** What holds for every call of a project. */
interface Ground {
  readonly settings: PolicySettings;
  readonly project: Tightening;
  readonly caller?: Tightening | undefined;
  readonly places: Places;
}

interface SkillActor {
  readonly name: string;
  readonly folder?: string;
  readonly manifest: Pick<Manifest, 'allowedTools' | 'network'>;
}

/** Whose call it is. */
export interface Actors {
  /** The skill a call belongs to; for a call that belongs to none, every active skill. */
  readonly skills?: readonly SkillActor[];
  readonly role?: Allowance;
  /** What this run permits, such as read-only tools. */
  readonly runtime?: Allowance;
  readonly tier?: Tier;
  readonly effectsOnly?: EffectsOnly | undefined;
}

export function buildPolicy({ settings, project, caller, places }: Ground, actors: Actors): Policy {
  const { skills, role, runtime, tier, effectsOnly } = actors;
  const says = Object.keys(project).length > 0;
  return {
    settings,
    places,
    ...(says && { project }),
    ...(caller && { caller }),
    ...(role && { role }),
    ...(skills && { skills: skills.map(allowanceOf) }),
    ...(runtime && { runtime }),
    ...(tier && { tier }),
    ...(effectsOnly && { effectsOnly }),
  };
}

/** Real folders, as file tools and patterns compare them. Writing below `mybox/` counts as a result too. */
export function findPlaces(where: { project: AbsolutePath; home: AbsolutePath; outputFolder: string }): Places {
  const project = realPath(where.project) ?? where.project;
  const output = isInside(where.project, where.outputFolder)
    ? path.join(project, path.relative(where.project, where.outputFolder))
    : where.outputFolder;
  const home = realPath(where.home) ?? where.home;
  return { project, home, output: [path.join(project, 'mybox'), output].map(absolutePath) };
}

function allowanceOf({ name, folder, manifest }: SkillActor): Allowance {
  const { allowedTools, network } = manifest;
  return { name, network, ...(folder !== undefined && { folder }), ...(allowedTools && { allowedTools }) };
}
