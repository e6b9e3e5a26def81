// The completion script of bash.
import type { CommandGroup, CommandWords, Vocabulary } from './words.ts';

export function bashScript({ commands, valued, flags, groups }: Vocabulary): string {
  const names = commands.map(({ name }) => name);
  return `# skillwright completion for bash
_skillwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local first='' second='' third='' word at words='' plain='' skills='' actions=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      ${valued.join(' | ')}) ((at++)) ;;
      -* | @) ;;
      *) if [[ -z $first ]]; then first=$word; elif [[ -z $second ]]; then second=$word; else third=$word; fi ;;
    esac
  done
  case "$first $second" in
${commands
  .filter(isNested)
  .map((command) => branch(command))
  .join('')}    *) case $first in
${commands
  .filter((command) => !isNested(command))
  .map((command) => branch(command, groups))
  .join('')}${groups
  .filter(({ name }) => !names.includes(name))
  .map(groupBranch)
  .join('')}      *) words='${[...firstWords(names), ...flags].join(' ')}' ;;
    esac ;;
  esac
  # Options only where somebody begins to write one.
  if [[ $current != -* && $previous != -* ]]; then
    for word in $words; do [[ $word == -* ]] || plain+=" $word"; done
    words=$plain
  fi
  if [[ -n $actions && -n $second && $current != -* ]]; then
    skills=''
    if [[ -z $third ]]; then words="$(skillwright completion --actions "\${second#@}" 2>/dev/null)"; fi
  fi
  if [[ -n $skills && $current == @* ]]; then
    words="$(skillwright completion --skills 2>/dev/null | sed 's/^/@/')"
  elif [[ -n $skills && $current != -* ]]; then
    words+=" $(skillwright completion --skills 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _skillwright skillwright
`;
}

function groupBranch({ name, commands }: CommandGroup): string {
  return `      '${name}') words='${commands.map((one) => one.name).join(' ')}' ;;\n`;
}

function branch(command: CommandWords, groups: readonly CommandGroup[] = []): string {
  const below = groups.find(({ name }) => name === command.name)?.commands.map(({ name }) => name) ?? [];
  const flags = command.options.flatMap((option) => option.flags);
  const choices = command.options
    .filter((option) => option.takesValue)
    .map((option) => `        ${option.flags.join(' | ')}) words='${option.choices.join(' ')}' ;;\n`);
  return `      '${command.name}') case $previous in
${choices.join('')}        *) words='${[...below, ...command.choices, ...flags].join(' ')}' skills='${command.skills ? 'yes' : ''}' actions='${command.actions ? 'yes' : ''}' ;;
      esac ;;
`;
}

function isNested(command: CommandWords): boolean {
  return command.name.includes(' ');
}

function firstWords(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(' ')[0] ?? name))];
}
