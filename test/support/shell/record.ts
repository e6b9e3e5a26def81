// Runs scripts in bash inside the sandbox with recorders in the place of programs, and tells what was really executed.
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { openSandbox } from '../../../src/process/sandbox/sandbox.ts';
import { temporaryFolder } from '../support.ts';
import { missing, orderOf, runOrder, workIn } from '../world/sandbox-support.ts';

export interface Execution {
  /** Programs that were started, by their bare names, with their words. */
  readonly started: readonly (readonly string[])[];
  /** The first words of the commands in bash's own trace. */
  readonly traced: readonly string[];
}

// They do what they are there for: what they start is found among the recorders again.
const REAL = 'env xargs timeout nice nohup stdbuf setsid ionice find sh bash dash time chronic';

// Written in one go, as pipelines write at the same time. A loop ends, since a recorder fails in the end.
const RECORDER = `#!/bin/sh
name=\${0##*/}
printf '%s\\0' "$#" "$name" "$@" >> "$RECORD"
case " ${REAL} " in *" $name "*) [ -x "/usr/bin/$name" ] && exec "/usr/bin/$name" "$@";; esac
echo 'a.txt'
[ "$(/usr/bin/wc -c < "$RECORD")" -lt 600 ] || exit 1
exit "$STATUS"
`;

// Twice: once every program succeeds, once each fails, so that both branches are taken.
const DRIVER = `
cd "$WORK" || exit 1
for file in scripts/*; do
  for status in 0 1; do
    name=\${file##*/}.$status
    /usr/bin/mkdir -p "room/$name/scripts" && cd "room/$name" || exit 1
    : > a.txt; : > b.txt; : > notes.md; /usr/bin/mkdir -p src docs; : > src/a.ts
    /usr/bin/ln -s "$WORK/bin/recorder" scripts/run.sh
    RECORD="$WORK/record/$name" STATUS=$status PATH="$WORK/bin" BASH_XTRACEFD=7 \\
      /usr/bin/timeout 4 "$BASH_FILE" --noprofile --norc -p -x -c -- "$(/usr/bin/cat "$WORK/$file")" \\
      bash one two 7> "$WORK/record/$name.trace" > /dev/null 2>&1 < /dev/null
    cd "$WORK" || exit 1
  done
done
`;

/** By the order of the scripts; undefined where this machine cannot do it. */
export async function recordScripts(
  scripts: readonly string[],
  programs: readonly string[],
  t: TestContext,
): Promise<Execution[] | undefined> {
  const bash = findTrusted('bash');
  if (!bash) return missing(t, 'bash is not installed');
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const sandbox = await openSandbox({ cacheFolder: path.join(folder, 'cache') });
  if (sandbox.tier === 'S0') return missing(t, 'no sandbox here');
  const work = workIn(folder);
  plantRecorders(work, programs);
  for (const [at, script] of scripts.entries()) writeFileSync(path.join(work, 'scripts', number(at)), script);
  const env = { PATH: '/usr/bin:/bin', HOME: work, TMPDIR: work, WORK: work, BASH_FILE: bash };
  const timeoutMs = 20_000 + scripts.length * 2000;
  const ended = await runOrder(sandbox, orderOf({ argv: [bash, '-c', DRIVER], work, timeoutMs }, { env }));
  if (ended.exit !== 0) throw new Error(`driver: ${ended.exit} ${Buffer.from(ended.stderr)}`);
  return scripts.map((_, at) => executionOf(work, number(at)));
}

function number(at: number): string {
  return String(at).padStart(5, '0');
}

function plantRecorders(work: string, programs: readonly string[]): void {
  for (const name of ['bin', 'scripts', 'record', 'room']) mkdirSync(path.join(work, name));
  const recorder = path.join(work, 'bin', 'recorder');
  writeFileSync(recorder, RECORDER);
  chmodSync(recorder, 0o755);
  const names = new Set(
    [...programs, ...REAL.split(' ')].filter((name) => /^[\w+-][\w.+-]*$/.test(name) && name !== 'recorder'),
  );
  for (const name of names) symlinkSync('recorder', path.join(work, 'bin', name));
  for (const name of ['scripts', 'record', 'room']) chmodSync(path.join(work, name), 0o777);
}

function executionOf(work: string, name: string): Execution {
  const folder = path.join(work, 'record');
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  return {
    started: files.filter((file) => !file.endsWith('.trace')).flatMap((file) => recordsIn(read(file))),
    traced: files.filter((file) => file.endsWith('.trace')).flatMap((file) => tracedIn(read(file))),
  };
}

function recordsIn(text: string): string[][] {
  const parts = text.split('\0');
  const found: string[][] = [];
  for (let at = 0; at < parts.length - 1; ) {
    const count = Number(parts[at]);
    found.push(parts.slice(at + 1, at + 2 + count));
    at += 2 + count;
  }
  return found;
}

/** The name of each command; assignments and the heads of loops start nothing. */
function tracedIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [, word = ''] = /^\++ (\S+)/.exec(line) ?? [];
    const isHead = word === '' || /^[A-Za-z_]\w*(?:\[.*\])?\+?=/.test(word) || word === 'for' || word === 'case';
    return isHead ? [] : [word.replaceAll("'", '')];
  });
}
