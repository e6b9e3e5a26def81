// The rules by which layers of policy decide: what each is about, and its words.
import type { Text } from '../base/language.ts';
import type { ToolName } from '../tools/tool-name.ts';
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
  | { readonly kind: 'reading' }
  | { readonly kind: 'no-approval'; readonly tool: ToolName }
  | { readonly kind: 'adds-nothing' }
  /** `list` is whose list of tools it is. */
  | { readonly kind: 'network-undeclared'; readonly list: string }
  | { readonly kind: 'no-list'; readonly list: string }
  | { readonly kind: 'listed'; readonly list: string; readonly entry: string }
  | { readonly kind: 'not-listed'; readonly list: string; readonly tool: ToolName; readonly where: string }
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
      return sayListRule(rule);
    case 'grant-required':
    case 'daemons-survive':
    case 'confined':
      return sayTierRule(rule);
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

function sayListRule(rule: RuleOf<'network-undeclared' | 'no-list' | 'listed' | 'not-listed'>): Text {
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

type SettingRule = RuleOf<
  | 'denied'
  | 'not-enabled'
  | 'denied-by-default'
  | 'result'
  | 'own-command'
  | 'approval-required'
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
