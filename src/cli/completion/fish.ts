// The completion script of fish.
import type { CommandWords, OptionWords, Vocabulary } from './words.ts';

export function fishScript({ commands, valued, groups }: Vocabulary): string {
  const own = commands.map(({ name }) => name);
  const groupLines = groups
    .filter(({ name }) => !own.includes(name))
    .map(({ name }) => nameLine({ name, summary: '' }));
  const lines = commands.flatMap((command) => [
    nameLine(command),
    ...argumentLines(command),
    ...command.options.map((option) => optionLine(command, option)),
  ]);
  return `# skillwright completion for fish\n${functions(commands, valued)}complete -c skillwright -e\n${[...groupLines, ...lines].join('\n')}\n`;
}

/** What the conditions of the lines below ask: which words stand there, and whether they are this command. */
function functions(commands: readonly CommandWords[], valued: readonly string[]): string {
  const nested = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quote(name));
  return `function __skillwright_found
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valued.join(' ')}
                set skip 1
            case '-*'
            case '*'
                echo $word
        end
    end
end
function __skillwright_is
    set -l found (__skillwright_found)
    set -l length (count $argv)
    test (count $found) -ge $length; or return 1
    test "$found[1..$length]" = "$argv"; or return 1
    test $length -gt 1; or not contains -- "$found[1..2]" ${nested.join(' ')}
end
function __skillwright_after
    set -l found (__skillwright_found)
    test (count $found) -eq (math (count $argv) - 1 + $argv[1]); or return 1
    test (count $argv) -eq 1; or __skillwright_is $argv[2..-1]
end
function __skillwright_actions
    set -l found (__skillwright_found)
    skillwright completion --actions $found[2] 2>/dev/null
end
`;
}

function nameLine({ name, summary }: Pick<CommandWords, 'name' | 'summary'>): string {
  const words = name.split(' ');
  const condition = `__skillwright_after 0 ${words.slice(0, -1).join(' ')}`.trimEnd();
  return `complete -c skillwright -n ${quote(condition)} -f -a ${words.at(-1)} -d ${quote(summary)}`;
}

function argumentLines(command: CommandWords): string[] {
  const lines: string[] = [];
  if (command.choices.length > 0)
    lines.push(`complete -c skillwright -n ${isThis(command)} -f -a ${quote(command.choices.join(' '))}`);
  if (command.skills) {
    const where = command.actions ? quote(`__skillwright_after 0 ${command.name}`) : isThis(command);
    lines.push(`complete -c skillwright -n ${where} -a '(skillwright completion --skills 2>/dev/null)'`);
  }
  if (command.actions) {
    const where = quote(`__skillwright_after 1 ${command.name}`);
    lines.push(`complete -c skillwright -n ${where} -f -a '(__skillwright_actions)'`);
  }
  return lines;
}

function optionLine(command: CommandWords, { flags, takesValue, choices, summary }: OptionWords): string {
  const [long = '', short] = flags;
  const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : '';
  const shortFlag = short ? ` -s ${short.slice(1)}` : '';
  return `complete -c skillwright -n ${isThis(command)} -l ${long.slice(2)}${shortFlag}${value} -d ${quote(summary)}`;
}

function isThis({ name }: CommandWords): string {
  return quote(`__skillwright_is ${name}`);
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
