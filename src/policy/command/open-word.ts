// Words known only when a command runs: which programs may take them without a doubt about what they run.
import { isOpen, isOperand, type OpenWord, type ShellWord } from '../shell/script.ts';
import { type ProgramFacts, programName } from './facts.ts';

const AT_RUN_TIME = 'has words that are known only at run time';

/** Why open words may change what runs; the interpreter's own check is the caller's. */
export function refuseOpen(words: readonly ShellWord[], facts: ProgramFacts | undefined): string | undefined {
  const [first, ...rest] = words;
  if (!words.some(isOpen)) return undefined;
  if (first === undefined || isOpen(first)) return 'the program is known only at run time';
  if (facts?.kind === 'inert') return undefined;
  // A file of its own: what it makes of its arguments is what was allowed.
  if (!facts) return first.includes('/') ? undefined : `${first} ${AT_RUN_TIME}`;
  if (facts.kind !== undefined) return undefined;
  const end = takesPaths(words, facts) ? rest.indexOf('--') : -1;
  const before = end === -1 ? rest : rest.slice(0, end);
  const unsure = before.find((word, at) => isOpen(word) && mayBeRefused(word, at, first, facts));
  return unsure === undefined ? undefined : `${first} ${AT_RUN_TIME}`;
}

// Behind `--` they name files, and no other repository.
const ABOUT_PATHS = new Set(
  'add rm checkout restore reset diff log show blame status commit ls-files stash'.split(' '),
);

/** Whether the words behind `--` are files and nothing else. */
function takesPaths([first, second]: readonly ShellWord[], facts: ProgramFacts): boolean {
  if (first === undefined || isOpen(first) || facts.words) return false;
  if (programName(first) !== 'git') return true;
  return second !== undefined && !isOpen(second) && ABOUT_PATHS.has(second);
}

/** Whether one of its values could be what the facts warn of. */
function mayBeRefused(word: OpenWord, at: number, program: string, facts: ProgramFacts): boolean {
  const { prefix } = word;
  const isValue = word.single && /^--?[\w-]+=/.test(prefix);
  if (!isOperand(word) && !isValue) return true;
  // Unquoted, the rest of it may fall apart into options.
  if (!word.single && !/[*?[{]/.test(word.text)) return true;
  if (facts.fileSign !== undefined || (facts.bundled === true && at === 0)) return true;
  const warned = [...(facts.words ?? []), ...(facts.starts ?? [])];
  if (warned.some((text) => text.startsWith(prefix))) return true;
  return /^g?make$/.test(programName(program)) && !prefix.includes('/');
}
