// The rules by which layers of policy decide: what each is about, and its words.
import { sameInAll, type Text } from '../base/language.ts';
import type { ToolName } from '../tools/tool-name.ts';
import type { EffectsOnly, Outside } from './asking.ts';
import type { Tier } from './tier.ts';

export type PolicyRule =
  | { readonly kind: 'unknown-tool'; readonly name: string }
  | { readonly kind: 'own-state' }
  /** The guard of the file tools refuses a path, whatever policy says. */
  | { readonly kind: 'closed-path'; readonly why: Text }
  /** Other tools obey what would be changed. */
  | { readonly kind: 'guarded-path'; readonly path: string; readonly by: Text }
  | { readonly kind: 'no-tool' }
  | { readonly kind: 'denied'; readonly tool: ToolName }
  | { readonly kind: 'not-enabled'; readonly tool: ToolName }
  | { readonly kind: 'denied-by-default' }
  | { readonly kind: 'result' }
  | { readonly kind: 'own-command' }
  | { readonly kind: 'approval-required'; readonly tool: ToolName }
  /** People are asked about effects only: it has none beyond the layer, or what it has. */
  | { readonly kind: 'inside'; readonly by: EffectsOnly; readonly tier?: Tier }
  | { readonly kind: 'outside'; readonly by: EffectsOnly; readonly why: Outside }
  | { readonly kind: 'each' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'no-approval'; readonly tool: ToolName }
  | { readonly kind: 'adds-nothing' }
  /** `list` is whose list of tools it is. */
  | { readonly kind: 'network-undeclared'; readonly list: string }
  | { readonly kind: 'no-list'; readonly list: string }
  | { readonly kind: 'listed'; readonly list: string; readonly entry: string }
  | { readonly kind: 'not-listed'; readonly list: string; readonly tool: ToolName; readonly where: string }
  /** An entry speaks of it, and what it would run cannot be told. */
  | { readonly kind: 'not-judged'; readonly list: string; readonly tool: ToolName; readonly where: string }
  /** Absent for what has no name that a list could hold. */
  | { readonly kind: 'program-unlisted'; readonly program?: string | undefined }
  | { readonly kind: 'grant-required'; readonly tier: Tier }
  | { readonly kind: 'daemons-survive'; readonly tier: Tier }
  | { readonly kind: 'confined'; readonly tier: Tier };

/** Names and fields stay as they are in every language. */
export function sayRule(rule: PolicyRule): Text {
  switch (rule.kind) {
    case 'unknown-tool':
      return { en: `unknown tool: ${rule.name}`, zh: `未知工具: ${rule.name}` };
    case 'own-state':
      return { en: "Skillwright's own state", zh: 'Skillwright 自身的状态' };
    case 'closed-path':
      return rule.why;
    case 'guarded-path':
      return sayObeyed(rule);
    case 'no-tool':
      return { en: 'no tool', zh: '没有工具' };
    case 'program-unlisted':
      return sayProgramRule(rule);
    case 'network-undeclared':
    case 'no-list':
    case 'listed':
    case 'not-listed':
    case 'not-judged':
      return sayListRule(rule);
    case 'grant-required':
    case 'daemons-survive':
    case 'confined':
      return sayTierRule(rule);
    case 'inside':
    case 'outside':
      return sayEffectsRule(rule);
    default:
      return saySetting(rule);
  }
}

/** The same words in a decision and in the question. */
export function sayObeyed({ path, by }: { readonly path: string; readonly by: Text }): Text {
  return { en: `${path} is obeyed by ${by.en}`, zh: `${path} 会被${by.zh}执行或遵循` };
}

type RuleOf<Kind extends PolicyRule['kind']> = Extract<PolicyRule, { kind: Kind }>;

function sayProgramRule({ program }: RuleOf<'program-unlisted'>): Text {
  const name = program === undefined ? { en: 'what it starts', zh: '所启动的程序' } : { en: program, zh: program };
  return { en: `execution.programs does not list ${name.en}`, zh: `execution.programs 未列出 ${name.zh}` };
}

function sayListRule(rule: RuleOf<'network-undeclared' | 'no-list' | 'listed' | 'not-listed' | 'not-judged'>): Text {
  const { list } = rule;
  switch (rule.kind) {
    case 'network-undeclared':
      return { en: `${list}: network is not declared`, zh: `${list}: 未声明 network` };
    case 'no-list':
      return { en: `${list}: no allowed-tools, no restriction`, zh: `${list}: 没有 allowed-tools，不作限制` };
    case 'listed':
      return { en: `${list}: allowed-tools lists ${rule.entry}`, zh: `${list}: allowed-tools 列有 ${rule.entry}` };
    case 'not-listed': {
      const what = `${rule.tool}${rule.where}`;
      return { en: `${list}: allowed-tools does not cover ${what}`, zh: `${list}: allowed-tools 不包括 ${what}` };
    }
    case 'not-judged': {
      const what = `${rule.tool}${rule.where}`;
      return { en: `${list}: cannot be judged: ${what}`, zh: `${list}: 无法判断: ${what}` };
    }
  }
}

