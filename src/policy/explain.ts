// Why a call is allowed, asked about or denied, layer by layer, for a person to read.
import { inLanguage, type Language, type Text } from '../base/language.ts';
import { displayWidth, padEnd, visible } from '../base/text.ts';
import type { AskedCall, Decision, Effect } from './policy.ts';
import { findTool, isExecuting } from './tool.ts';

const EFFECT_TEXT: Record<Effect, Text> = {
  allow: { en: 'allow', zh: '允许' },
  ask: { en: 'ask', zh: '需批准' },
  deny: { en: 'deny', zh: '拒绝' },
};

const LAYER_TEXT: Record<Decision['layers'][number]['layer'], Text> = {
  tools: { en: 'tools', zh: '工具' },
  state: { en: 'own state', zh: '自身状态' },
  global: { en: 'user settings', zh: '用户配置' },
  project: { en: 'project settings', zh: '项目配置' },
  role: { en: 'role', zh: '角色' },
  skill: { en: 'skill', zh: '技能' },
  runtime: { en: 'this run', zh: '本次运行' },
  sandbox: { en: 'sandbox', zh: '沙箱' },
};

/** The words after the tool name on the command line, as the arguments that tool takes. */
export function callFromWords(tool: string, words: readonly string[]): AskedCall {
  const known = findTool(tool);
  const [first, ...rest] = words;
  if (first === undefined) return { tool };
  if (known === 'run_command') return { tool, argv: words };
  if (known === 'network_request') return { tool, url: first };
  return known && isExecuting(known) ? { tool, path: first, argv: rest } : { tool, path: first };
}

export function explainLines(decision: Decision, language: Language): string[] {
  const say = (text: Text): string => inLanguage(text, language);
  const names = decision.layers.map(({ layer }) => say(LAYER_TEXT[layer]));
  const effects = decision.layers.map(({ effect }) => say(EFFECT_TEXT[effect]));
  const nameWidth = Math.max(...names.map(displayWidth));
  const rows = decision.layers.map(
    ({ rule }, index) =>
      `  ${padEnd(names[index] ?? '', nameWidth)}  ${padEnd(effects[index] ?? '', 6)}  ${visible(rule)}`,
  );
  const risk = { en: `risk ${decision.risk}`, zh: `风险 ${decision.risk}` };
  return [`${say(EFFECT_TEXT[decision.effect])} (${say(risk)})`, ...rows, ...advice(decision, say)];
}

function advice(decision: Decision, say: (text: Text) => string): string[] {
  if (decision.effect !== 'ask') return [];
  if (decision.onlyGrant) {
    const text = {
      en: `Only a grant that names ${decision.onlyGrant} lets it run: skillwright grants add`,
      zh: `仅当授权写明 ${decision.onlyGrant} 时才会运行：skillwright grants add`,
    };
    return [say(text)];
  }
  return [say({ en: 'A person is asked, or a grant answers.', zh: '将询问用户，或由授权决定。' })];
}
