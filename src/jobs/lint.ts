// Checks what keeps a role from working: in its file, in its schedules, and on this machine.

import { type Diagnostic, diagnose, type Severity } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { canonicalJson, type Json } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { nearest, visible } from '../base/text.ts';
import type { Door } from '../door/door.ts';
import { AUTOMATIC_ACTIONS } from '../door/kind/action.ts';
import { readSecret } from '../door/secret.ts';
import { sayRule } from '../policy/rule.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Role } from '../registry/role/role.ts';
import { skillOfRole } from '../registry/role/skill.ts';
import { refuseUnknown } from '../skill/value.ts';
import { checkValues } from './check-params.ts';
import { decideFor, type GrantNeed, grantNeed, type LintPlace, type SkillTarget, toolOf } from './grant-need.ts';
import { reachNeed } from './reach-need.ts';
import { readSchedules, type Schedule } from './schedule.ts';
import { skillOfTarget } from './target-skill.ts';
import { reachLost, whyWaiting } from './trouble.ts';

export function lintRole(role: Role, place: LintPlace): Diagnostic[] {
  if (!role.usable) return [...role.diagnostics];
  const { schedules, diagnostics } = readSchedules(role);
  const skills = role.skills.flatMap(({ name }) => skillOfRole(role, name) ?? []);
  return [
    ...role.diagnostics,
    ...diagnostics,
    ...skills.flatMap((skill) => [...lintTools(role, skill, place), ...lintSecrets(role, skill, place)]),
    ...schedules.flatMap((schedule) => lintTarget(role, schedule, place)),
    ...lintRepeated(role, schedules),
    ...lintGrants(role, schedules, place),
    ...lintReach(role, schedules, place),
    ...(schedules.some(({ target }) => 'prompt' in target) && role.instructions === undefined
      ? [
          say(
            role,
            'instructions-missing',
            'warning',
            { en: 'a prompt is scheduled, but there is no CLAUDE.md', zh: '定时任务含有提示词，但没有 CLAUDE.md' },
            { en: 'write CLAUDE.md', zh: '请编写 CLAUDE.md' },
          ),
        ]
      : []),
  ];
}

/** A skill the role could never run. */
function lintTools(role: Role, skill: SkillEntry, place: LintPlace): Diagnostic[] {
  if (skill.kind === 'prompt') return [];
  const denying = decideFor(role, skill, place).layers.find(({ effect }) => effect === 'deny');
  if (!denying) return [];
  const tool = toolOf(skill);
  const rule = sayRule(denying.rule);
  const message = {
    en: `${skill.name} needs ${tool}, which is denied (${denying.layer}: ${rule.en})`,
    zh: `${skill.name} 需要 ${tool}，但已被拒绝（${denying.layer}: ${rule.zh}）`,
  };
  const command = `skillwright explain ${typedWord(skill.name)} ${tool}`;
  const fix =
    denying.layer === 'role'
      ? { en: `add ${tool} to allowed_tools`, zh: `在 allowed_tools 中加入 ${tool}` }
      : { en: `${command} says why`, zh: `${command} 说明原因` };
  return [say(role, 'tool-denied', 'error', message, fix, skillLine(role, skill))];
}

function lintSecrets(role: Role, skill: SkillEntry, { env }: LintPlace): Diagnostic[] {
  const { name, manifest } = skill;
  return (manifest.secrets ?? []).flatMap((secret) => {
    const problem = whyNotSecret(secret, env);
    if (!problem) return [];
    const message = { en: `${name}: ${problem.message.en}`, zh: `${name}: ${problem.message.zh}` };
    return [say(role, problem.code, 'warning', message, problem.fix, skillLine(role, skill))];
  });
}

interface Problem {
  readonly code: string;
  readonly message: Text;
  readonly fix: Text;
}

function whyNotSecret(secret: string, env: Door['env']): Problem | undefined {
  try {
    if (readSecret(secret, env)) return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const file = env[`${secret}_FILE`];
    const message = {
      en: `the file of secret ${secret} cannot be read: ${file}`,
      zh: `密钥 ${secret} 的文件无法读取: ${file}`,
    };
    return { code: 'secret-unreadable', message, fix: error.hint };
  }
  return {
    code: 'secret-missing',
    message: { en: `secret ${secret} is not set here`, zh: `本机未设置密钥 ${secret}` },
    fix: {
      en: `set ${secret}, or ${secret}_FILE to the path of a file`,
      zh: `请设置 ${secret}，或将 ${secret}_FILE 设为文件路径`,
    },
  };
}

