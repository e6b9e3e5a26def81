// The completion script of fish.
import type { CommandWords, OptionWords, Vocabulary } from './completion-words.ts';

export function fishScript({ commands }: Vocabulary): string {
  const lines = commands.flatMap((command) => [
    nameLine(command, commands),
    ...argumentLines(command),
    ...command.options.map((option) => optionLine(command, option)),
  ]);
  return `# skillwright completion for fish\ncomplete -c skillwright -e\n${lines.join('\n')}\n`;
}

function nameLine({ name, summary }: CommandWords, commands: readonly CommandWords[]): string {
  const [first = name, second] = name.split(' ');
  if (second === undefined)
    return `complete -c skillwright -n __fish_use_subcommand -f -a ${first} -d ${quote(summary)}`;
  const siblings = commands
    .filter((other) => other.name.startsWith(`${first} `))
    .map((other) => other.name.slice(first.length + 1));
  const condition = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${siblings.join(' ')}`;
  return `complete -c skillwright -n ${quote(condition)} -f -a ${second} -d ${quote(summary)}`;
}

function argumentLines(command: CommandWords): string[] {
  const lines: string[] = [];
  if (command.choices.length > 0)
    lines.push(`complete -c skillwright -n ${seen(command)} -f -a ${quote(command.choices.join(' '))}`);
  if (command.skills)
    lines.push(`complete -c skillwright -n ${seen(command)} -a '(skillwright completion --skills 2>/dev/null)'`);
  if (command.actions)
    lines.push(
      `complete -c skillwright -n ${seen(command)} -f -a '(skillwright completion --actions (commandline -opc)[3] 2>/dev/null)'`,
    );
  return lines;
}

function optionLine(command: CommandWords, { flags, takesValue, choices, summary }: OptionWords): string {
  const [long = '', short] = flags;
  const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : '';
  const shortFlag = short ? ` -s ${short.slice(1)}` : '';
  return `complete -c skillwright -n ${seen(command)} -l ${long.slice(2)}${shortFlag}${value} -d ${quote(summary)}`;
}

function seen({ name }: CommandWords): string {
  return quote(
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and '),
  );
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
