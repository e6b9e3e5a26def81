// `--ask`: whether each call is asked about, or only what leaves the sandbox and, at the end, the changes.
import type { Caller } from '../../../app/open-door.ts';
import { ASK_MODES } from '../../../policy/asking.ts';
import { type CommandContext, type Option, textOption } from '../command.ts';

export const ASK_OPTION: Option = {
  name: 'ask',
  value: 'WHEN',
  choices: ASK_MODES,
  summary: {
    en: 'ask about each call (default), or about effects: network, variables, and the changes at the end',
    zh: '逐次询问（each，默认），或仅询问影响（effects）: 网络、变量以及最后的更改',
  },
};

/** What was typed; without it what the user's own settings say. */
export function askWish({
  options,
  runtime,
}: Pick<CommandContext, 'options' | 'runtime'>): Pick<Caller, 'effectsOnly'> {
  const typed = textOption(options, 'ask');
  if (typed !== undefined) return { effectsOnly: typed === 'effects' ? 'option' : undefined };
  return { effectsOnly: runtime.config.executionLayers.user.ask === 'effects' ? 'setting' : undefined };
}
