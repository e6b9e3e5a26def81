// Whether what a skill needs is there and granted, and the one command that mends it; values of variables are never looked at.

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isInside, realPath } from '../../base/paths.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import type { Certainty, Ecosystem } from '../../environment/need/package-need.ts';
import { findProgram } from '../../process/program.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { groupNeeds, type NamedNeed, type Need, type NeedKind } from '../../skill/need/need.ts';
import type { Runtime } from '../runtime.ts';
import { type Granted, grantedTo } from './granted.ts';
import { installCommand } from './install-command.ts';
import type { ReadableSkill } from './sources.ts';

/** `present`: there, and the skill may use it. */
export type NeedState = 'present' | 'missing' | 'not-granted' | 'unknown';

/** Packages are found by readers of their own. */
export type ShownKind = NeedKind | 'package';

export interface JudgedNeed extends Omit<NamedNeed, 'kind' | 'places'> {
  readonly kind: ShownKind;
  readonly places: readonly Pick<Need, 'file' | 'line' | 'how'>[];
  readonly package?: PackageFacts;
  readonly state: NeedState;
  /** What a person types to mend it; null where nothing is to be mended. */
  readonly command: string | null;
}

export interface PackageFacts {
  readonly ecosystem: Ecosystem;
  readonly spec: string;
  readonly certainty: Certainty;
  /** The skill does some of its work without it. */
  readonly optional: boolean;
  /** The one that is there, where it says so. */
  readonly version?: string;
}

/** A skill, installed or staged, with what a person would call it. */
export type NeedySkill = ReadableSkill & Pick<SkillEntry, 'name' | 'folderName' | 'ofRole'>;

/** Whether a skill can do nothing of its work, or not all of it, without this. */
export function isOpen({ state, package: brought }: JudgedNeed): boolean {
  return state !== 'present' && brought?.optional !== true;
}

export function judgeNeeds(needs: readonly Need[], skill: NeedySkill, runtime: Runtime): JudgedNeed[] {
  const granted = grantedTo(skill, runtime);
  return groupNeeds(needs).map((need) => {
    const state = stateOf(need, granted, runtime);
    return { ...need, state, command: commandFor(need, state, skill, runtime) };
  });
}

function stateOf(need: NamedNeed, granted: Granted, runtime: Runtime): NeedState {
  const there = isThere(need, runtime);
  if (there === 'no') return 'missing';
  return there === 'for-all' || granted.covers(need) ? 'present' : 'not-granted';
}

/** `for-all`: every skill may use it, without a grant. */
function isThere({ kind, name }: NamedNeed, { env, project }: Runtime): 'no' | 'yes' | 'for-all' {
  switch (kind) {
    case 'variable':
      return env[name] || env[`${name}_FILE`] ? 'yes' : 'no';
    case 'program': {
      const file = findProgram(name, { path: env.PATH ?? '', project });
      if (file === undefined) return 'no';
      return INTERPRETERS.test(name) || isOfSystem(file) ? 'for-all' : 'yes';
    }
    case 'device':
      return hasDevice(name) ? 'yes' : 'no';
    case 'host':
    case 'home':
      return 'yes';
  }
}

/** Found and shown to scripts wherever they are installed. */
const INTERPRETERS = /^(?:python3?|node|bash|sh|uv|deno|bun|ruby|perl|pwsh|Rscript)$/;
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/opt'];

function isOfSystem(file: string): boolean {
  const real = realPath(file) ?? file;
  return SYSTEM.some((folder) => isInside(folder, real)) && !isInside(homedir(), real);
}

const NODES: Readonly<Record<string, RegExp>> = {
  gpu: /^(?:nvidia\d|dri$|kfd$|dxg$)/,
  camera: /^video\d/,
  audio: /^snd$/,
};

function hasDevice(name: string): boolean {
  const nodes = NODES[name];
  if (!nodes) return existsSync(`/dev/${name}`);
  try {
    return readdirSync('/dev').some((node) => nodes.test(node));
  } catch {
    return false;
  }
}

function commandFor(need: NamedNeed, state: NeedState, skill: NeedySkill, runtime: Runtime): string | null {
  if (state === 'present') return null;
  if (state === 'not-granted') return `skillwright consent ${typedWord(calledName(skill))}`;
  if (need.kind === 'variable') return `export ${need.name}=…`;
  return need.kind === 'program' ? installCommand(need.name, skill.manifest, runtime) : null;
}
