// Which programs run other programs, and through which of their options; prefix rules must not stretch over those.
import { BUILDS_CODE } from './caution/builds-code.ts';
import type { Caution } from './caution/caution.ts';
import { CHECKS_CODE } from './caution/checks-code.ts';
import { FETCHES_PACKAGES } from './caution/fetches-packages.ts';
import { HANDLES_FILES } from './caution/handles-files.ts';
import { MAKES_DOCUMENTS } from './caution/makes-documents.ts';
import { ALIASES } from './caution/other-names.ts';
import { REACHES_HOSTS } from './caution/reaches-hosts.ts';
import { INTERPRETERS, LAUNCHERS } from './caution/runs-programs.ts';

export type { Caution } from './caution/caution.ts';

// Cross compilers are named by their machine, the loader of a machine by its own name.
const CROSS = /^[a-z0-9_]+(?:-[a-z0-9_]+){1,3}-(gcc|g\+\+|cc|c\+\+|cpp|clang|clang\+\+|gfortran|ld|ar|nm)$/;
const LOADER = /^ld-(?:linux|musl).*\.so/;

const CAUTIONS = new Map<string, Caution>([
  ...INTERPRETERS.split(' ').map((name): [string, Caution] => [name.toLowerCase(), { kind: 'interpreter' }]),
  ...LAUNCHERS.split(' ').map((name): [string, Caution] => [name.toLowerCase(), { kind: 'launcher' }]),
  ...[BUILDS_CODE, CHECKS_CODE, FETCHES_PACKAGES, REACHES_HOSTS, HANDLES_FILES, MAKES_DOCUMENTS].flatMap(
    Object.entries<Caution>,
  ),
]);

/** The bare name of a program: without folder and `.exe`, in small letters. */
export function programName(word: string): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return base.replace(/\.(exe|cmd|bat|com)$/, '');
}

/** `python3.12` is as dangerous as `python`, and `x86_64-linux-gnu-g++-12` as `gcc`. */
export function cautionFor(program: string): Caution | undefined {
  if (LOADER.test(program)) return { kind: 'launcher' };
  const plain = program.replace(/(?<=[a-z+])-?\d+(\.\d+)*$/, '');
  for (const name of [program, plain, CROSS.exec(plain)?.[1] ?? '']) {
    const caution = CAUTIONS.get(name) ?? CAUTIONS.get(ALIASES[name] ?? '');
    if (caution) return caution;
  }
  return undefined;
}

/** A shell, an interpreter, or anything else that turns its arguments into a program. */
export function runsOtherPrograms(word: string): boolean {
  return cautionFor(programName(word))?.kind !== undefined;
}
