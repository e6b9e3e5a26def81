// `explain`: what policy says about a call and which rule of each layer said so, without doing anything.
import path from 'node:path';
import { withFileGuard } from '../../../app/explain/file-guard.ts';
import { hasNoSettings, nameGrant, standingFor } from '../../../app/explain/standing-grant.ts';
import { findSkill } from '../../../app/find-skill.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { realPath } from '../../../base/paths.ts';
import { nearest, visible } from '../../../base/text.ts';
import { decide } from '../../../policy/decide.ts';
import { callFromWords, effectWith, explainLines } from '../../../policy/explain.ts';
import type { Allowance, AskedCall, PolicyDecision } from '../../../policy/policy.ts';
import { readRole, roleAllowance } from '../../../policy/role.ts';
import { recallTier } from '../../../process/sandbox/sandbox.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import { findTool, isExecuting, TOOLS } from '../../../tools/tool.ts';
import { type Command, isOn, type OptionValues, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';

export const command: Command = {
  about: {
    en: 'The strictest layer decides. Nothing is run; put -- before arguments that begin with a dash.',
    zh: '以最严格的一层为准。不会执行任何操作；以短横线开头的参数前请加 --。',
  },
  positionals: [
    { name: 'skill', required: true, skill: true, summary: { en: 'whose call it would be', zh: '发起调用的技能' } },
    {
      name: 'tool',
      summary: {
        en: `${TOOLS.join(', ')}, or what another agent calls it`,
        zh: `${TOOLS.join('、')}，或其他智能体所用的名称`,
      },
    },
    {
      name: 'args',
      many: true,
      summary: {
        en: 'the words of the command, the script and its words, the path or the address',
        zh: '命令的各个词、脚本及其参数、路径或网址',
      },
    },
  ],
  options: [
    {
      name: 'role',
      value: 'ROLE',
      summary: { en: 'as this role of agents/ would ask', zh: '以 agents/ 中的此角色发起' },
    },
    SOURCE,
    { name: 'network', summary: { en: 'the call also wants the network', zh: '调用还需要网络' } },
    { name: 'writes', summary: { en: 'the call also wants to write into the project', zh: '调用还需要写入项目' } },
  ],
  examples: [
    'skillwright explain pdf run_script scripts/fill.py',
    'skillwright explain git-helper run_command -- git log --oneline',
    'skillwright explain dev_efficiency_analyst/build_analysis run_script build_analysis.py daily_briefing',
    'skillwright explain pdf write_file notes.md --role editor --json',
  ],
  async run({ positionals, options, runtime }) {
    runtime.requireConfig();
    const [written = '', tool, ...words] = positionals;
    if (tool === undefined) throw missingTool(written);
    const { skill, role } = await findCaller(written, options, runtime);
    const tier = recallTier({ cacheFolder: runtime.sandboxFolder });
    const policy = runtime.policyFor({ skills: [skill], ...(role && { role }), ...(tier && { tier }) });
    const asked = askedCall(callFromWords(tool, words), skill, options, runtime);
    const decision = withFileGuard(decide(asked, policy), asked, runtime);
    const standing = decision.effect === 'ask' ? standingFor(asked, skill, tier, runtime) : {};
    const around = {
      isDefault: hasNoSettings(runtime.config.executionLayers.user),
      ...(standing.grant && { grant: nameGrant(standing.grant) }),
      ...(standing.voided && { voided: nameGrant(standing.voided) }),
    };
    const [verdict = '', ...lines] = explainLines(decision, runtime.language, around);
    const { risk, layers, onlyGrant } = decision;
    const data = {
      skill: skill.skillId,
      tool: decision.tool ?? tool,
      role: role?.name ?? null,
      effect: effectWith(decision, around),
      risk,
      layers,
      grant: standing.grant?.id ?? null,
      tier: tier ?? null,
      ...(onlyGrant && { only_grant: onlyGrant }),
    };
    const summary = visible(`${skill.name} ${decision.tool ?? tool}: ${verdict}`);
    const hint = hintFor(tool, decision, tier !== undefined)?.[runtime.language];
    const by = runtime.answering('skillwright', 'own');
    return {
      outcome: decision.tool ? makeOutcome(by, 'success', summary, data) : failedOutcome(by, unknownTool(tool), data),
      human: lines.join('\n'),
      ...(hint !== undefined && { hint }),
    };
  },
};

/** `role/skill` names a role's skill first, as `call` does, and that role asks unless another one is named. */
async function findCaller(written: string, options: OptionValues, { project, index }: Runtime): Promise<Caller> {
  const source = textOption(options, 'source');
  const roleName = textOption(options, 'role');
  const role = roleName === undefined ? undefined : readRole(project, roleName);
  if (source === undefined && written.includes('/')) {
    const { findRoleSkill } = await import('../../../registry/role/role.ts');
    const found = await findRoleSkill(project, written);
    if (found) return { skill: found.skill, role: role ?? roleAllowance(found.role) };
  }
  return { skill: findSkill(index(), written, source), role };
}

interface Caller {
  readonly skill: SkillEntry;
  readonly role: Allowance | undefined;
}

function missingTool(skill: string): Fault {
  const example = `skillwright explain ${visible(skill)} run_script`;
  return new Fault(
    'Usage',
    { en: 'missing argument: <tool>', zh: '缺少参数: <tool>' },
    {
      hint: {
        en: `Tools: ${TOOLS.join(', ')}; for example \`${example}\`.`,
        zh: `工具: ${TOOLS.join('、')}；例如 \`${example}\`。`,
      },
    },
  );
}

function unknownTool(name: string): Fault {
  const shown = visible(name);
  return new Fault('Usage', { en: `unknown tool: ${shown}`, zh: `未知工具: ${shown}` });
}

function askedCall(call: AskedCall, { manifest }: SkillEntry, options: OptionValues, { places }: Runtime): AskedCall {
  const tool = findTool(call.tool);
  const executes = tool !== undefined && isExecuting(tool);
  return {
    ...call,
    ...(!executes && call.path !== undefined && { path: whereItLeads(path.resolve(places.project, call.path)) }),
    // What a skill runs wants the network whenever the skill declares it.
    ...((isOn(options, 'network') || (executes && manifest.network)) && { network: true }),
    ...(isOn(options, 'writes') && { writes: true }),
  };
}

/** A file is judged by where its links lead; what does not exist yet, by the folder it would be made in. */
function whereItLeads(file: string): string {
  const real = realPath(file);
  if (real !== undefined || file === path.dirname(file)) return real ?? file;
  return path.join(whereItLeads(path.dirname(file)), path.basename(file));
}

function hintFor(tool: string, decision: PolicyDecision, isTierKnown: boolean): Text | undefined {
  if (decision.tool === undefined) {
    const near = nearest(tool, TOOLS).join(', ');
    return near === '' ? undefined : { en: `Did you mean ${near}?`, zh: `您是否想输入 ${near}？` };
  }
  if (isTierKnown || !isExecuting(decision.tool)) return undefined;
  return {
    en: 'The sandbox of this machine has not been tried yet; `skillwright doctor` does it.',
    zh: '尚未检测本机沙箱；运行 `skillwright doctor` 检测。',
  };
}
