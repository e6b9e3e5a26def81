// Secrets a skill declares: taken from the environment of the command, and never let out again.
import { createRedactor } from '../audit/redact.ts';
import { Fault } from '../base/errors.ts';
import type { Door } from './door.ts';
import type { Executed } from './execute.ts';
import type { Work } from './work.ts';

export type Secrets = Readonly<Record<string, string>>;

/** Throws a Fault that names the ones nobody has set. */
export function secretsFor({ secrets }: Work, { env }: Door): Secrets {
  const missing = secrets.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new Fault('ParamMissing', missing.join(', '), {
      hint: { en: 'Set it in the environment of this command.', zh: '请在运行此命令的环境中设置。' },
    });
  }
  return Object.fromEntries(secrets.map((name) => [name, env[name] ?? '']));
}

/** Nothing a skill was trusted with leaves through its output. */
export function withoutSecrets(executed: Executed, secrets: Secrets): Executed {
  const named = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  if (named.length === 0) return executed;
  const redactor = createRedactor(named);
  const { ended } = executed;
  return {
    ...executed,
    ended: { ...ended, stdout: redactor.bytes(ended.stdout), stderr: redactor.bytes(ended.stderr) },
  };
}
