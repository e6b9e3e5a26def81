// `doctor`: every SKILL.md on disk with whether it is seen and why not, and whether this machine has what is needed.
import { checkJobs } from '../../../app/doctor/jobs-check.ts';
import { checkMachine, type MachineCheck } from '../../../app/doctor/machine.ts';
import {
  attackTiers,
  countAttacks,
  inspectSandbox,
  judgeAttacks,
  renderAttacks,
  renderOpenPoints,
} from '../../../app/doctor/sandbox-report.ts';
import { checkStore } from '../../../app/doctor/store-check.ts';
import type { Runtime } from '../../../app/runtime.ts';
import type { Diagnostic } from '../../../base/diagnostic.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { type Data, failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { paint, renderTable, type Terminal, wrap } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { type ProjectEffect, projectEffects } from '../../../config/effect.ts';
import type { AttackResult } from '../../../process/sandbox/attack/attack.ts';
import { allDiagnostics, type Index, type RootReport, type SkillEntry } from '../../../registry/discover.ts';
import type { GuardResult } from '../../attack/attempt.ts';
import { countGuards, judgeGuards, renderGuards } from '../../attack/report.ts';
import type { Commands } from '../../attack/stage.ts';
import { type Command, isOn, type Reply } from '../../frame/command.ts';
import { inLanguageOf, renderDiagnostics, shortPath } from '../../view/diagnostic.ts';
import { describeEffect, renderEffects } from '../../view/project-effect.ts';
import { titledColumns } from '../../view/titled-columns.ts';

interface Verdict {
  readonly path: string;
  readonly visible: boolean;
  readonly why: string;
}

interface Report {
  readonly index: Index;
  readonly skills: readonly Verdict[];
  readonly checks: readonly MachineCheck[];
  /** What the sandbox leaves open. */
  readonly open: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the project's settings change. */
  readonly effects: readonly ProjectEffect[];
  readonly attacks?: readonly AttackResult[];
  readonly guards?: readonly GuardResult[];
}

export const command: Command = {
  positionals: [],
  options: [
    { name: 'deep', summary: { en: 'also skills inside the folders of other skills', zh: '包括技能目录内嵌套的技能' } },
    {
      name: 'attack',
      summary: {
        en: 'also try to break out of the sandbox, at every tier that holds here, and to get past the other guards; takes some seconds',
        zh: '并在本机可用的各沙箱级别上尝试突破，且尝试绕过其他防护；需数秒',
      },
    },
  ],
  examples: ['skillwright doctor', 'skillwright doctor --attack'],
  async run({ options, runtime, terminal, commands }) {
    const index = runtime.index({ deep: isOn(options, 'deep') });
    const { sandbox, check } = await inspectSandbox(runtime);
    const store = await checkStore(runtime);
    const jobs = store.hasState ? [await checkJobs(runtime)] : [];
    const report: Report = {
      index,
      skills: await judgeSkills(index, runtime.language),
      checks: [...checkMachine(runtime), check, ...store.checks, ...jobs],
      open: sandbox?.openIn(runtime.project) ?? [],
      effects: await projectEffects(runtime),
      diagnostics: await inLanguageOf([...runtime.configDiagnostics, ...allDiagnostics(index)], runtime.language),
      ...(sandbox && isOn(options, 'attack') && { attacks: await attackTiers(runtime) }),
      ...(isOn(options, 'attack') && { guards: await attackGuards(runtime, commands) }),
    };
    const data = {
      skills: report.skills,
      roots: index.roots,
      sandbox: { tier: sandbox?.tier ?? null, not_enforced: report.open },
      checks: report.checks,
      store: store.facts,
      trusted: runtime.trusted,
      project_settings: report.effects.map(describeEffect),
      diagnostics: report.diagnostics,
      ...(isOn(options, 'attack') && {
        probes: (report.attacks ?? []).map(describeAttack),
        guards: report.guards ?? [],
      }),
    };
    return answer(report, data, runtime, terminal);
  },
};

function answer(report: Report, data: Data, runtime: Runtime, terminal: Terminal): Reply {
  const by = runtime.answering('skillwright', 'own');
  const human = renderReport(report, runtime, terminal);
  const fault = judgeAttacks(report.attacks ?? []) ?? judgeGuards(report.guards ?? []);
  if (fault) return { outcome: failedOutcome(by, fault, data), human, hint: inLanguage(fault.hint, runtime.language) };
  const healthy =
    report.checks.every(({ ok, needed }) => ok || !needed) &&
    runtime.configDiagnostics.every(({ severity }) => severity !== 'error');
  const summary = summarize(report, healthy);
  return { outcome: makeOutcome(by, healthy ? 'success' : 'partial', summary, data), human };
}

/** Loaded where it is wanted: it brings the whole command line with it. */
async function attackGuards(runtime: Runtime, commands: Commands): Promise<GuardResult[]> {
  const guards = await import('../../attack/guards.ts');
  return guards.attackGuards(runtime, { commands });
}

function describeAttack({ probe, tier, blocked, expected, threat }: AttackResult) {
  return { probe, tier, blocked, expected, threat };
}

