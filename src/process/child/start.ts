// Starts a process with the descriptors it should have, and none besides.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { TAG_NAME } from '../kill-tree.ts';
import type { Launch } from '../order.ts';
import { answerLauncher } from './bridge.ts';
import type { Streams } from './collect.ts';
import { type DescriptorOptions, type Descriptors, openDescriptors } from './descriptor.ts';

export interface StartOptions {
  readonly stdin?: DescriptorOptions['stdin'];
  /** A folder the process may read, so that it can open its input by name under every tier; its work folder. */
  readonly inputFolder?: string | undefined;
  /** A folder of our own on the same disk with the pool of pipes; without one it gets sockets. */
  readonly pipes?: string | undefined;
  readonly tag: string;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly streams: Streams;
  readonly report: number | undefined;
  /** Where its standard input was to stay open. */
  readonly input: Writable | null;
}

export function start(launch: Launch, { stdin, inputFolder: folder, pipes, tag }: StartOptions): StartedProcess {
  const descriptors = openDescriptors({ stdin, folder, pipes, handed: launch.descriptors, hideInherited: true });
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.env, [TAG_NAME]: tag },
      stdio: descriptors.stdio,
      detached: true,
      ...(launch.uid !== undefined && { uid: launch.uid }),
      ...(launch.gid !== undefined && { gid: launch.gid }),
    });
    answerLauncher(child, descriptors);
    return {
      child,
      streams: streamsOf(descriptors, child),
      report: descriptors.report,
      input: inputOf(descriptors, child),
    };
  } catch (error) {
    const { output, input, report } = descriptors;
    for (const ours of [output?.stdout, output?.stderr, input, report]) if (ours !== undefined) closeSync(ours);
    throw startFault(launch.file, error);
  } finally {
    descriptors.close();
  }
}

function streamsOf({ output }: Descriptors, child: ChildProcess): Streams {
  if (!output) return { stdout: child.stdout, stderr: child.stderr };
  const read = (fd: number) => new Socket({ fd, readable: true, writable: false });
  return { stdout: read(output.stdout), stderr: read(output.stderr) };
}

function inputOf({ input }: Descriptors, child: ChildProcess): Writable | null {
  return input === undefined ? child.stdin : new Socket({ fd: input, readable: false, writable: true });
}

function startFault(file: string, error: unknown): Fault {
  const code = errorCode(error) ?? '';
  const reason = error instanceof Error ? error.message : String(error);
  const type = code === 'E2BIG' || code === 'ERR_INVALID_ARG_VALUE' ? 'InvalidArgs' : 'RuntimeFailed';
  return new Fault(type, `${file}: ${reason}`, { details: { program: file, code }, cause: error });
}

export interface Exit {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
}

// On `exit`, not on `close`: a daemon that holds stdout would keep the pipes open for as long as it lives.
export function whenExited(child: ChildProcess, file: string): Promise<Exit> {
  const { promise, resolve, reject } = Promise.withResolvers<Exit>();
  child.once('exit', (exit, signal) => resolve({ exit, signal }));
  child.once('error', (error) => reject(startFault(file, error)));
  return promise;
}

// Without a pid there is nothing to end, and pid 0 would mean ourselves.
export async function neverStarted(exited: Promise<Exit>): Promise<never> {
  await exited;
  throw new Error('a process that never started has ended');
}
