// The file descriptors of a new process: those it should have, and none inherited from our own parent.
import { accessSync, closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openNameless, openScratch } from '../../base/open-file.ts';
import { FIRST_HANDED, type Handed, OWN_INPUT } from '../order.ts';
import { openPipe } from './pipes.ts';

type Stdio = 'pipe' | 'ignore' | 'ipc' | number;

/** Standard input that stays open while the process lives. */
export const KEPT_OPEN = 1;

export interface Descriptors {
  readonly stdio: Stdio[];
  /** Our ends of its standard output and error where these are pipes; we close them. */
  readonly output?: { readonly stdout: number; readonly stderr: number };
  /** Our end of a standard input that stays open; we close it. */
  readonly input?: number;
  /** The launcher's own report; we close it. */
  readonly report?: number;
  /** The number under which the process can ask us. */
  readonly host?: number;
  /** Closes our copies of descriptors the process has by then. */
  close(): void;
}

export interface DescriptorOptions {
  readonly stdin: Uint8Array | string | typeof OWN_INPUT | typeof KEPT_OPEN | undefined;
  /** Where contents and pipes are created before they are unlinked. */
  readonly folder: string | undefined;
  /** Where the pool of pipes is kept. */
  readonly pipes?: string | undefined;
  readonly handed: readonly Handed[];
  /** False only where a probe imitates a careless host. */
  readonly hideInherited: boolean;
}

/** Standard input is an unlinked file, because scripts reopen /dev/stdin, which no socket allows. */
export function openDescriptors(options: DescriptorOptions): Descriptors {
  const { stdin, folder, handed, hideInherited } = options;
  const theirs = new OpenList();
  const ours = new OpenList();
  const readable = (content: string | Uint8Array) => theirs.add(openNameless(folder ?? memoryFolder(), content));
  try {
    const output = openOutput(options, theirs, ours);
    const input = stdin === KEPT_OPEN ? openInput(options, theirs, ours) : { stdio: inputOf(stdin, readable) };
    const report = handed.includes('report') ? ours.add(openScratch(memoryFolder())) : undefined;
    const stdio: Stdio[] = [
      input.stdio,
      ...output.stdio,
      ...handed.map((one): Stdio => {
        if (one === 'report') return report ?? 'ignore';
        if (one === 'host') return 'pipe';
        if (one === 'channel') return 'ipc';
        return one instanceof Uint8Array ? readable(one) : theirs.add(openSync(one.write, constants.O_WRONLY));
      }),
    ];
    if (hideInherited) coverInherited(stdio, theirs);
    return {
      stdio,
      close: () => theirs.close(),
      ...(output.ours && { output: output.ours }),
      ...('ours' in input && { input: input.ours }),
      ...(report !== undefined && { report }),
      ...(handed.includes('host') && { host: FIRST_HANDED + handed.indexOf('host') }),
    };
  } catch (error) {
    theirs.close();
    ours.close();
    throw error;
  }
}

function inputOf(
  stdin: Exclude<DescriptorOptions['stdin'], typeof KEPT_OPEN>,
  readable: (content: string | Uint8Array) => number,
): Stdio {
  // A file of a person would be handed over itself, with its mode and its times; a copy of its bytes is enough.
  if (stdin === OWN_INPUT) return fstatSync(OWN_INPUT).isFile() ? readable(readFileSync(OWN_INPUT)) : OWN_INPUT;
  return stdin === undefined || stdin.length === 0 ? 'ignore' : readable(stdin);
}

/** A pipe where available, else the socket Node makes. */
function openInput({ folder, pipes }: DescriptorOptions, theirs: OpenList, ours: OpenList) {
  const pipe = folder === undefined || pipes === undefined ? undefined : openPipe(pipes, folder);
  if (!pipe) return { stdio: 'pipe' as const };
  return { stdio: theirs.add(pipe.read), ours: ours.add(pipe.write) };
}

class OpenList {
  readonly #descriptors: number[] = [];

  add(descriptor: number): number {
    this.#descriptors.push(descriptor);
    return descriptor;
  }

  close(): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor);
  }
}

/** Pipes where available, else the sockets Node makes. */
function openOutput({ folder, pipes }: DescriptorOptions, theirs: OpenList, ours: OpenList) {
  const sockets: { stdio: Stdio[]; ours?: NonNullable<Descriptors['output']> } = { stdio: ['pipe', 'pipe'] };
  if (folder === undefined || pipes === undefined) return sockets;
  const [stdout, stderr] = [openPipe(pipes, folder), openPipe(pipes, folder)];
  for (const pipe of [stdout, stderr]) {
    if (pipe) theirs.add(pipe.write);
    if (pipe) ours.add(pipe.read);
  }
  if (stdout && stderr)
    return { stdio: [stdout.write, stderr.write], ours: { stdout: stdout.read, stderr: stderr.read } };
  theirs.close();
  ours.close();
  return sockets;
}

// Node closes most inherited descriptors itself, but not those above a gap; those are replaced with /dev/null.
function coverInherited(stdio: Stdio[], theirs: OpenList): void {
  const uncovered = inheritedDescriptors().filter((descriptor) => descriptor >= stdio.length);
  if (uncovered.length === 0) return;
  const nothing = theirs.add(openSync('/dev/null', 'r'));
  for (const descriptor of uncovered) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = nothing;
  }
}

let inherited: readonly number[] | undefined;

/** Descriptors of this process that a child would inherit; all of them were open when it started. */
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
