// Findings of content inspection as people read them and as JSON carries them.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { paint, type Style, type Terminal, wrap } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';
import type { VetSeverity } from '../../config/severity.ts';
import type { VetFinding } from '../../distribution/vet/text.ts';
import type { Coverage, Vetting } from '../../distribution/vet/vet.ts';

const STYLES: Record<VetSeverity, Style> = { INFO: 'dim', LOW: 'dim', MEDIUM: 'yellow', HIGH: 'red', CRITICAL: 'red' };

export function findingData(skill: string, findings: readonly VetFinding[], language: Language) {
  return findings.map(({ says, ...finding }) => ({ skill, ...finding, message: says[language] }));
}

export function renderVetting({ findings, coverage }: Vetting, language: Language, terminal: Terminal): string[] {
  return [
    ...findings.map((finding) => renderFinding(finding, language, terminal)),
    `    ${inLanguage(describeCoverage(coverage), language)}`,
  ];
}

function renderFinding(
  { severity, id, file, line, says, excerpt, count }: VetFinding,
  language: Language,
  terminal: Terminal,
): string {
  const times = count > 1 ? ` ×${count}` : '';
  const rest = wrap(`${severity} ${id} ${visible(file)}:${line}${times} ${says[language]}`, terminal.width - 8);
  const head = `    ${rest.join('\n        ')}`.replace(severity, () => paint(severity, STYLES[severity], terminal));
  return excerpt === '' ? head : `${head}\n        ${paint(excerpt, 'dim', terminal)}`;
}

function describeCoverage({ state, inspected, notInspected }: Coverage): Text {
  if (state === 'complete')
    return {
      en: `inspected ${inspected} ${inspected === 1 ? 'file' : 'files'}`,
      zh: `已检查 ${inspected} 个文件`,
    };
  const names = notInspected.slice(0, 5).map(visible).join(', ');
  const rest = notInspected.length > 5 ? `, … (${notInspected.length - 5})` : '';
  return {
    en: `coverage partial: ${inspected} inspected, ${notInspected.length} not: ${names}${rest}`,
    zh: `部分检查: ${inspected} 个已检查，未检查 ${notInspected.length} 个: ${names}${rest}`,
  };
}
