// `roles lint`: what keeps roles from doing their work, each finding with its remedy.

import { lintRoles } from '../../../app/role/lint.ts';
import { type SpokenDiagnostic, speak } from '../../../base/diagnostic.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';

export const command: Command = {
  about: {
    en: 'Mistakes in agent.yaml are errors. What only this machine lacks, such as a secret or a grant, is a warning.',
    zh: 'agent.yaml 中的错误为 error；仅本机缺少的（如密钥、授权）为 warning。',
  },
  positionals: [
    { name: 'role', many: true, summary: { en: 'roles to check; all unless given', zh: '要检查的角色；默认全部' } },
  ],
  options: [],
  examples: ['skillwright roles lint', 'skillwright roles lint dev_efficiency_analyst --json'],
  async run({ positionals, runtime, terminal }) {
    const results: Result[] = [];
    for (const { role, diagnostics: found } of await lintRoles(positionals, runtime)) {
      const diagnostics = speak(found, runtime.language);
      results.push({ name: role.name, path: role.file, ok: !diagnostics.some(isError), diagnostics });
    }
    const failed = results.filter(({ ok }) => !ok).length;
    const data = { results, passed: results.length - failed, failed };
    const by = runtime.answering('skillwright', 'own');
    const human = results.map((result) => render(result, runtime.project, terminal)).join('\n');
    if (failed === 0) return { outcome: makeOutcome(by, 'success', passed(results.length), data), human };
    const detail = {
      en: `${failed} of ${counted(results.length, 'role')}`,
      zh: `${results.length} 个角色中 ${failed} 个`,
    };
    return { outcome: failedOutcome(by, new Fault('CheckFailed', detail), data), human };
  },
};

interface Result {
  readonly name: string;
  readonly path: string;
  readonly ok: boolean;
  readonly diagnostics: readonly SpokenDiagnostic[];
}

function render({ name, ok, diagnostics }: Result, base: string, terminal: Terminal): string {
  const mark = ok ? paint('✓', 'green', terminal) : paint('✗', 'red', terminal);
  const heading = `${mark} ${visible(name)}`;
  return diagnostics.length === 0 ? heading : `${heading}\n${renderDiagnostics(diagnostics, base, terminal)}`;
}

function isError({ severity }: SpokenDiagnostic): boolean {
  return severity === 'error';
}

function passed(total: number): Text {
  if (total === 0) return { en: 'no roles here to check', zh: '没有可检查的角色' };
  return { en: `${total} checked, all passed`, zh: `已检查 ${total} 个，全部通过` };
}
