// `validate`: many skills in one go, each with what is wrong, where, and how to mend it.
import { type ValidatedFile, validateSkills } from '../../../app/author/validate.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { PROFILES } from '../../../skill/skill.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';
import { renderDiagnostics, shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  positionals: [
    {
      name: 'path',
      many: true,
      skill: true,
      summary: {
        en: 'a skill, its folder or file, or a folder of skills; the skills of the project unless given',
        zh: '技能、其目录或文件，或技能所在目录；默认项目的全部技能',
      },
    },
  ],
  options: [
    SOURCE,
    {
      name: 'profile',
      value: 'PROFILE',
      choices: PROFILES,
      summary: { en: 'how strict; lenient unless given', zh: '严格程度；默认 lenient' },
    },
    { name: 'fix', summary: { en: 'fix in the files what can be fixed safely', zh: '直接修正可安全修正的内容' } },
  ],
  examples: [
    'skillwright validate',
    'skillwright validate .agent/skills/pdf --profile strict',
    'skillwright validate --fix',
  ],
  async run({ positionals: paths, options, runtime, terminal }) {
    const profile = PROFILES.find((known) => known === options.profile) ?? 'lenient';
    const source = textOption(options, 'source');
    const checked = await validateSkills(runtime, { paths, source, profile, fix: isOn(options, 'fix') });
    const human = [
      renderResults(checked.results, runtime.project, terminal),
      renderDiagnostics(checked.unseen, runtime.project, terminal),
    ]
      .filter((part) => part !== '')
      .join('\n');
    return { outcome: checked.outcome, human };
  },
};

function renderResults(results: readonly ValidatedFile[], base: string, terminal: Terminal): string {
  return results
    .filter(({ diagnostics, fixed }) => diagnostics.length > 0 || fixed)
    .map(({ path: file, ok, diagnostics, fixed = [] }) => {
      const mark = ok ? paint('✓', 'green', terminal) : paint('✗', 'red', terminal);
      const heading = `${mark} ${shortPath(file, base)}${fixed.length > 0 ? ` (fixed: ${fixed.map(({ code }) => code).join(', ')})` : ''}`;
      return diagnostics.length === 0 ? heading : `${heading}\n${renderDiagnostics(diagnostics, base, terminal)}`;
    })
    .join('\n');
}
