// The effects of a project's settings as people read them and as `--json` carries them.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { ProjectEffect } from '../../config/effect.ts';

const MEANINGS: Readonly<Record<string, Text>> = {
  skill_roots: { en: 'skills are read from there', zh: '从该处读取技能' },
  output_folder: { en: 'skills write their results there', zh: '技能将结果写入该处' },
  model: { en: 'who reads requests and decides', zh: '由谁读取请求并决策' },
  execution: { en: 'which tools ask or are denied', zh: '哪些工具需询问或被拒绝' },
  security: { en: 'how skills are inspected', zh: '如何检查技能' },
  limits: { en: 'what a script may use up', zh: '脚本可用的资源' },
  budgets: { en: 'what a run may use up', zh: '一次运行的预算' },
  interpreters: { en: 'what may execute scripts', zh: '可执行脚本的解释器' },
  runtimes: { en: 'scripts use the packages there', zh: '脚本使用该处的软件包' },
  retention: { en: 'how long records are kept', zh: '记录保留多久' },
  interrupts: { en: 'who answers the questions of scripts', zh: '由谁回答脚本的提问' },
  store: { en: 'with whom jobs and results are shared', zh: '与谁共享任务与结果' },
  packs: { en: 'where packs of roles come from', zh: '角色包的来源' },
  labels: { en: 'which jobs this machine takes', zh: '本机承接哪些任务' },
};

export function describeEffect({ setting, value, instead, counts, why }: ProjectEffect) {
  return { setting, value, instead_of: instead ?? null, counts, ...(why && { why: why.en }) };
}

export function renderEffects(effects: readonly ProjectEffect[], trusted: boolean, language: Language): string[] {
  return effects.map((effect) => {
    const meaning = MEANINGS[effect.setting.split('.', 1)[0] ?? ''];
    const about = meaning ? ` (${inLanguage(meaning, language)})` : '';
    const instead =
      effect.instead === undefined ? '' : `${{ en: ', not ', zh: '，而非 ' }[language]}${show(effect.instead)}`;
    const state = inLanguage(stateOf(effect, trusted), language);
    return `  ${visible(effect.setting)}: ${show(effect.value)}${instead}${about}; ${state}`;
  });
}

const NONE: Text = { en: '', zh: '' };

function stateOf({ counts, why = NONE }: ProjectEffect, trusted: boolean): Text {
  if (counts === 'never') return { en: `never used: ${visible(why.en)}`, zh: `从不采用: ${visible(why.zh)}` };
  if (counts === 'now' || trusted) return { en: 'in force', zh: '生效' };
  return { en: 'in force once trusted', zh: '受信任后生效' };
}

const LONGEST = 120;

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text);
}
