// The program of a server: where it is, and the digest by which a person may let it run without a sandbox.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import type { ProgramServer } from '../../config/value.ts';
import { findProgram, isUsable } from '../../process/program.ts';
import type { Door } from '../door.ts';

export interface ServerProgram {
  readonly file: string;
  /** Of its words, what it is given, and the bytes of each file among the words: another one is another program. */
  readonly digest: Digest;
}

/** Throws a Fault where no program of that name may be started. */
export function serverProgram(
  name: string,
  settings: ProgramServer,
  around: Pick<Door, 'env' | 'places'>,
): ServerProgram {
  const file = programOf(name, settings, around);
  const { command, variables } = settings;
  const files = [file, ...command.slice(1)].map((word) => bytesOf(path.resolve(outsidePlace(around), word)));
  return { file, digest: makeDigest(JSON.stringify({ command, variables, files })) };
}

/** Where it is started without a sandbox: in the project a module, a package or a relative path could be the project's. */
export function outsidePlace({ env, places }: Pick<Door, 'env' | 'places'>): string {
  return env.HOME ?? places.home;
}

function bytesOf(file: string): string | null {
  try {
    return makeDigest(readFileSync(file));
  } catch {
    return null;
  }
}

/** By its path, or by its name on the user's PATH; never one of the project. */
function programOf(
  name: string,
  { command: [program = ''] }: ProgramServer,
  { env, places }: Pick<Door, 'env' | 'places'>,
): string {
  const search = { path: env.PATH ?? '', project: places.project };
  const file = path.isAbsolute(program)
    ? isUsable(program, places.project)
      ? program
      : undefined
    : findProgram(program, search);
  if (file !== undefined) return file;
  const shown = visible(program);
  throw new Fault(
    'RuntimeFailed',
    {
      en: `mcp_servers.${name}: no program ${shown} may be started`,
      zh: `mcp_servers.${name}: 没有可启动的程序 ${shown}`,
    },
    {
      reason: 'missing-part',
      details: { server: name, program: shown },
      hint: {
        en: 'It is looked for on your PATH, outside the project and where nobody else can replace it.',
        zh: '程序须位于 PATH 中、项目之外，且其他用户无法替换。',
      },
    },
  );
}
