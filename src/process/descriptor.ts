// Descriptors of a new process: those it is meant to have, and none that were left open by whoever started us.
import { accessSync, closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openNameless } from '../base/files.ts';

type Stdio = 'pipe' | 'ignore' | number;

export interface Descriptors {
  readonly stdio: Stdio[];
  /** Closes our side; the process has its own by then. */
  close(): void;
}

export interface DescriptorOptions {
  readonly stdin: Uint8Array | string | undefined;
  /** Where contents lie until they lose their name. */
  readonly folder: string | undefined;
  readonly contents: readonly Uint8Array[];
  /** False only where a probe plays a careless host. */
  readonly hideInherited: boolean;
}

/** Standard input is a file without a name, because scripts reopen /dev/stdin, which no socket allows. */
export function openDescriptors({ stdin, folder, contents, hideInherited }: DescriptorOptions): Descriptors {
  const opened: number[] = [];
  const open = (content: string | Uint8Array): number => {
    const descriptor = openNameless(folder ?? memoryFolder(), content);
    opened.push(descriptor);
    return descriptor;
  };
  const close = (): void => {
    for (const descriptor of opened.splice(0)) closeSync(descriptor);
  };
  try {
    const hasInput = stdin !== undefined && stdin.length > 0;
    const stdio: Stdio[] = [hasInput ? open(stdin) : 'ignore', 'pipe', 'pipe', ...contents.map(open)];
    if (hideInherited) coverInherited(stdio, opened);
    return { stdio, close };
  } catch (error) {
    close();
    throw error;
  }
}

// Node closes most inherited descriptors itself, but not those above a gap; over these /dev/null is laid.
function coverInherited(stdio: Stdio[], opened: number[]): void {
  const uncovered = inheritedDescriptors().filter((descriptor) => descriptor >= stdio.length);
  if (uncovered.length === 0) return;
  const nothing = openSync('/dev/null', 'r');
  opened.push(nothing);
  for (const descriptor of uncovered) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = nothing;
  }
}

let inherited: readonly number[] | undefined;

/** Descriptors of this process that a child would get unasked; all of them were there when it started. */
function inheritedDescriptors(): readonly number[] {
  inherited ??= process.platform === 'linux' ? findInherited() : [];
  return inherited;
}

const CLOSE_ON_EXEC = 0o2000000;

function findInherited(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !closesOnExec(descriptor))
    .sort((a, b) => a - b);
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}

let chosen: string | undefined;

// Memory rather than disk, where there is such a folder.
function memoryFolder(): string {
  chosen ??= isWritable('/dev/shm') ? '/dev/shm' : tmpdir();
  return chosen;
}

function isWritable(candidate: string): boolean {
  try {
    accessSync(candidate, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