function sayTierRule({ kind, tier }: RuleOf<'grant-required' | 'daemons-survive' | 'confined'>): Text {
  switch (kind) {
    case 'grant-required':
      return { en: `${tier}: needs a grant that names ${tier}`, zh: `${tier}: 需要写明 ${tier} 的授权` };
    case 'daemons-survive':
      return { en: `${tier}: daemons may survive`, zh: `${tier}: 守护进程可能残留` };
    case 'confined':
      return { en: tier, zh: tier };
  }
}

const CHOSEN: Record<EffectsOnly, Text> = {
  setting: sameInAll('execution.ask: effects'),
  option: sameInAll('--ask effects'),
  person: { en: 'effects only, as answered in this run', zh: '本次运行中已选择仅询问影响' },
};

const OUTSIDE: Record<Outside, Text> = {
  network: { en: 'it reaches the network', zh: '需访问网络' },
  hosts: { en: 'it reaches hosts that you consented to', zh: '会访问您同意的主机' },
  variables: { en: 'it gets variables of yours', zh: '会得到您的变量' },
  home: { en: 'it keeps a home of its own', zh: '保留自己的主目录' },
  device: { en: 'it gets a device', zh: '会得到设备' },
  program: { en: 'it runs a program from outside the system folders', zh: '会运行系统目录之外的程序' },
  finding: { en: 'content inspection found something grave in the skill', zh: '内容检查在技能中发现严重问题' },
  tier: { en: 'the sandbox is weaker than S2', zh: '沙箱弱于 S2' },
  output: { en: 'the output folder lies outside the project', zh: '输出目录位于项目之外' },
  server: { en: 'what a server of others does cannot be taken back', zh: '其他服务器的操作无法撤销' },
  'no-layer': { en: 'it would change the project at once', zh: '会立即更改项目' },
};

/** Why somebody is asked who wanted to be asked about effects only. */
export function sayOutside(why: Outside): Text {
  const { en, zh } = OUTSIDE[why];
  return { en: `Asked about because ${en}.`, zh: `询问原因: ${zh}。` };
}

function sayEffectsRule(rule: RuleOf<'inside' | 'outside'>): Text {
  const chosen = CHOSEN[rule.by];
  if (rule.kind === 'outside') {
    const why = OUTSIDE[rule.why];
    return { en: `${chosen.en}, but ${why.en}`, zh: `${chosen.zh}，但${why.zh}` };
  }
  const where = rule.tier === undefined ? { en: 'the layer', zh: '层' } : sameInAll(rule.tier);
  return {
    en: `${chosen.en}: it stays inside ${where.en}, what it changes is asked about together`,
    zh: `${chosen.zh}: 仅在${where.zh}内，更改将一并询问`,
  };
}

type SettingRule = RuleOf<
  | 'denied'
  | 'not-enabled'
  | 'denied-by-default'
  | 'result'
  | 'own-command'
  | 'approval-required'
  | 'each'
  | 'reading'
  | 'no-approval'
  | 'adds-nothing'
>;

function saySetting(rule: SettingRule): Text {
  switch (rule.kind) {
    case 'denied':
      return setting(`execution.denied: ${rule.tool}`);
    case 'not-enabled':
      return {
        en: `execution.default: deny, ${rule.tool} is not enabled`,
        zh: `execution.default: deny，${rule.tool} 未启用`,
      };
    case 'denied-by-default':
      return setting('execution.default: deny');
    case 'approval-required':
      return setting(`execution.require_approval_for: ${rule.tool}`);
    case 'each':
      return setting('execution.ask: each');
    case 'no-approval':
      return { en: `${rule.tool} needs no approval`, zh: `${rule.tool} 无需批准` };
    case 'result':
      return { en: 'writing to the output folder', zh: '写入输出目录' };
    case 'own-command':
      return { en: "a person's own command", zh: '用户自己的命令' };
    case 'reading':
      return { en: 'reading is allowed', zh: '允许读取' };
    case 'adds-nothing':
      return { en: 'adds nothing', zh: '无额外限制' };
  }
}

function setting(written: string): Text {
  return { en: written, zh: written };
}
