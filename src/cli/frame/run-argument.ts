// The run a command is about, as every command of runs takes it.
import type { Positional } from './command.ts';

export const RUN_POSITIONAL: Positional = {
  name: 'id',
  required: true,
  summary: { en: 'as `runs list` shows it, or latest', zh: '`runs list` 所示的 id，或 latest' },
};
