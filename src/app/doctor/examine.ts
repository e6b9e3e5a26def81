// Every skill on disk, of roles too, with whether it is seen and why not, and whether this machine has what is needed.
import path from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import type { Data } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { type ProjectEffect, projectEffects } from '../../config/effect.ts';
import type { AttackResult } from '../../process/sandbox/attack/attack.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import { allDiagnostics, type Index, type SkillEntry } from '../../registry/discover.ts';
import { listRoles, type Role } from '../../registry/role/role.ts';
import type { Runtime } from '../runtime.ts';
import { checkJobs } from './jobs-check.ts';
import { checkOwnLog } from './log-check.ts';
import { checkMachine, type MachineCheck } from './machine.ts';
import { findNoSkills } from './no-skill.ts';
import { findOddPlaces } from './odd-place.ts';
import { attackTiers, inspectSandbox } from './sandbox-report.ts';
import { checkStore } from './store-check.ts';
import { checkWorkspace } from './workspace-check.ts';

export interface ExamineOrder {
  /** Also skills inside the folders of other skills. */
  readonly deep: boolean;
  /** Also try to break out of the sandbox. */
  readonly attack: boolean;
}

export interface SkillVerdict {
  readonly path: string;
  readonly visible: boolean;
  /** In a sentence, or what is wrong with the file. */
  readonly why: Text | readonly Diagnostic[];
}

export interface DoctorReport {
  readonly index: Index;
  readonly skills: readonly SkillVerdict[];
  readonly checks: readonly MachineCheck[];
  readonly tier?: Sandbox['tier'] | undefined;
  /** What the sandbox leaves open. */
  readonly open: readonly string[];
  readonly store: Data;
  readonly diagnostics: readonly Diagnostic[];
  /** What the project's settings change. */
  readonly effects: readonly ProjectEffect[];
  /** Where they were asked for and there is a sandbox to attack. */
  readonly attacks?: readonly AttackResult[];
  /** Nothing is missing that everything needs. */
  readonly isHealthy: boolean;
}

export async function examine(runtime: Runtime, { deep, attack }: ExamineOrder): Promise<DoctorReport> {
  const index = runtime.index({ deep });
  const { sandbox, check } = await inspectSandbox(runtime);
  const store = await checkStore(runtime);
  const jobs = store.hasState ? await checkJobs(runtime) : [];
  const roles = await listRoles(runtime.project);
  const workspace = await checkWorkspace(sandbox, runtime);
  const checks = [...checkMachine(runtime), check, workspace, ...store.checks, checkOwnLog(runtime), ...jobs];
  return {
    index,
    skills: [...judgeSkills(index), ...roles.flatMap(judgeRole)],
    checks,
    tier: sandbox?.tier,
    open: sandbox?.openIn(runtime.project) ?? [],
    store: store.facts,
    effects: await projectEffects(runtime),
    diagnostics: [
      ...runtime.configDiagnostics,
      ...findOddPlaces(runtime),
      ...findNoSkills(runtime, deep),
      ...allDiagnostics(index),
      ...roles.flatMap((role) => role.diagnostics),
    ],
    ...(sandbox && attack && { attacks: await attackTiers(runtime) }),
    isHealthy:
      checks.every(({ ok, needed }) => ok || !needed) &&
      runtime.configDiagnostics.every(({ severity }) => severity !== 'error'),
  };
}

function judgeSkills({ skills, invalid }: Index): SkillVerdict[] {
  return [
    ...skills.map((skill) => ({ path: skill.file, visible: skill.state === 'visible', why: reasonOf(skill) })),
    ...invalid.map(({ file, diagnostics }) => ({ path: file, visible: false, why: diagnostics })),
  ];
}

/** Its skills, and what its list leaves out. */
function judgeRole({ name, folder, skills, unlisted }: Role): SkillVerdict[] {
  const seen = {
    en: `visible as ${visible(name)}/…, for \`call\` and jobs`,
    zh: `可见，名为 ${visible(name)}/…，供 \`call\` 与定时任务使用`,
  };
  const shut = {
    en: `skills in agents/${visible(name)}/agent.yaml does not list it`,
    zh: `agents/${visible(name)}/agent.yaml 的 skills 未列出它`,
  };
  return [
    ...skills.map(({ entry }) => ({ path: path.join(folder, entry), visible: true, why: seen })),
    ...unlisted.map(({ entry }) => ({ path: path.join(folder, entry), visible: false, why: shut })),
  ];
}

function reasonOf({ state, shadowedBy, manifest }: SkillEntry): Text {
  if (state === 'shadowed') return { en: `shadowed by ${shadowedBy}`, zh: `被 ${shadowedBy} 遮蔽` };
  if (manifest.disableModelInvocation)
    return { en: 'visible to people, hidden from the model', zh: '对人可见，对模型隐藏' };
  if (!manifest.userInvocable) return { en: 'visible to the model, not listed', zh: '对模型可见，不在列表中' };
  return { en: 'visible', zh: '可见' };
}
