// A command as it can be typed again, with its words quoted where a shell would take them apart.
import { type Command, type CommandContext, listOption } from './command.ts';

export function commandLine(
  name: string,
  command: Pick<Command, 'options'>,
  { positionals, options }: Pick<CommandContext, 'positionals' | 'options'>,
  extra: readonly string[] = [],
): string {
  const named = [...command.options, { name: 'project', value: 'DIR' }].flatMap((option) => {
    const value = options[option.name];
    if (value === true) return [`--${option.name}`];
    if (typeof value === 'string') return [`--${option.name}`, value];
    return listOption(options, option.name).flatMap((one) => [`--${option.name}`, one]);
  });
  return ['skillwright', ...name.split(' '), ...positionals, ...named, ...extra].map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
