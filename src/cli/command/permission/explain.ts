// `explain`: what policy says about a call and which rule of each layer said so, without doing anything.

import { explainCall } from '../../../app/explain/explain.ts';
import { describeExplainedReach } from '../../../app/explain/reach.ts';
import { explainServerTool } from '../../../app/explain/server-tool.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, type Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { typedWord } from '../../../base/text/shell-word.ts';
import { nearest, visible } from '../../../base/text.ts';
import type { PolicyDecision } from '../../../policy/policy.ts';
import { TOOL_NAMES } from '../../../tools/list.ts';
import { readAssignments } from '../../frame/assignment.ts';
import { type Command, isOn, type Reply, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';

export const command: Command = {
  about: {
    en: 'The strictest layer decides. Nothing is run; put -- before arguments that begin with a dash.',
    zh: '以最严格的一层为准。不会执行任何操作；以短横线开头的参数前请加 --。',
  },
  positionals: [
    {
      name: 'skill',
      required: true,
      skill: true,
      summary: { en: 'whose call it would be, or a tool of an MCP server', zh: '发起调用的技能，或 MCP 服务器的工具' },
    },
    {
      name: 'tool',
      summary: {
        en: `${TOOL_NAMES.join(', ')}, or what another agent calls it`,
        zh: `${TOOL_NAMES.join('、')}，或其他智能体所用的名称`,
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
  ],
  examples: [
    'skillwright explain pdf run_script scripts/fill.py',
    'skillwright explain mcp:files/search',
    'skillwright explain git-helper run_command -- git log --oneline',
    'skillwright explain dev_efficiency_analyst/build_analysis run_script build_analysis.py daily_briefing',
    'skillwright explain pdf write_file notes.md --role editor --json',
  ],
  async run({ positionals, options, runtime }) {
    const [written = '', tool, ...words] = positionals;
    if (tool === undefined) return ofServerTool(written, textOption(options, 'role'), runtime);
    const { skill, role, decision, layers, grant, tier, reach, ...explained } = await explainCall(
      {
        skill: written,
        source: textOption(options, 'source'),
        role: textOption(options, 'role'),
        tool,
        words,
        params: Object.fromEntries(readAssignments(words.slice(2)).values),
        network: isOn(options, 'network'),
      },
      runtime,
    );
    const [verdict = '', ...lines] = explained.lines;
    const { risk, onlyGrant } = decision;
    const data = {
      skill: skill.skillId,
      tool: decision.tool ?? tool,
      role: role?.name ?? null,
      effect: explained.effect,
      risk,
      layers,
      grant: grant?.id ?? null,
      tier: tier ?? null,
      ...describeExplainedReach(reach, (text) => inLanguage(text, runtime.language)),
      ...(onlyGrant && { only_grant: onlyGrant }),
    };
    const summary = visible(`${skill.name} ${decision.tool ?? tool}: ${verdict}`);
    const hint = hintFor(tool, decision, explained.isUntried)?.[runtime.language];
    const by = runtime.answering('skillwright', 'own');
    return {
      outcome: decision.tool ? makeOutcome(by, 'success', summary, data) : failedOutcome(by, unknownTool(tool), data),
      human: lines.join('\n'),
      ...(hint !== undefined && { hint }),
    };
  },
};

/** A tool of a server needs no skill that asks for it. */
function ofServerTool(written: string, role: string | undefined, runtime: Runtime): Reply {
  const verdict = explainServerTool(written, role, runtime);
  if (!verdict) throw missingTool(written);
  const { name, decision, layers, grant, effect, lines } = verdict;
  const [said = '', ...below] = lines;
  const { risk } = decision;
  const data = { tool: name, role: role ?? null, effect, risk, layers, grant: grant?.id ?? null };
  const by = runtime.answering('skillwright', 'own');
  return {
    outcome: makeOutcome(by, 'success', visible(`${name}: ${said}`), data),
    human: below.join('\n'),
    ...(grant && { hint: inLanguage(WHILE_UNCHANGED, runtime.language) }),
  };
}

const WHILE_UNCHANGED: Text = {
  en: 'The grant is for the tool as its server defined it when it was given.',
  zh: '授权仅适用于给予时服务器对该工具的定义。',
};

function missingTool(skill: string): Fault {
  const example = `skillwright explain ${typedWord(skill)} run_script`;
  return new Fault(
    'Usage',
    { en: 'missing argument: <tool>', zh: '缺少参数: <tool>' },
    {
      hint: {
        en: `Tools: ${TOOL_NAMES.join(', ')}; for example \`${example}\`.`,
        zh: `工具: ${TOOL_NAMES.join('、')}；例如 \`${example}\`。`,
      },
    },
  );
}

function unknownTool(name: string): Fault {
  const shown = visible(name);
  return new Fault('Usage', { en: `unknown tool: ${shown}`, zh: `未知工具: ${shown}` });
}

function hintFor(tool: string, decision: PolicyDecision, isUntried: boolean): Text | undefined {
  if (decision.tool === undefined) {
    const near = nearest(tool, TOOL_NAMES).join(', ');
    return near === '' ? undefined : { en: `Did you mean ${near}?`, zh: `您是否想输入 ${near}？` };
  }
  if (!isUntried) return undefined;
  return {
    en: 'The sandbox of this machine has not been tried yet; `skillwright doctor` does it.',
    zh: '尚未检测本机沙箱；运行 `skillwright doctor` 检测。',
  };
}
