// `vet`: what content inspection finds in a skill or pack, before or after it is installed.

import { type VetReport, vetNamed } from '../../../app/install/vet.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { visible } from '../../../base/text.ts';
import { SEVERITIES, type VetSeverity } from '../../../config/severity.ts';
import { type Command, type CommandContext, isOn, type Reply } from '../../frame/command.ts';
import { findingData, renderVetting } from '../../view/finding.ts';
import { renderSarif } from '../../view/sarif.ts';

export const command: Command = {
  about: {
    en: 'It reads every byte or says what it did not read. Patterns can be written around: a clean result is no proof, and policy and sandbox decide in the end.',
    zh: '检查每个字节，或说明未检查的部分。规则可被规避: 无发现不代表安全，最终由策略与沙箱决定。',
  },
  positionals: [
    {
      name: 'what',
      required: true,
      skill: true,
      summary: { en: 'a skill, a folder or an archive', zh: '技能、目录或压缩包' },
    },
  ],
  options: [
    {
      name: 'fail-on',
      value: 'SEVERITY',
      choices: SEVERITIES,
      summary: { en: 'findings from here on are a failure; HIGH unless given', zh: '从此级别起视为失败；默认 HIGH' },
    },
    { name: 'sarif', summary: { en: 'print the findings as SARIF 2.1.0', zh: '以 SARIF 2.1.0 输出发现' } },
  ],
  examples: ['skillwright vet pdf', 'skillwright vet skills-pack.zip --fail-on MEDIUM --json'],
  async run(context) {
    const { positionals, options, runtime } = context;
    const least = SEVERITIES.find((severity) => severity === options['fail-on']) ?? 'HIGH';
    const report = vetNamed(positionals[0] ?? '', least, runtime);
    const reply = answer(report, least, context);
    return isOn(options, 'sarif') ? { ...reply, document: renderSarif(report.skills) } : reply;
  },
};

const READ_THEM: Text = {
  en: 'Read the lines that are named before you use it; --fail-on says from which severity on it fails.',
  zh: '使用前请阅读所指出的各行；--fail-on 决定从哪一级别起视为失败。',
};

function answer(
  { skills: vetted, grave }: VetReport,
  least: VetSeverity,
  { runtime, terminal }: CommandContext,
): Reply {
  const { language } = runtime;
  const by = runtime.answering('skillwright', 'own');
  const findings = vetted.flatMap(({ name, vetting }) => findingData(name, vetting.findings, language));
  const coverage = vetted.map(({ name, vetting }) => ({ skill: name, ...vetting.coverage }));
  const data = {
    findings,
    coverage,
    worst: vetted.map(({ name, vetting }) => ({ skill: name, severity: vetting.worst ?? null })),
  };
  const human = vetted
    .flatMap(({ name, vetting }) => {
      const [first = '', ...rest] = renderVetting(vetting, language, terminal);
      // A clean skill takes one line.
      return rest.length === 0 ? [`  ${visible(name)}: ${first.trim()}`] : [`  ${visible(name)}`, first, ...rest];
    })
    .join('\n');
  if (grave > 0) {
    const detail = {
      en: `${counted(grave, 'finding')} of ${least} or worse`,
      zh: `${grave} 条 ${least} 及以上的发现`,
    };
    return { outcome: failedOutcome(by, new Fault('CheckFailed', detail), data), human, hint: READ_THEM[language] };
  }
  const isPartial = coverage.some(({ state }) => state === 'partial');
  const said = isPartial
    ? {
        en: `${counted(findings.length, 'finding')}; not everything could be inspected`,
        zh: `${findings.length} 条发现；部分内容未检查`,
      }
    : {
        en: `${counted(findings.length, 'finding')}; everything was inspected`,
        zh: `${findings.length} 条发现；已全部检查`,
      };
  return { outcome: makeOutcome(by, isPartial ? 'partial' : 'success', said, data), human };
}
