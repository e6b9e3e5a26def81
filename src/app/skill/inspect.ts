// One skill with everything that is known about it, and its body when asked for.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose, type SpokenDiagnostic, speak } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { readBodyText } from '../../loader/body.ts';
import { listResources, type ResourceKind } from '../../loader/resource-list.ts';
import { actionsInScript } from '../../protocol/spoken-action.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { usageOf } from '../../registry/usage.ts';
import { digestSkill } from '../../skill/digest.ts';
import { stateFile } from '../../store/location.ts';
import { findTarget } from '../find-target.ts';
import { searchNeeds } from '../need/find.ts';
import { judgeAll } from '../need/judge.ts';
import { packageDiagnostics } from '../need/package-state.ts';
import type { JudgedNeed } from '../need/state.ts';
import { describeNeed } from '../need/view.ts';
import type { Runtime } from '../runtime.ts';
import { describeLimits, describeManifest, describeSkill } from '../view/skill.ts';

export interface InspectedSkill {
  readonly outcome: Outcome;
  readonly skill: SkillEntry;
  /** Null for a folder that cannot be executed. */
  readonly digest: string | null;
  readonly resources: SkillResources;
  /** Seconds it may take; null where nothing runs. */
  readonly limits: { readonly timeout: number | null };
  readonly usage: UsageView;
  /** Found by reading, with whether each is there. */
  readonly needs: readonly JudgedNeed[];
  readonly diagnostics: readonly SpokenDiagnostic[];
  /** Where it declares no actions: those its script speaks of. */
  readonly spokenActions: readonly string[];
  readonly body?: string;
}

export interface UsageView {
  readonly count: number;
  readonly failures: number;
  readonly average_ms: number | null;
  readonly last_used: string | null;
}

const FOLDERS = { script: 'scripts', reference: 'reference', asset: 'assets', other: 'other' } as const;

export type SkillResources = Record<(typeof FOLDERS)[ResourceKind], string[]>;

export interface InspectWish {
  readonly source?: string | undefined;
  /** Its instructions, too. */
  readonly body?: boolean;
}

export async function inspectSkill(runtime: Runtime, written: string, wish: InspectWish = {}): Promise<InspectedSkill> {
  const { skill } = await findTarget(written, wish.source, runtime);
  const { digest, problems } = tryDigest(skill);
  const found = await searchNeeds(skill, runtime);
  const needs = await judgeAll(found, skill, runtime);
  const odd = [...problems, ...found.diagnostics, ...packageDiagnostics(skill, found.packages)];
  const diagnostics = speak([...skill.diagnostics, ...odd], runtime.language);
  const resources = sortResources(skill);
  const body = wish.body && path.basename(skill.file) === 'SKILL.md' ? { body: readBodyText(skill, {}).text } : {};
  const usage = await readUsage(skill, runtime);
  const isDeclared = skill.kind !== 'protocol' || skill.manifest.actions !== undefined;
  const spokenActions = isDeclared ? [] : actionsInScript(skill.folder, skill.manifest.entry);
  const limits = describeLimits(skill.kind, skill.manifest, runtime.config.limits);
  const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', skill.skillId, {
    skill: describeSkill(skill),
    manifest: describeManifest(skill.manifest),
    digest,
    resources,
    limits,
    usage,
    needs: needs.map(describeNeed),
    diagnostics,
    ...(spokenActions.length > 0 && { spoken_actions: spokenActions }),
    ...body,
  });
  return { outcome, skill, digest, resources, limits, usage, needs, diagnostics, spokenActions, ...body };
}

/** A folder that cannot be executed has no digest; it can still be looked at. */
function tryDigest(skill: SkillEntry): { digest: string | null; problems: Diagnostic[] } {
  try {
    return { digest: digestSkill(skill).digest, problems: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const found = { code: 'no-digest', severity: 'error', path: skill.folder } as const;
    return { digest: null, problems: [diagnose({ ...found, message: error.sentence })] };
  }
}

function sortResources(skill: SkillEntry): SkillResources {
  const resources: SkillResources = { scripts: [], reference: [], assets: [], other: [] };
  for (const { kind, path: file } of listResources(skill).items) resources[FOLDERS[kind]].push(file);
  return resources;
}

/** Looking at a skill makes no database where there is none. */
async function readUsage(skill: SkillEntry, runtime: Runtime): Promise<UsageView> {
  if (!existsSync(stateFile(runtime))) return { count: 0, failures: 0, average_ms: null, last_used: null };
  using store = await runtime.openStore();
  const { count, failures, totalMs, lastUsed } = usageOf(store, skill);
  return {
    count,
    failures,
    average_ms: count > 0 ? Math.round(totalMs / count) : null,
    last_used: lastUsed === undefined ? null : new Date(lastUsed).toISOString(),
  };
}
