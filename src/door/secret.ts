// Secrets a skill declares: from the environment of the command or a file it names, and never let out again.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createRedactor, type Redactor } from '../audit/redact.ts';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import type { Progress } from '../process/progress.ts';
import type { Door } from './door.ts';
import type { Executed } from './executed.ts';
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

/** Nothing a skill was trusted with leaves through its output, nor through the names of its results. */
export function withoutSecrets(executed: Executed, secrets: Secrets): Executed {
  const redactor = redactorOf(secrets);
  if (!redactor) return executed;
  const { ended, outputs } = executed;
  const clean = <Named extends { path: string }>(one: Named): Named => ({ ...one, path: redactor.text(one.path) });
  return {
    ...executed,
    ended: { ...ended, stdout: redactor.bytes(ended.stdout), stderr: redactor.bytes(ended.stderr) },
    outputs: { copied: outputs.copied.map(clean), refused: outputs.refused.map(clean) },
  };
}

/** Nor through what it says while it runs. */
export function progressWithoutSecrets(
  report: (progress: Progress) => void,
  secrets: Secrets,
): (progress: Progress) => void {
  const redactor = redactorOf(secrets);
  return redactor ? (progress) => report({ ...progress, message: redactor.text(progress.message) }) : report;
}

/** Whether a name would carry one out; undefined where there are none. */
export function spellsSecret(secrets: Secrets): ((name: string) => boolean) | undefined {
  const redactor = redactorOf(secrets);
  return redactor && ((name) => redactor.text(name) !== name);
}

/** Both streams as one, where a secret that was split over them would stand whole again. */
export function printedWithoutSecrets({ ended }: Executed, secrets: Secrets): Uint8Array {
  const { stdout, stderr } = ended;
  const joined = stderr.length === 0 ? stdout : Buffer.concat([stdout, stderr]);
  return redactorOf(secrets)?.bytes(joined) ?? joined;
}

function redactorOf(secrets: Secrets): Redactor | undefined {
  const named = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  return named.length === 0 ? undefined : createRedactor(named);
}
