// What a call leaves, without the values of variables: its streams, its names, its question, what it says while it runs.
import { createRedactor, type Redactor } from '../../audit/redact.ts';
import { isRecord } from '../../base/json.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import type { Progress } from '../../process/progress.ts';
import type { Executed } from '../executed.ts';
import type { Secrets } from '../secret.ts';

/** Nothing a skill was trusted with leaves through its output, nor through the names of its results. */
export function withoutSecrets(executed: Executed, secrets: Secrets): Executed {
  const redactor = redactorOf(secrets);
  if (!redactor) return executed;
  const { ended, outputs, asked } = executed;
  const [stdout, stderr] = redactor.streams([ended.stdout, ended.stderr]);
  const unstarted = ended.unstarted !== undefined && { unstarted: redactor.text(ended.unstarted) };
  const clean = <Named extends { path: string }>(one: Named): Named => ({ ...one, path: redactor.text(one.path) });
  return {
    ...executed,
    ended: { ...ended, stdout, stderr, ...unstarted },
    outputs: { copied: outputs.copied.map(clean), refused: outputs.refused.map(clean) },
    ...(asked !== undefined && { asked: redactor.text(asked) }),
    ...(executed.attempts && { attempts: executed.attempts.map((attempt) => redactHost(attempt, redactor)) }),
  };
}

/** Nor through the names of hosts it asks for. */
export function attemptWithoutSecrets(attempt: HostAttempt, secrets: Secrets): HostAttempt {
  const redactor = redactorOf(secrets);
  return redactor ? redactHost(attempt, redactor) : attempt;
}

function redactHost(attempt: HostAttempt, redactor: Redactor): HostAttempt {
  return { ...attempt, host: redactor.text(attempt.host) };
}

/** Nor through what it says while it runs, be it letter by letter. */
export function progressWithoutSecrets(
  report: (progress: Progress) => void,
  secrets: Secrets,
): (progress: Progress) => void {
  const redact = redactorOf(secrets)?.inSequence();
  return redact ? (progress) => report({ ...progress, message: redact(progress.message) }) : report;
}

/** What is told of other calls of the run, which may name or read what a script has written. */
export function toldWithoutSecrets<Told extends Outcome | Record<string, unknown>>(told: Told, secrets: Secrets): Told {
  const redactor = redactorOf(secrets);
  return redactor ? (cleaned(told, redactor) as Told) : told;
}

function cleaned(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((one) => cleaned(one, redactor));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [redactor.text(key), cleaned(one, redactor)]));
}

/** Those of the variables that are too short to be taken out in every form. */
export function tooShortIn(secrets: Secrets): readonly string[] {
  return redactorOf(secrets)?.tooShort ?? [];
}

/** Undefined where there are none. */
export function redactorOf(secrets: Secrets): Redactor | undefined {
  const named = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  return named.length === 0 ? undefined : createRedactor(named);
}
