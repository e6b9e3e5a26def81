// `doctor`: every SKILL.md on disk with whether it is seen and why not, and whether this machine has what is needed.

import { type DoctorReport, examine, type SkillVerdict } from '../../../app/doctor/examine.ts';
import type { MachineCheck } from '../../../app/doctor/machine.ts';
import { countAttacks, judgeAttacks } from '../../../app/doctor/sandbox-report.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { type SpokenDiagnostic, speak } from '../../../base/diagnostic.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { type Data, failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { paint, renderTable, type Terminal, wrap } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { AttackResult } from '../../../process/sandbox/attack/attack.ts';
import type { Index, RootReport } from '../../../registry/discover.ts';
import type { GuardResult } from '../../attack/attempt.ts';
import { countGuards, judgeGuards, renderGuards } from '../../attack/report.ts';
import type { Commands } from '../../attack/stage.ts';
import { type Command, isForProgram, isOn, type OptionValues, type Reply, textOption } from '../../frame/command.ts';
import { SKILL, SOURCE } from '../../frame/skill-arguments.ts';
import { renderDiagnostics, shortPath } from '../../view/diagnostic.ts';
import { renderNeeds, renderRemedies } from '../../view/need/need.ts';
import { describeEffect, renderEffects } from '../../view/project-effect.ts';
import { renderAttacks, renderOpenPoints } from '../../view/sandbox-report.ts';
import { titledColumns } from '../../view/titled-columns.ts';
import { openWaiting } from '../../view/waiting.ts';

interface ToldSkill {
  readonly path: string;
  readonly visible: boolean;
  readonly why: string;
}

/** The report in the language of the reader, with the attempts on the command line itself. */
interface Told extends Omit<DoctorReport, 'skills' | 'diagnostics'> {
  readonly skills: readonly ToldSkill[];
  readonly diagnostics: readonly SpokenDiagnostic[];
  readonly guards?: readonly GuardResult[];
}

export const command: Command = {
  about: {
    en: 'With a skill: the preflight. Each program, package, variable, host, folder under home and device it needs, as found in its files, with whether it is there and granted, and the command that mends it. Values of variables are never shown.',
    zh: '给出技能时为预检: 列出在其文件中发现的程序、软件包、变量、主机、主目录中的目录与设备，各自是否就绪并已授予，以及修复命令。从不显示变量的值。',
  },
  positionals: [{ ...SKILL, required: false }],
  options: [
    { name: 'deep', summary: { en: 'also skills inside the folders of other skills', zh: '包括技能目录内嵌套的技能' } },
    {
      name: 'attack',
      summary: {
        en: 'also try to break out of the sandbox, at every tier that holds here, and to get past the other guards; takes some seconds',
        zh: '并在本机可用的各沙箱级别上尝试突破，且尝试绕过其他防护；需数秒',
      },
    },
    SOURCE,
  ],
  examples: ['skillwright doctor', 'skillwright doctor --attack', 'skillwright doctor pdf'],
  async run({ positionals, options, runtime, terminal, commands }) {
    const [written] = positionals;
    if (written !== undefined) return await checkSkill(written, options, runtime, terminal);
    const attack = isOn(options, 'attack');
    using _waiting = isForProgram(options)
      ? undefined
      : openWaiting(attack ? TRYING[runtime.language] : LOOKING[runtime.language]);
    const found = await examine(runtime, { deep: isOn(options, 'deep'), attack });
    const report: Told = {
      ...found,
      skills: tellSkills(found.skills, runtime.language),
      diagnostics: speak(found.diagnostics, runtime.language),
      ...(attack && { guards: await attackGuards(runtime, commands) }),
    };
    const data = {
      skills: report.skills,
      roots: report.index.roots,
      sandbox: { tier: report.tier ?? null, not_enforced: report.open },
      checks: report.checks,
      store: report.store,
      trusted: runtime.isTrusted(),
      project_settings: report.effects.map(describeEffect),
      diagnostics: report.diagnostics,
      ...(attack && {
        probes: (report.attacks ?? []).map(describeAttack),
        guards: report.guards ?? [],
      }),
    };
    return answer(report, data, runtime, terminal);
  },
};

async function checkSkill(
  written: string,
  options: OptionValues,
  runtime: Runtime,
  terminal: Terminal,
): Promise<Reply> {
  const odd = ['attack', 'deep'].find((name) => isOn(options, name));
  if (odd !== undefined)
    throw new Fault('Usage', { en: `--${odd} is not for one skill`, zh: `--${odd} 不用于单个技能` });
  const { preflight } = await import('../../../app/doctor/preflight.ts');
  const { outcome, needs, diagnostics } = await preflight(runtime, written, textOption(options, 'source'));
  const parts = [
    renderNeeds(needs, runtime.language, terminal),
    renderDiagnostics(diagnostics, runtime.project, terminal),
    renderRemedies(needs, runtime.language, terminal),
  ];
  return { outcome, human: parts.filter((part) => part !== '').join('\n\n') };
}

function answer(report: Told, data: Data, runtime: Runtime, terminal: Terminal): Reply {
  const by = runtime.answering('skillwright', 'own');
  const human = renderReport(report, runtime, terminal);
  const fault = judgeAttacks(report.attacks ?? []) ?? judgeGuards(report.guards ?? []);
  if (fault) return { outcome: failedOutcome(by, fault, data), human, hint: inLanguage(fault.hint, runtime.language) };
  return { outcome: makeOutcome(by, report.isHealthy ? 'success' : 'partial', summarize(report), data), human };
}

/** Loaded where it is wanted: it brings the whole command line with it. */
const LOOKING: Text = { en: 'looking at this machine', zh: '正在检查本机' };
const TRYING: Text = { en: 'trying to break out of the sandbox', zh: '正在尝试突破沙箱' };

async function attackGuards(runtime: Runtime, commands: Commands): Promise<GuardResult[]> {
  const guards = await import('../../attack/guards.ts');
  return guards.attackGuards(runtime, { commands });
}

function describeAttack({ probe, tier, blocked, expected, threat }: AttackResult) {
  return { probe, tier, blocked, expected, threat };
}

function tellSkills(skills: readonly SkillVerdict[], language: Language): ToldSkill[] {
  return skills.map(({ why, ...skill }) => ({
    ...skill,
    why: 'en' in why ? inLanguage(why, language) : whyInvalid(speak(why, language)),
  }));
}

function whyInvalid(diagnostics: readonly SpokenDiagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return (errors.length > 0 ? errors : diagnostics).map(({ code, message }) => `${code} ${message}`).join('; ');
}

function summarize({ skills, attacks, guards, isHealthy }: Told): Text {
  const seen = skills.filter((skill) => skill.visible).length;
  const hidden = skills.length - seen;
  const none = { en: '', zh: '' };
  const tried = [...(attacks ? [countAttacks(attacks)] : []), ...(guards ? [countGuards(guards)] : [])];
  const held = { en: tried.map(({ en }) => `; ${en}`).join(''), zh: tried.map(({ zh }) => `；${zh}`).join('') };
  const state = isHealthy ? none : { en: '; something is missing', zh: '；环境有缺失' };
  return {
    en: `${counted(seen, 'skill')} visible, ${hidden} not${held.en}${state.en}`,
    zh: `${seen} 个技能可见，${hidden} 个不可见${held.zh}${state.zh}`,
  };
}

function renderReport(report: Told, { project, language, isTrusted }: Runtime, terminal: Terminal): string {
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
      hidden.flatMap((skill) => {
        const [first = '', ...more] = wrap(
          `${shortPath(skill.path, project)}: ${visible(skill.why)}`,
          terminal.width - 4,
        );
        return [first, ...more.map((line) => `    ${line}`)];
      }),
    ),
    problems.length > 0 &&
      section({ en: 'Found on the way', zh: '发现的问题' }, [renderDiagnostics(problems, project, terminal)]),
    section(
      { en: 'Settings of the project', zh: '项目配置' },
      // What is never used is told on the way already.
      renderEffects(
        effects.filter(({ counts }) => counts !== 'never'),
        isTrusted(),
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
