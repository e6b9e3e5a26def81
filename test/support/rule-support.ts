// What tests of rules share: the command line, asked in a project and answering as a program reads it.
import assert from 'node:assert/strict';
import type { FlatOutcome } from '../../src/base/flat-outcome.ts';
import { home } from './door-support.ts';
import { type CliResult, runCli } from './support.ts';

export interface Answer extends FlatOutcome {
  readonly code: number | null;
}

export async function ask(
  cwd: string,
  words: readonly string[],
  { at = home, env = {} }: { readonly at?: string; readonly env?: Record<string, string> } = {},
): Promise<Answer> {
  return readAnswer(await runCli([...words, '--json'], { cwd, home: at, env }));
}

export function readAnswer({ code, stdout, stderr }: CliResult): Answer {
  assert.match(stdout, /^\{/, stderr);
  return { code, ...(JSON.parse(stdout) as FlatOutcome) };
}

/** The two lines a person or a model reads, without what differs from call to call. */
export async function askCompact(cwd: string, words: readonly string[]): Promise<string[]> {
  const { stdout } = await runCli([...words, '--format', 'compact'], { cwd, home });
  const meta = /time: [\d.]+, ts: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/;
  assert.match(stdout, meta);
  return stdout.trimEnd().replace(meta, 'time, ts').split('\n');
}
