// The completion script of zsh.
import type { CommandGroup, CommandWords, Vocabulary } from './words.ts';

export function zshScript({ commands, valued, groups }: Vocabulary): string {
  const top = commands.map(({ name, summary }) => `    ${explained(name.split(' ')[0] ?? name, summary)}`);
  return `#compdef skillwright
# skillwright completion for zsh
_skillwright() {
  local -a found candidates
  local at word previous=\${words[CURRENT - 1]}
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    case $word in
      (${valued.join('|')}) ((at++)) ;;
      (-*) ;;
      (*) found+=($word) ;;
    esac
  done
  case "\${found[1]} \${found[2]}" in
${branches(commands, groups).join('')}    (*) candidates=(
${top.join('\n')}
    ) && _describe command candidates ;;
  esac
}
compdef _skillwright skillwright
`;
}

/** Names of two words first: what begins like them would take their place. */
function branches(commands: readonly CommandWords[], groups: readonly CommandGroup[]): string[] {
  const nested = commands.filter(({ name }) => name.includes(' '));
  const single = commands.filter(({ name }) => !name.includes(' '));
  const others = groups.filter(({ name }) => !single.some((one) => one.name === name));
  return [
    ...nested.map((command) => branch(command)),
    ...single.map((command) =>
      branch(
        command,
        groups.find(({ name }) => name === command.name),
      ),
    ),
    ...others.map(groupBranch),
  ];
}

function groupBranch({ name, commands }: CommandGroup): string {
  return `    (${quote(`${name} `)}*) candidates=(\n${explainedAll({ name, commands })}\n    ) && _describe command candidates ;;\n`;
}

function explainedAll({ commands }: CommandGroup): string {
  return commands.map((one) => `      ${explained(one.name, one.summary)}`).join('\n');
}

function branch(command: CommandWords, group?: CommandGroup): string {
  const pattern = command.name.includes(' ') ? quote(command.name) : `${quote(`${command.name} `)}*`;
  const valued = command.options
    .filter((option) => option.takesValue)
    .map((option) => {
      const action = option.choices.length > 0 ? `compadd -- ${option.choices.join(' ')}` : '_files';
      return `        (${option.flags.join('|')}) ${action}; return ;;\n`;
    });
  const options = command.options.flatMap(({ flags, summary }) =>
    flags.map((flag) => `        ${explained(flag, summary)}`),
  );
  const skills = command.skills ? `      compadd -- \${(f)"$(skillwright completion --skills 2>/dev/null)"}\n` : '';
  const actions = command.actions
    ? `      [[ -n \${found[2]} && -z \${found[3]} ]] && compadd -- \${(f)"$(skillwright completion --actions \${found[2]} 2>/dev/null)"} && return\n`
    : '';
  const below = group
    ? `      if [[ -z \${found[2]} ]]; then\n        candidates=(\n${explainedAll(group)}\n        )\n        _describe command candidates\n      fi\n`
    : '';
  const choices = command.choices.length > 0 ? `      compadd -- ${command.choices.map(quote).join(' ')}\n` : '';
  return `    (${pattern})
      case $previous in
${valued.join('')}      esac
      candidates=(
${options.join('\n')}
      )
      [[ \${words[CURRENT]} == -* ]] && _describe option candidates && return
${below}${choices}${actions}${skills}      _files ;;
`;
}

/** A word with its explanation; the first colon parts them, so the explanation has none. */
function explained(word: string, summary: string): string {
  return quote(`${word}:${summary.replaceAll(':', ' -')}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
