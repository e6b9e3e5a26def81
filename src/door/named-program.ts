// What a call would start, by its common name: settings that list programs are about that name.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isInside } from '../base/paths.ts';
import { commonName } from '../policy/command/common-name.ts';
import { findProgram, isSystemFile } from '../process/program.ts';
import { interpreterInShebang, interpreterOf } from '../process/shebang.ts';
import type { Door } from './door.ts';
import type { Program } from './work.ts';

/** A script is run by its interpreter. Undefined for what has no name that a list could hold. */
export function nameProgram(
  program: Program,
  folder: string | undefined,
  door: Pick<Door, 'places' | 'env' | 'interpreters'>,
): string | undefined {
  if ('script' in program) {
    const file = folder === undefined ? program.script : path.join(folder, program.script);
    return program.interpreter ?? interpreterOfFile(file, door);
  }
  if ('shell' in program) return 'bash';
  const [written] = program.argv;
  if (!written.includes('/')) return commonName(written);
  const { project } = door.places;
  const file = path.resolve(project, written);
  if (isInside(project, file)) return interpreterOfFile(file, door);
  // Only the program that its name alone would start is that program.
  const name = path.basename(file);
  return findProgram(name, { path: door.env.PATH ?? '', project }) === file ? commonName(name) : undefined;
}

/** A program that is no interpreter of the settings and lies outside the system's folders: the sandbox would have to be shown it. */
export function isFromElsewhere(program: Program, door: Pick<Door, 'places' | 'env' | 'interpreters'>): boolean {
  if ('script' in program) return false;
  const started = 'shell' in program ? program.commands.flatMap(([first]) => first ?? []) : [program.argv[0]];
  return started.some((written) => liesElsewhere(written, door));
}

function liesElsewhere(written: string, { places, env, interpreters }: Pick<Door, 'places' | 'env' | 'interpreters'>) {
  const { project } = places;
  if (!written.includes('/')) {
    const known = interpreterInShebang(`#!${written}`);
    if (known !== undefined && interpreters.includes(known)) return false;
    const found = findProgram(written, { path: env.PATH ?? '', project });
    return found !== undefined && !isSystemFile(found);
  }
  const file = path.resolve(project, written);
  return !isInside(project, file) && !isSystemFile(file);
}

function interpreterOfFile(file: string, { interpreters }: Pick<Door, 'interpreters'>): string | undefined {
  try {
    return interpreterOf(file, interpreters);
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
}
