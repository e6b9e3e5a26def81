// Compares what a shell executed with what was judged: everything that was started stands in the list.
import { isOpen, type JudgedScript, type ShellWord } from '../../../src/policy/shell/script.ts';
import type { Execution } from './record.ts';

/** What was executed and not judged. */
export function unforeseen({ commands }: JudgedScript, { started, traced }: Execution): string[] {
  const names = new Set(
    commands.flatMap(({ words: [first] }) => (typeof first === 'string' ? first.split('\n', 1) : [])),
  );
  const programs = commands.filter(({ kind }) => kind === 'program' || kind === 'wrapper').map(({ words }) => words);
  const unknown = started.filter((argv) => !programs.some((words) => matches(words, argv)));
  return [
    ...unknown.map((argv) => `started: ${JSON.stringify(argv)}`),
    ...traced.filter((name) => !names.has(name)).map((name) => `traced: ${name}`),
  ];
}

function matches([first = '', ...words]: readonly ShellWord[], [name = '', ...argv]: readonly string[]): boolean {
  if (isOpen(first) || first.slice(first.lastIndexOf('/') + 1) !== name) return false;
  // Its own words are listed without those of the commands it starts.
  return name === 'find' || fits(words, argv);
}

function fits(words: readonly ShellWord[], argv: readonly string[]): boolean {
  const [word, ...rest] = words;
  const [given, ...others] = argv;
  if (word === undefined) return argv.length === 0;
  if (!isOpen(word)) return word === given && fits(rest, others);
  if (word.single) return given?.startsWith(word.prefix) === true && fits(rest, others);
  return fits(rest, argv) || (given !== undefined && fits([{ ...word, prefix: '' }, ...rest], others));
}
