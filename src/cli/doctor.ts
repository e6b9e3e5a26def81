// `doctor`: every SKILL.md on disk with whether it is seen and why not, and whether this machine has what is needed.
import type { Diagnostic } from '../base/diagnostic.ts';
import { inLanguage, type Language, type Text } from '../base/language.ts';
import { makeOutcome } from '../base/outcome.ts';
import { paint, renderTable, type Terminal } from '../base/terminal.ts';
import { visible } from '../base/text.ts';
import { allDiagnostics, type Index, type InvalidSkill, type SkillEntry } from '../registry/discover.ts';
import type { Runtime } from '../runtime.ts';
import { type Command, isOn } from './command.ts';
import { renderDiagnostics, shortPath } from './diagnostic.ts';
import { type Check, checkMachine } from './machine.ts';

interface Verdict {
  readonly path: string;
  readonly visible: boolean;
  readonly why: string;
}

export const command: Command = {
  positionals: [],
  options: [
    { name: 'deep', summary: { en: 'also skills inside the folders of other skills', zh: '包括技能目录内嵌套的技能' } },
  ],
  examples: ['skillwright doctor'],
  async run({ options, runtime, terminal }) {
    const index = runtime.index({ deep: isOn(options, 'deep') });
    const skills = judgeSkills(index, runtime.language);
    const checks = checkMachine(runtime);
    const diagnostics = [...runtime.configDiagnostics, ...allDiagnostics(index)];
    const healthy =
      checks.every(({ ok, needed }) => ok || !needed) &&
      runtime.configDiagnostics.every(({ severity }) => severity !== 'error');
    const outcome = makeOutcome(
      runtime.answering('skillwright', 'own'),
      healthy ? 'success' : 'partial',
      summarize(skills, healthy),
      {
        skills,
        roots: index.roots,
        sandbox: { tier: null, not_enforced: [] },
        checks,
        trusted: runtime.trusted,
        diagnostics,
      },
    );
    return { outcome, human: renderReport(skills, index, checks, diagnostics, runtime, terminal) };
  },
};

function judgeSkills({ skills, invalid }: Index, language: Language): Verdict[] {
  const good = skills.map((skill) => ({
    path: skill.file,
    visible: skill.state === 'visible',
    why: inLanguage(reasonOf(skill), language),
  }));
  return [...good, ...invalid.map((skill) => ({ path: skill.file, visible: false, why: whyInvalid(skill) }))];
}

function reasonOf({ state, shadowedBy = '', manifest }: SkillEntry): Text {
  if (state === 'shadowed') return { en: `shadowed by ${shadowedBy}`, zh: `被 ${shadowedBy} 遮蔽` };
  if (manifest.disableModelInvocation)
    return { en: 'visible to people, hidden from the model', zh: '对人可见，对模型隐藏' };
  if (!manifest.userInvocable) return { en: 'visible to the model, not listed', zh: '对模型可见，不在列表中' };
  return { en: 'visible', zh: '可见' };
}

function whyInvalid({ diagnostics }: InvalidSkill): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return (errors.length > 0 ? errors : diagnostics).map(({ code, message }) => `${code} ${message}`).join('; ');
}

function summarize(skills: readonly Verdict[], healthy: boolean): Text {
  const seen = skills.filter((skill) => skill.visible).length;
  const hidden = skills.length - seen;
  const state = healthy ? { en: '', zh: '' } : { en: '; something is missing', zh: '；环境有缺失' };
  return {
    en: `${seen} skills visible, ${hidden} not${state.en}`,
    zh: `${seen} 个技能可见，${hidden} 个不可见${state.zh}`,
  };
}

function renderReport(
  skills: readonly Verdict[],
  { roots }: Index,
  checks: readonly Check[],
  diagnostics: readonly Diagnostic[],
  { project, language }: Runtime,
  terminal: Terminal,
): string {
  const hidden = skills.filter((skill) => !skill.visible);
  const told = new Set(hidden.map((skill) => skill.path));
  const problems = diagnostics.filter((one) => one.severity !== 'info' && !told.has(one.path));
  const title = (text: Text) => paint(inLanguage(text, language), 'bold', terminal);
  const parts = [
    title({ en: 'Roots, highest first', zh: '技能目录（优先级从高到低）' }),
    renderTable(
      [{ title: 'ROOT' }, { title: 'SOURCE' }, { title: 'SKILLS' }, { title: 'STATE' }],
      roots.map((root) => [root.label, root.source, String(root.skills), root.state]),
      terminal,
    ),
    hidden.length > 0 && `\n${title({ en: 'Not visible', zh: '不可见' })}`,
    ...hidden.map((skill) => `${shortPath(skill.path, project)}: ${visible(skill.why)}`),
    problems.length > 0 && `\n${title({ en: 'Found on the way', zh: '发现的问题' })}`,
    renderDiagnostics(problems, project, terminal),
    `\n${title({ en: 'This machine', zh: '本机' })}`,
    ...checks.map((check) => renderCheck(check, terminal)),
  ];
  return parts.filter((part) => part !== false && part !== '').join('\n');
}

function renderCheck({ name, ok, needed, detail }: Check, terminal: Terminal): string {
  const failed = needed ? paint('✗', 'red', terminal) : paint('–', 'yellow', terminal);
  return `${ok ? paint('✓', 'green', terminal) : failed} ${name}: ${visible(detail)}`;
}