/** Compares the skill, the action and the parameters a schedule names with what exists. */
function lintTarget(role: Role, { id, target, entry }: Schedule, place: LintPlace): Diagnostic[] {
  if ('prompt' in target) return [];
  const skill = skillOfTarget(role, target.skill, place.installed);
  const line = scheduleLine(role, entry);
  const wrong = (code: string, { en, zh }: Text, fix: Text) => [
    say(role, code, 'error', { en: `schedule ${id}: ${en}`, zh: `定时任务 ${id}: ${zh}` }, fix, line),
  ];
  if (!skill) {
    const message = { en: `there is no skill ${target.skill}`, zh: `没有技能 ${target.skill}` };
    return wrong('skill-unknown', message, offer(target.skill, role.skills));
  }
  if (skill.kind === 'command' && target.action === '') return [];
  if (skill.kind !== 'protocol') {
    const message = {
      en: `${target.skill} is a ${skill.kind} skill and has no actions`,
      zh: `${target.skill} 是 ${skill.kind} 类技能，没有操作`,
    };
    return wrong('skill-kind', message, { en: 'use a prompt that names it', zh: '请改用提及它的提示词' });
  }
  if (target.action === '')
    return wrong(
      'schedule-target',
      { en: 'action is missing', zh: '缺少 action' },
      { en: 'add action', zh: '请加上 action' },
    );
  const declared = skill.manifest.actions ?? [];
  const action = declared.find(({ name }) => name === target.action);
  if (!action && declared.length > 0 && !AUTOMATIC_ACTIONS.includes(target.action))
    return wrong(
      'action-unknown',
      { en: `there is no action ${target.action}`, zh: `没有操作 ${target.action}` },
      offer(target.action, declared),
    );
  const problem = action && whyNotParams(action.params, target);
  return problem ? wrong('params-invalid', problem, { en: 'correct params', zh: '请修正 params' }) : [];
}

function whyNotParams(declared: Parameters<typeof checkValues>[0], { params }: SkillTarget): Text | undefined {
  try {
    const names = declared.map(({ name }) => name);
    if (names.length > 0) refuseUnknown(Object.keys(params), names);
    checkValues(declared, params as Record<string, Json>);
  } catch (error) {
    if (error instanceof Fault) return error.sentence;
    throw error;
  }
  const missing = declared.filter(
    ({ name, required, default: usual }) => required && usual === undefined && !(name in params),
  );
  const names = missing.map(({ name }) => name).join(', ');
  return missing.length > 0 ? { en: `params lack ${names}`, zh: `params 缺少 ${names}` } : undefined;
}

/** The same work at the same times under two names would run twice. */
function lintRepeated(role: Role, schedules: readonly Schedule[]): Diagnostic[] {
  const same = Map.groupBy(schedules, ({ when, timezone, target }) => canonicalJson({ when, timezone, target }));
  return [...same.values()].flatMap(([first, ...others]) =>
    others.map(({ id, entry }) =>
      say(
        role,
        'job-twice',
        'warning',
        { en: `schedule ${id} does the same as ${first?.id}`, zh: `定时任务 ${id} 与 ${first?.id} 相同` },
        { en: 'remove one of them', zh: '请删除其中之一' },
        scheduleLine(role, entry),
      ),
    ),
  );
}

/** A scheduled run has nobody to ask: what it needs must be granted before. */
function lintGrants(role: Role, schedules: readonly Schedule[], place: LintPlace): Diagnostic[] {
  const said = new Set<string>();
  return schedules.flatMap(({ target, entry }) => {
    const need = 'prompt' in target ? undefined : needOf(role, target, place);
    if (need === undefined || need.state === 'granted' || said.has(need.command)) return [];
    said.add(need.command);
    const fix = { en: need.command, zh: need.command };
    return [say(role, `grant-${need.state}`, 'warning', whyWaiting(need), fix, scheduleLine(role, entry))];
  });
}

/** What its code could reach and no longer can: the action still runs, and finds less than it was given. */
function lintReach(role: Role, schedules: readonly Schedule[], place: LintPlace): Diagnostic[] {
  const said = new Set<string>();
  return schedules.flatMap(({ target, entry }) => {
    const skill = 'prompt' in target ? undefined : skillOfTarget(role, target.skill, place.installed);
    const lost = skill?.kind === 'protocol' && !('prompt' in target) && reachNeed(skill, target, place).lost;
    if (!lost || said.has(lost.grant.id)) return [];
    said.add(lost.grant.id);
    const { kind, says, command } = reachLost(lost);
    return [say(role, kind, 'warning', says, { en: command, zh: command }, scheduleLine(role, entry))];
  });
}

function needOf(role: Role, target: SkillTarget, place: LintPlace): GrantNeed | undefined {
  const skill = skillOfTarget(role, target.skill, place.installed);
  return skill?.kind === 'protocol' ? grantNeed(role, skill, target, place) : undefined;
}

function offer(word: string, there: readonly { readonly name: string }[]): Text {
  const names = there.map(({ name }) => name);
  const [near] = nearest(word, names);
  if (near !== undefined) return { en: `did you mean ${near}?`, zh: `您是否想写 ${near}？` };
  const list = names.join(', ');
  return { en: `there is: ${list || 'none'}`, zh: `现有: ${list || '无'}` };
}

function say(
  { file }: Role,
  code: string,
  severity: Severity,
  message: Text,
  fix: Text,
  line?: number | undefined,
): Diagnostic {
  const place = { path: file, ...(line !== undefined && { line }) };
  return diagnose({ code, severity, ...place, message: shown(message), fix: shown(fix) });
}

function scheduleLine({ lines }: Role, entry: number | undefined): number | undefined {
  return entry === undefined ? undefined : lines.schedule[entry];
}

function skillLine({ lines, name, skills }: Role, skill: SkillEntry): number | undefined {
  return lines.skills[skills.findIndex((one) => `${name}/${one.name}` === skill.name)];
}

function shown({ en, zh }: Text): Text {
  return { en: visible(en), zh: visible(zh) };
}
