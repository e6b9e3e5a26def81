// Findings of content inspection as SARIF 2.1.0, which code hosts and editors show beside the lines.
import type { VettedSkill } from '../../app/install/vet.ts';
import { VERSION } from '../../base/version.ts';
import { isAtLeast, type VetSeverity } from '../../config/severity.ts';

export function renderSarif(skills: readonly VettedSkill[]): string {
  const found = skills.flatMap(({ folder, vetting }) => vetting.findings.map((finding) => ({ folder, finding })));
  const rules = new Map(found.map(({ finding: { id, says } }) => [id, { id, shortDescription: { text: says.en } }]));
  const results = found.map(({ folder, finding: { id, severity, file, line, says, excerpt } }) => ({
    ruleId: id,
    level: levelOf(severity),
    message: { text: excerpt === '' ? says.en : `${says.en}: ${excerpt}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(folder, file) }, region: { startLine: line } } }],
    properties: { severity },
  }));
  const unseen = skills.flatMap(({ folder, vetting }) =>
    vetting.coverage.notInspected.map((file) => ({
      level: 'warning',
      message: { text: `not inspected: ${uriOf(folder, file)}` },
    })),
  );
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'skillwright', version: VERSION, rules: [...rules.values()] } },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: unseen }],
        results,
      },
    ],
  };
  return JSON.stringify(log, undefined, 2);
}

function levelOf(severity: VetSeverity): 'error' | 'warning' | 'note' {
  if (isAtLeast(severity, 'HIGH')) return 'error';
  return severity === 'MEDIUM' ? 'warning' : 'note';
}

function uriOf(folder: string, file: string): string {
  const path = folder === '' ? file : `${folder}/${file}`;
  return path.split('/').map(encodeURIComponent).join('/');
}
