// `completion`: scripts that complete commands, options, choices and skill names, made from the table of commands.
import type { Runtime } from '../../app/runtime.ts';
import { makeOutcome } from '../../base/outcome.ts';
import { resolveSkill } from '../../registry/resolve.ts';
import { type Command, type CommandEntry, isOn, textOption } from '../frame/command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { buildVocabulary } from './words.ts';
import { zshScript } from './zsh.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SHELLS;

export const command: Command = {
  about: {
    en: 'bash: add eval "$(skillwright completion bash)" to ~/.bashrc. zsh: save it as _skillwright in a folder of $fpath. fish: save it as ~/.config/fish/completions/skillwright.fish.',
    zh: 'bash: 在 ~/.bashrc 中加入 eval "$(skillwright completion bash)"。zsh: 保存为 $fpath 目录中的 _skillwright。fish: 保存为 ~/.config/fish/completions/skillwright.fish。',
  },
  positionals: [{ name: 'shell', choices: Object.keys(SHELLS), summary: { en: 'bash unless given', zh: '默认 bash' } }],
  options: [
    {
      name: 'skills',
      summary: {
        en: 'print the names of the skills instead, as the scripts need them',
        zh: '改为输出技能名称，供脚本使用',
      },
    },
    {
      name: 'actions',
      value: 'SKILL',
      summary: { en: 'print the actions of this skill instead', zh: '改为输出此技能的操作' },
    },
  ],
  examples: ['skillwright completion bash'],
  async run({ positionals: [shell = 'bash'], options, runtime, commands }) {
    const by = runtime.answering('skillwright', 'own');
    const skill = textOption(options, 'actions');
    if (isOn(options, 'skills') || skill !== undefined) {
      const names = skill === undefined ? completableNames(runtime) : completableActions(runtime, skill);
      return { outcome: makeOutcome(by, 'success', `${names.length}`, { names }), document: names.join('\n') };
    }
    const script = await renderScript(shell as Shell, commands);
    return { outcome: makeOutcome(by, 'success', shell, { shell, script }), document: script };
  },
};

async function renderScript(shell: Shell, commands: readonly CommandEntry[]): Promise<string> {
  return SHELLS[shell](await buildVocabulary(commands));
}

function completableNames(runtime: Runtime): string[] {
  return completable(runtime.index().skills.map(({ folderName }) => folderName)).sort();
}

function completableActions(runtime: Runtime, skill: string): string[] {
  const resolved = resolveSkill(runtime.index(), skill);
  const actions = 'found' in resolved ? (resolved.found.manifest.actions ?? []) : [];
  return completable(actions.map(({ name }) => name));
}

/** A shell expands what it completes: names with anything but letters, digits and . _ / - never reach it. */
function completable(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u.test(name));
}
