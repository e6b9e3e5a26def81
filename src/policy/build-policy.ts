// The policy of a call, put together from the settings, the places, and whoever acts.
import path from 'node:path';
import { isInside, realPath } from '../base/paths.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import type { Manifest } from '../skill/skill.ts';
import type { Places } from './place.ts';
import type { Allowance, Policy, PolicySettings, Tightening } from './policy.ts';
import type { Tier } from './tier.ts';

/** What holds for every call of a project. */
interface Ground {
  readonly settings: PolicySettings;
  readonly project: Tightening;
  readonly places: Places;
}

/** Whose call it is. */
export interface Actors {
  /** The skill a call belongs to; for a call that belongs to none, every active skill. */
  readonly skills?: readonly { readonly name: string; readonly manifest: Pick<Manifest, 'allowedTools' | 'network'> }[];
  readonly role?: Allowance;
  /** What this run permits, such as read-only tools. */
  readonly runtime?: Allowance;
  readonly tier?: Tier;
}

export function buildPolicy({ settings, project, places }: Ground, { skills, role, runtime, tier }: Actors): Policy {
  const says = Object.keys(project).length > 0;
  return {
    settings,
    places,
    ...(says && { project }),
    ...(role && { role }),
    ...(skills && { skills: skills.map(allowanceOf) }),
    ...(runtime && { runtime }),
    ...(tier && { tier }),
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

function allowanceOf({ name, manifest }: { name: string; manifest: Pick<Manifest, 'allowedTools' | 'network'> }) {
  const { allowedTools, network } = manifest;
  return { name, network, ...(allowedTools && { allowedTools }) };
}
