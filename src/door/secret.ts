// Variables that calls are given: from the environment of the command or a file it names, and never let out again.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Door } from './door.ts';
import type { Work } from './work.ts';

export type Secrets = Readonly<Record<string, string>>;

const FILE_LIMIT = 64 * 1024;

/** Throws a Fault that names the ones nobody has set. */
export function secretsFor({ secrets }: Pick<Work, 'secrets'>, { env }: Pick<Door, 'env'>): Secrets {
  const found = secrets.map((name) => [name, readSecret(name, env)] as const);
  const missing = found.flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) {
    const files = missing.map((name) => `${name}_FILE`).join(', ');
    throw new Fault('ParamMissing', missing.join(', '), {
      details: { missing, secrets: true },
      hint: {
        en: `Set it in the environment of this command, or name a file that holds it with ${files}.`,
        zh: `请在运行此命令的环境中设置，或用 ${files} 指定存放它的文件。`,
      },
    });
  }
  return Object.fromEntries(found.map(([name, value]) => [name, value ?? '']));
}

/** `NAME`, or the content of the file `NAME_FILE` names; undefined where neither is set. */
export function readSecret(name: string, env: Door['env']): string | undefined {
  const file = env[`${name}_FILE`];
  return env[name] || (file ? readSecretFile(name, file) : undefined);
}

function readSecretFile(name: string, file: string): string {
  try {
    const state = path.isAbsolute(file) ? statSync(file) : undefined;
    if (state?.isFile() && state.size <= FILE_LIMIT) return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    // What keeps it from being read is said below.
  }
  throw new Fault('ParamMissing', visible(`${name} (${name}_FILE: ${file})`), {
    details: { missing: [name], secrets: true },
    hint: {
      en: `${name}_FILE must be the whole path of a file of at most ${FILE_LIMIT} bytes that you may read.`,
      zh: `${name}_FILE 须为可读文件的绝对路径，且不超过 ${FILE_LIMIT} 字节。`,
    },
  });
}

/** In memory only: what the calls of a run were given, by the workspace they share. */
const given = new WeakMap<Workspace, Secrets>();

/** These, and all that earlier calls of the run were given: a later one can print what an earlier one wrote. */
export function knownSecrets(secrets: Secrets, door: Pick<Door, 'workspace' | 'env'>): Secrets {
  const { workspace, env } = door;
  const before = { ...given.get(workspace), ...secrets };
  const layer = workspace.opened();
  const others = layer?.variables.names().filter((name) => before[name] === undefined) ?? [];
  const known = others.length === 0 ? before : { ...before, ...secretsFor({ secrets: others }, { env }) };
  if (Object.keys(known).length === 0) return known;
  given.set(workspace, known);
  layer?.variables.give(Object.keys(known));
  return known;
}
