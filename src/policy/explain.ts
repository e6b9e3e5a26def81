// Why a call is allowed, asked about or denied, layer by layer, for a person to read.
import { inLanguage, type Language, type Text } from '../base/language.ts';
import { displayWidth, padEnd, visible } from '../base/text.ts';
import { findTool, toolOf } from '../tools/list.ts';
import { readServerToolName, remoteName, serverTool } from '../tools/server-tool.ts';
import type { AskedCall, Effect, PolicyDecision } from './policy.ts';
import { sayRule } from './rule.ts';

const EFFECT_TEXT: Record<Effect, Text> = {
  allow: { en: 'allow', zh: '允许' },
  ask: { en: 'ask', zh: '需批准' },
  deny: { en: 'deny', zh: '拒绝' },
};

const LAYER_TEXT: Record<PolicyDecision['layers'][number]['layer'], Text> = {
  tools: { en: 'tools', zh: '工具' },
  state: { en: 'own state', zh: '自身状态' },
  files: { en: 'file guard', zh: '文件防护' },
  global: { en: 'user settings', zh: '用户配置' },
  project: { en: 'project settings', zh: '项目配置' },
  role: { en: 'role', zh: '角色' },
  skill: { en: 'skill', zh: '技能' },
  runtime: { en: 'this run', zh: '本次运行' },
  sandbox: { en: 'sandbox', zh: '沙箱' },
};

const RISK_TEXT: Record<PolicyDecision['risk'], Text> = {
  low: { en: 'risk low', zh: '风险低' },
  medium: { en: 'risk medium', zh: '风险中' },
  high: { en: 'risk high', zh: '风险高' },
};

const DEFAULT_SETTINGS: Text = { en: 'default settings', zh: '默认配置' };

/** The words after the tool name on the command line, as the arguments that tool takes. */
export function callFromWords(tool: string, words: readonly string[]): AskedCall {
  const remote = readServerToolName(tool);
  if (remote) return { tool: serverTool.name, remote: remoteName(remote) };
  const known = findTool(tool);
  const [first, ...rest] = words;
  if (!known || first === undefined) return { tool };
  const { about, paths } = toolOf(known);
  switch (about) {
    case 'command':
      return { tool, argv: words };
    case 'shell':
      return { tool, shell: words.join(' ') };
    case 'address':
      return { tool, url: first };
    case 'script':
      return { tool, script: first, argv: rest };
    case 'server':
      return { tool, remote: first };
    case 'files':
      return {
        tool,
        paths: Object.fromEntries(paths.flatMap(({ name }, at) => (words[at] ? [[name, words[at]]] : []))),
      };
  }
}

/** What else bears on the answer. */
export interface Circumstances {
  /** The user has set nothing of their own. */
  readonly isDefault?: boolean;
  /** What a standing permission covers, in words. */
  readonly grant?: string;
  /** The same of one that no longer counts, because the files changed. */
  readonly voided?: string;
}

export function explainLines(decision: PolicyDecision, language: Language, around: Circumstances = {}): string[] {
  const say = (text: Text): string => inLanguage(text, language);
  const nameOf = (layer: keyof typeof LAYER_TEXT): string =>
    say(layer === 'global' && around.isDefault ? DEFAULT_SETTINGS : LAYER_TEXT[layer]);
  const names = decision.layers.map(({ layer }) => nameOf(layer));
  const effects = decision.layers.map(({ effect }) => say(EFFECT_TEXT[effect]));
  const nameWidth = Math.max(...names.map(displayWidth));
  const rows = decision.layers.map(
    ({ rule }, index) =>
      `  ${padEnd(names[index] ?? '', nameWidth)}  ${padEnd(effects[index] ?? '', 6)}  ${visible(say(sayRule(rule)))}`,
  );
  const effect = effectWith(decision, around);
  return [`${say(EFFECT_TEXT[effect])} (${say(RISK_TEXT[decision.risk])})`, ...rows, ...advice(decision, around, say)];
}

/** A grant answers what policy asks; it never overrides a refusal. */
export function effectWith({ effect, onlyPerson }: PolicyDecision, { grant }: Circumstances): Effect {
  return effect === 'ask' && !onlyPerson && grant !== undefined ? 'allow' : effect;
}

function advice(decision: PolicyDecision, { grant, voided }: Circumstances, say: (text: Text) => string): string[] {
  if (decision.effect !== 'ask') return [];
  if (decision.onlyPerson)
    return [
      say({
        en: 'A person is asked each time: neither --yes nor a grant answers.',
        zh: '每次都会询问用户: --yes 与授权均不能代答。',
      }),
    ];
  if (grant !== undefined) {
    const shown = visible(grant);
    return [say({ en: `A grant answers: ${shown}.`, zh: `由授权决定: ${shown}。` })];
  }
  if (voided !== undefined) {
    const shown = visible(voided);
    return [
      say({
        en: `A person is asked: the grant ${shown} no longer counts, because the files changed.`,
        zh: `将询问用户: 授权 ${shown} 因文件更改而失效。`,
      }),
    ];
  }
  if (decision.onlyGrant) {
    const text = {
      en: `Only a grant that names ${decision.onlyGrant} lets it run: skillwright grants add`,
      zh: `仅当授权写明 ${decision.onlyGrant} 时才会运行：skillwright grants add`,
    };
    return [say(text)];
  }
  return [say({ en: 'A person is asked, or a grant answers.', zh: '将询问用户，或由授权决定。' })];
}
