// What becomes of the files that a command changes: `--apply` says it, or the person at the terminal is asked.
import { APPLY_CHOICES, type ApplyChoice } from '../../../app/workspace/apply-choice.ts';
import type { ChangeWishes, ShownChanges } from '../../../app/workspace/settle.ts';
import { PERSON } from '../ask-line.ts';
import { type CommandContext, isForProgram, textOption } from '../command.ts';

/** `quietly` asks with nothing shown over the question. */
export function changeWishes(
  { options, runtime, terminal }: CommandContext,
  quietly: (ask: NonNullable<ChangeWishes['askChanges']>) => NonNullable<ChangeWishes['askChanges']>,
): ChangeWishes {
  const { language } = runtime;
  // Loaded where there are changes: most calls leave none.
  const ask = async (shown: ShownChanges) => {
    const { askAboutChanges } = await import('./ask-changes.ts');
    return await askAboutChanges(language, terminal, PERSON)(shown);
  };
  return {
    apply: readApply(textOption(options, 'apply')),
    ...(terminal.interactive && { askChanges: quietly(ask) }),
    ...(!isForProgram(options) && {
      onSettled: async (changes) => {
        const { renderSettled } = await import('../../view/change-set.ts');
        process.stderr.write(`${renderSettled(changes, language, terminal)}\n`);
      },
    }),
  };
}

function readApply(written: string | undefined): ApplyChoice {
  return APPLY_CHOICES.find((choice) => choice === written) ?? 'ask';
}
