// What is known of programs, by their names; of a program that is not here, nothing is.
import { BUILDS_CODE } from './fact/builds-code.ts';
import { CHECKS_CODE } from './fact/checks-code.ts';
import type { ProgramFacts } from './fact/fact.ts';
import { FETCHES_PACKAGES } from './fact/fetches-packages.ts';
import { HANDLES_FILES } from './fact/handles-files.ts';
import { INERT } from './fact/keeps-to-itself.ts';
import { MAKES_DOCUMENTS } from './fact/makes-documents.ts';
import { ALIASES } from './fact/other-names.ts';
import { REACHES_HOSTS } from './fact/reaches-hosts.ts';
import { INTERPRETERS, LAUNCHERS } from './fact/runs-programs.ts';

export type { ProgramFacts } from './fact/fact.ts';

// Cross compilers are named by their machine, the loader of a machine by its own name.
const CROSS = /^[a-z0-9_]+(?:-[a-z0-9_]+){1,3}-(gcc|g\+\+|cc|c\+\+|cpp|clang|clang\+\+|gfortran|ld|ar|nm)$/;
const LOADER = /^ld-(?:linux|musl).*\.so/;

const FACTS = new Map<string, ProgramFacts>([
  ...INERT.split(' ').map((name): [string, ProgramFacts] => [name, { kind: 'inert' }]),
  ...INTERPRETERS.split(' ').map((name): [string, ProgramFacts] => [name.toLowerCase(), { kind: 'interpreter' }]),
  ...LAUNCHERS.split(' ').map((name): [string, ProgramFacts] => [name.toLowerCase(), { kind: 'launcher' }]),
  ...[BUILDS_CODE, CHECKS_CODE, FETCHES_PACKAGES, REACHES_HOSTS, HANDLES_FILES, MAKES_DOCUMENTS].flatMap(
    Object.entries<ProgramFacts>,
  ),
]);

/** The bare name of a program: without folder and `.exe`, in small letters. */
export function programName(word: string): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return base.replace(/\.(exe|cmd|bat|com)$/, '');
}

/** `python3.12` is as dangerous as `python`, and `x86_64-linux-gnu-g++-12` as `gcc`. */
export function factsFor(program: string): ProgramFacts | undefined {
  if (LOADER.test(program)) return { kind: 'launcher' };
  const plain = program.replace(/(?<=[a-z+])-?\d+(\.\d+)*$/, '');
  for (const name of [program, plain, CROSS.exec(plain)?.[1] ?? '']) {
    const facts = FACTS.get(name) ?? FACTS.get(ALIASES[name] ?? '');
    if (facts) return facts;
  }
  return undefined;
}

/** A shell, an interpreter, or anything else that turns its arguments into a program. */
export function runsOtherPrograms(word: string): boolean {
  const kind = factsFor(programName(word))?.kind;
  return kind !== undefined && kind !== 'inert';
}
