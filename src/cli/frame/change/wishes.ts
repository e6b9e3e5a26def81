// What becomes of the files that a command changes: `--apply` says it, or the person at the terminal is asked.
import type { ChangeWishes, ShownChanges } from '../../../app/workspace/settle.ts';
import { PERSON } from '../ask-line.ts';
import { type CommandContext, isForProgram } from '../command.ts';
import { readApply } from './apply-option.ts';

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
    apply: readApply(options),
    ...(terminal.interactive && { askChanges: quietly(ask) }),
    ...(!isForProgram(options) && {
      onSettled: async (changes) => {
        const { renderSettled } = await import('../../view/change-set.ts');
        process.stderr.write(`${renderSettled(changes, language, terminal)}\n`);
      },
    }),
  };
}
