// `roles lint`: what keeps roles from doing their work, each finding with its remedy.
import { readShipped } from '../../../app/open-door.ts';
import type { Runtime } from '../../../app/runtime.ts';
import type { Diagnostic } from '../../../base/diagnostic.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { requireRole } from '../../../jobs/executor.ts';
import { type LintPlace, lintRole } from '../../../jobs/lint.ts';
import { openGrants } from '../../../policy/grant/store.ts';
import { findRole, listRoles, type Role } from '../../../registry/role/role.ts';
import type { Command } from '../../frame/command.ts';
import { inLanguageOf, renderDiagnostics } from '../../view/diagnostic.ts';

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
    runtime.requireConfig();
    const roles = await chooseRoles(runtime.project, positionals);
    const place = await lintPlace(runtime);
    const results: Result[] = [];
    for (const role of roles) {
      const diagnostics = await inLanguageOf(lintRole(role, place), runtime.language);
      results.push({ name: role.name, path: role.file, ok: !diagnostics.some(isError), diagnostics });
    }
    const failed = results.filter(({ ok }) => !ok).length;
    const data = { results, passed: results.length - failed, failed };
    const by = runtime.answering('skillwright', 'own');
    const human = results.map((result) => render(result, runtime.project, terminal)).join('\n');
    if (failed === 0) return { outcome: makeOutcome(by, 'success', passed(results.length), data), human };
    const detail = { en: `${failed} of ${results.length} roles`, zh: `${results.length} 个角色中 ${failed} 个` };
    return { outcome: failedOutcome(by, new Fault('CheckFailed', detail), data), human };
  },
};

interface Result {
  readonly name: string;
  readonly path: string;
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

async function chooseRoles(project: string, names: readonly string[]): Promise<Role[]> {
  if (names.length === 0) return await listRoles(project);
  // A role that is not understood is what a linter is for; one that is not there is a mistake.
  return await Promise.all(names.map(async (name) => (await findRole(project, name)) ?? requireRole(project, name)));
}

/** This machine, as jobs would find it. */
async function lintPlace(runtime: Runtime): Promise<LintPlace> {
  const { env, clock, places, home, project } = runtime;
  const grants = openGrants(home, project).list();
  return {
    env,
    policy: runtime.policyFor(),
    grants: { grants: () => grants, shipped: readShipped(runtime.builtin), clock, places },
    tier: (await runtime.sandbox()).tier,
  };
}

function render({ name, ok, diagnostics }: Result, base: string, terminal: Terminal): string {
  const mark = ok ? paint('✓', 'green', terminal) : paint('✗', 'red', terminal);
  const heading = `${mark} ${visible(name)}`;
  return diagnostics.length === 0 ? heading : `${heading}\n${renderDiagnostics(diagnostics, base, terminal)}`;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function passed(total: number): Text {
  if (total === 0) return { en: 'no roles here to check', zh: '没有可检查的角色' };
  return { en: `${total} checked, all passed`, zh: `已检查 ${total} 个，全部通过` };
}
