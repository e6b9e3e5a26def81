#!/usr/bin/env node
// The bin: leaves an old Node for the one this clone brought, answers --version and stored tasks at once, and the rest is cli/frame/main.ts.

import { OLDEST_NODE, tooOldNode } from './base/node-version.ts';
import { VERSION } from './base/version.ts';
import type { Process } from './cli/frame/main.ts';

/** Without a reader a command may still end by itself; one that goes on has nobody to go on for. */
const LEFT_ALONE_MS = 1000;
let hasReaderLeft = false;

void start(process.argv.slice(2));

async function start(args: string[]): Promise<void> {
  const tooOld = tooOldNode();
  if (tooOld !== undefined) return await leaveNode(tooOld, args);
  const around = surroundings();
  if (args.length === 1 && ['--version', '-V', '-v'].includes(args[0] ?? '')) {
    around.stdout.write(`${VERSION}\n`);
    return;
  }
  const compiled = compileCacheFolder();
  if (compiled !== undefined) process.getBuiltinModule('node:module').enableCompileCache(compiled);
  const stored = await answerStored(args, around);
  if (stored !== undefined) {
    process.exitCode = stored;
    return;
  }
  const [{ main }, { COMMANDS }] = await Promise.all([import('./cli/frame/main.ts'), import('./cli/commands.ts')]);
  process.exitCode = await main(args, around, VERSION, COMMANDS);
}

/** Callers that wait for one result come often, and then this is all there is to do. */
async function answerStored([first, ...rest]: string[], around: Process): Promise<number | undefined> {
  if (first !== 'task' || !rest.some((word) => word.startsWith('--key'))) return undefined;
  const { answerStoredTask } = await import('./cli/command/task/stored.ts');
  return answerStoredTask(rest, around);
}

/** A clone was set up with a Node that is new enough; an installed package has none and says what it needs. */
async function leaveNode(tooOld: string, args: string[]): Promise<void> {
  const brought = `${import.meta.dirname}/../node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const { existsSync } = await import('node:fs');
  const [, script] = process.argv;
  if (script !== undefined && existsSync(brought)) {
    const { handOver } = await import('./process/hand-over.ts');
    process.exitCode = await handOver(brought, [script, ...args]);
    return;
  }
  process.stderr.write(`${tooOld} ${waysOut(args)}\n`);
  process.exitCode = 1;
}

/** Each of these works without anything but npm or nvm, and none replaces the Node of the machine. */
function waysOut(args: string[]): string {
  const command = ['skillwright', ...(args.length > 0 ? args : ['--help'])].map(quoted).join(' ');
  const ways = [
    ['this once', `npx -y -p node@${OLDEST_NODE} -- ${command}`],
    ['with nvm', `nvm install ${OLDEST_NODE} && npm install -g skillwright`],
    ['for good', `install Node ${OLDEST_NODE} from https://nodejs.org or your package manager`],
  ];
  return ['It runs with', ...ways.map(([when, how]) => `  ${when}: ${how}`)].join('\n');
}

/** So that the line can be pasted into a shell as it is. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** In the user's own cache, because compiled code in a shared folder could be somebody else's. */
function compileCacheFolder(): string | undefined {
  const { homedir } = process.getBuiltinModule('node:os');
  const { isAbsolute } = process.getBuiltinModule('node:path');
  // A relative folder would be one of the project, and its code would be run.
  const cache = [process.env.XDG_CACHE_HOME ?? '', `${homedir()}/.cache`].find((folder) => isAbsolute(folder));
  if (cache === undefined) return undefined;
  const folders = [cache, `${cache}/skillwright`, `${cache}/skillwright/code`];
  return folders.every(isOwnOrNew) ? folders.at(-1) : undefined;
}

function isOwnOrNew(folder: string): boolean {
  const owner = process.getBuiltinModule('node:fs').statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner === undefined || owner === (process.getuid?.() ?? owner);
}

/** Node makes its streams when they are first looked at, so nobody looks before there is something to say. */
function surroundings(): Process {
  return {
    env: process.env,
    stdout: openOutput(),
    stderr: () => process.stderr,
    stdin: () => process.stdin,
    servers: {
      mcp: () => import('./mcp/serve.ts'),
      mcpOverHttp: () => import('./mcp/http/serve-http.ts'),
    },
  };
}

/** Where no terminal is, straight to the descriptor: Node's stream would take as long to load as a short command. */
function openOutput(): Process['stdout'] {
  const { fstatSync, writeSync } = process.getBuiltinModule('node:fs');
  if (fstatSync(1).isCharacterDevice()) return process.stdout.on('error', stopWriting);
  return {
    write(text) {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length && !hasReaderLeft; ) {
        try {
          written += writeSync(1, bytes, written);
        } catch (error) {
          waitOrStop(error as NodeJS.ErrnoException);
        }
      }
    },
  };
}

/** A pipe that somebody made non-blocking may be full for a while. */
function waitOrStop(error: NodeJS.ErrnoException): void {
  if (error.code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  else stopWriting(error);
}

/** The reader has seen enough; anything else that stops the output is said in one line. */
function stopWriting(error: NodeJS.ErrnoException): void {
  // A socket whose reader left with unread bytes is reset rather than broken.
  if (error.code === 'EPIPE' || error.code === 'ECONNRESET') {
    hasReaderLeft = true;
    // Not at once: process.exit while V8 still compiles in the background can wait for ever (nodejs/node#54918).
    setTimeout(() => process.exit(), LEFT_ALONE_MS).unref();
    return;
  }
  process.stderr.write(`skillwright cannot write its answer: ${error.code}\n`);
  process.exit(1);
}
