// The completion script of bash.
import type { CommandWords, Vocabulary } from './completion-words.ts';

export function bashScript({ commands, valued }: Vocabulary): string {
  const names = commands.map(({ name }) => name);
  return `# skillwright completion for bash
_skillwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local first='' second='' word at words='' skills=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      ${valued.join(' | ')}) ((at++)) ;;
      -*) ;;
      *) if [[ -z $first ]]; then first=$word; elif [[ -z $second ]]; then second=$word; fi ;;
    esac
  done
  case "$first $second" in
${commands.filter(isNested).map(branch).join('')}    *) case $first in
${commands
  .filter((command) => !isNested(command))
  .map(branch)
  .join('')}      *) words='${firstWords(names).join(' ')}' ;;
    esac ;;
  esac
  if [[ -n $skills && $current != -* ]]; then words+=" $(skillwright completion --skills 2>/dev/null)"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _skillwright skillwright
`;
}

function branch(command: CommandWords): string {
  const flags = command.options.flatMap((option) => option.flags);
  const choices = command.options
    .filter((option) => option.takesValue)
    .map((option) => `        ${option.flags.join(' | ')}) words='${option.choices.join(' ')}' ;;\n`);
  return `      '${command.name}') case $previous in
${choices.join('')}        *) words='${[...command.choices, ...flags].join(' ')}' skills='${command.skills ? 'yes' : ''}' ;;
      esac ;;
`;
}

function isNested(command: CommandWords): boolean {
  return command.name.includes(' ');
}

function firstWords(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(' ')[0] ?? name))];
}
