// The folder that relative paths on the command line are meant from.
import { type CommandContext, textOption } from './command.ts';

/** Where the person stands; with --project, from there. */
export function typedFrom({ options, runtime }: Pick<CommandContext, 'options' | 'runtime'>): string {
  return textOption(options, 'project') === undefined ? process.cwd() : runtime.places.project;
}