async function judgeSkills({ skills, invalid }: Index, language: Language): Promise<Verdict[]> {
  const verdicts = skills.map((skill) => ({
    path: skill.file,
    visible: skill.state === 'visible',
    why: inLanguage(reasonOf(skill), language),
  }));
  for (const { file, diagnostics } of invalid)
    verdicts.push({ path: file, visible: false, why: whyInvalid(await inLanguageOf(diagnostics, language)) });
  return verdicts;
}

function reasonOf({ state, shadowedBy = '', manifest }: SkillEntry): Text {
  if (state === 'shadowed') return { en: `shadowed by ${shadowedBy}`, zh: `被 ${shadowedBy} 遮蔽` };
  if (manifest.disableModelInvocation)
    return { en: 'visible to people, hidden from the model', zh: '对人可见，对模型隐藏' };
  if (!manifest.userInvocable) return { en: 'visible to the model, not listed', zh: '对模型可见，不在列表中' };
  return { en: 'visible', zh: '可见' };
}

function whyInvalid(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return (errors.length > 0 ? errors : diagnostics).map(({ code, message }) => `${code} ${message}`).join('; ');
}

function summarize({ skills, attacks, guards }: Report, healthy: boolean): Text {
  const seen = skills.filter((skill) => skill.visible).length;
  const hidden = skills.length - seen;
  const none = { en: '', zh: '' };
  const tried = [...(attacks ? [countAttacks(attacks)] : []), ...(guards ? [countGuards(guards)] : [])];
  const held = { en: tried.map(({ en }) => `; ${en}`).join(''), zh: tried.map(({ zh }) => `；${zh}`).join('') };
  const state = healthy ? none : { en: '; something is missing', zh: '；环境有缺失' };
  return {
    en: `${seen} skills visible, ${hidden} not${held.en}${state.en}`,
    zh: `${seen} 个技能可见，${hidden} 个不可见${held.zh}${state.zh}`,
  };
}

function renderReport(report: Report, { project, language, trusted }: Runtime, terminal: Terminal): string {
  const { skills, index, checks, open, diagnostics, effects, attacks = [], guards = [] } = report;
  const hidden = skills.filter((skill) => !skill.visible);
  const told = new Set(hidden.map((skill) => skill.path));
  const problems = diagnostics.filter((one) => one.severity !== 'info' && !told.has(one.path));
  const section = (title: Text, lines: readonly string[]): string =>
    lines.length === 0 ? '' : [paint(inLanguage(title, language), 'bold', terminal), ...lines].join('\n');
  const parts = [
    section({ en: 'Roots, highest first', zh: '技能目录（优先级从高到低）' }, [renderRoots(index, language, terminal)]),
    section(
      { en: 'Not visible', zh: '不可见' },
      hidden.map((skill) => `${shortPath(skill.path, project)}: ${visible(skill.why)}`),
    ),
    problems.length > 0 &&
      section({ en: 'Found on the way', zh: '发现的问题' }, [renderDiagnostics(problems, project, terminal)]),
    section(
      { en: 'Settings of the project', zh: '项目配置' },
      // What is never used is told on the way already.
      renderEffects(
        effects.filter(({ counts }) => counts !== 'never'),
        trusted,
        language,
      ),
    ),
    section(
      { en: 'This machine', zh: '本机' },
      checks.map((check) => renderCheck(check, terminal)),
    ),
    section(
      { en: 'Not enforced by the sandbox', zh: '沙箱未强制' },
      renderOpenPoints(open, language).flatMap((line) => wrap(line, terminal.width)),
    ),
    attacks.length > 0 &&
      section({ en: 'Escape attempts', zh: '突破尝试' }, [renderAttacks(attacks, language, terminal)]),
    guards.length > 0 &&
      section({ en: 'Attempts on the guards', zh: '针对防护的尝试' }, [renderGuards(guards, language, terminal)]),
  ];
  return parts.filter((part) => part !== false && part !== '').join('\n\n');
}

const ROOT_TITLES: readonly Text[] = [
  { en: 'ROOT', zh: '目录' },
  { en: 'SOURCE', zh: '来源' },
  { en: 'SKILLS', zh: '技能数' },
  { en: 'STATE', zh: '状态' },
];

const ROOT_STATES: Record<RootReport['state'], Text> = {
  read: { en: 'read', zh: '已读取' },
  missing: { en: 'missing', zh: '不存在' },
  unreadable: { en: 'unreadable', zh: '无法读取' },
  'not-a-folder': { en: 'not-a-folder', zh: '不是目录' },
  outside: { en: 'outside', zh: '在项目之外' },
  repeated: { en: 'repeated', zh: '重复' },
};

function renderRoots({ roots }: Index, language: Language, terminal: Terminal): string {
  return renderTable(
    titledColumns(ROOT_TITLES, language).map(({ title }) => ({ title })),
    roots.map((root) => [root.label, root.source, String(root.skills), ROOT_STATES[root.state][language]]),
    terminal,
  );
}

function renderCheck({ name, ok, needed, detail }: MachineCheck, terminal: Terminal): string {
  const failed = needed ? paint('✗', 'red', terminal) : paint('–', 'yellow', terminal);
  const lines = wrap(`${name}: ${visible(detail)}`, terminal.width - 2);
  return `${ok ? paint('✓', 'green', terminal) : failed} ${lines.join('\n  ')}`;
}
