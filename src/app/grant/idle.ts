// What keeps a new grant from helping, here and now.
import path from 'node:path';
import type { Text } from '../../base/language.ts';
import { judgedCall } from '../../door/judged-call.ts';
import { hostsDoNotCount } from '../../policy/consent/say-reach.ts';
import { decide } from '../../policy/decide.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import type { AskedCall } from '../../policy/policy.ts';
import { sayRule } from '../../policy/rule.ts';
import { isAtLeast, OWN_NETWORK, type Tier } from '../../policy/tier.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { findTool, isExecuting, toolOf } from '../../tools/list.ts';
import { runCommand } from '../../tools/run-command.ts';
import { runScript } from '../../tools/run-script.ts';
import { runShell } from '../../tools/run-shell.ts';
import type { ToolName } from '../../tools/tool-name.ts';
import type { Runtime } from '../runtime.ts';
import type { Grantee } from './grantee.ts';

export async function whyOfNoUse(grant: Grant, { skill, role }: Grantee, runtime: Runtime): Promise<Text | undefined> {
  const call = exampleCall(grant, skill, runtime.places.project);
  if (!call) return undefined;
  const { tool } = call;
  const decision = decide(await judgedCall(call), runtime.policyFor({ skills: [skill], ...(role && { role }) }));
  const denying = decision.layers.find(({ effect }) => effect === 'deny');
  if (denying) {
    const rule = sayRule(denying.rule);
    return { en: `Policy still denies it: ${rule.en}.`, zh: `策略仍会拒绝: ${rule.zh}。` };
  }
  if (!isExecuting(findTool(tool) ?? runScript.name)) return undefined;
  if (skill.manifest.network && !grant.network && !['shell', 'code'].includes(grant.target.kind))
    return {
      en: 'The skill declares that it needs the network, so its calls are still asked about; --network would cover them.',
      zh: '该技能声明需要网络，其调用仍会询问；使用 --network 才能覆盖。',
    };
  const { tier } = await runtime.sandbox();
  if (isAtLeast(tier, grant.tier)) return hostsAt(tier, grant);
  return {
    en: `The sandbox of this machine is ${tier}, so the grant does not apply here; --tier ${tier} would.`,
    zh: `本机沙箱为 ${tier}，此授权在此无效；使用 --tier ${tier} 才有效。`,
  };
}

function hostsAt(tier: Tier, { reach }: Grant): Text | undefined {
  return reach && reach.hosts.length > 0 && !isAtLeast(tier, OWN_NETWORK) ? hostsDoNotCount(tier) : undefined;
}

function exampleCall({ target, network }: Grant, skill: SkillEntry, project: string): AskedCall | undefined {
  switch (target.kind) {
    case 'action':
      return { tool: runScript.name, script: skill.manifest.entry ?? '', network };
    case 'script':
      return { tool: runScript.name, script: target.script, argv: target.words, network };
    case 'command':
      return { tool: runCommand.name, argv: target.words, network };
    case 'shell':
      return { tool: runShell.name, shell: target.script };
    case 'tool':
      return { tool: target.tool, ...exampleOf(target.tool, target.pattern, project) };
    case 'code':
      return { tool: runScript.name, script: skill.manifest.entry ?? '', network };
    case 'any':
    case 'outside':
      return undefined;
  }
}

/** Something the pattern covers, as far as a list of tools is concerned. */
function exampleOf(tool: ToolName, pattern: string, project: string): Pick<AskedCall, 'script' | 'paths' | 'url'> {
  const { about, paths } = toolOf(tool);
  if (about === 'address') return { url: `https://${pattern.replace(/^domain:/, '').replace(/^\*\./, '')}/` };
  const plain = pattern.replaceAll('**', 'x').replaceAll('*', 'x');
  if (about === 'script') return { script: plain };
  return { paths: Object.fromEntries(paths.map(({ name }) => [name, path.resolve(project, plain)])) };
}
