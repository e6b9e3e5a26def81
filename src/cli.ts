#!/usr/bin/env node
// The bin: leaves an old Node for the one this clone brought, answers --version at once, and the rest is cli/main.ts.

const OLDEST_NODE = 24;

void start(process.argv.slice(2));

async function start(args: string[]): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) return await leaveNode(args);
  const version = readVersion();
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  process.stdout.on('error', stopWriting);
  process.getBuiltinModule('node:module').enableCompileCache(compileCacheFolder());
  process.exitCode = (await answerStored(args)) ?? (await answer(args, version));
}

async function answer(args: string[], version: string): Promise<number> {
  const { main } = await import('./cli/main.ts');
  return await main(args, process, version);
}

/** Callers that wait for one result come often, and then this is all there is to do. */
async function answerStored([first, ...rest]: string[]): Promise<number | undefined> {
  if (first !== 'task' || !rest.some((word) => word.startsWith('--key'))) return undefined;
  const { answerStoredTask } = await import('./cli/stored-task.ts');
  return answerStoredTask(rest, process);
}

/** A clone was set up with a Node that is new enough; an installed package has none and says what it needs. */
async function leaveNode(args: string[]): Promise<void> {
  const brought = `${import.meta.dirname}/../node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const { existsSync } = await import('node:fs');
  const [, script] = process.argv;
  if (script !== undefined && existsSync(brought)) {
    const { handOver } = await import('./process/hand-over.ts');
    process.exitCode = await handOver(brought, [script, ...args]);
    return;
  }
  process.stderr.write(`skillwright needs Node ${OLDEST_NODE} or newer; this is ${process.version}\n`);
  process.exitCode = 1;
}

// Without an import statement, which would load all that hangs on it before the version can be said.
function readVersion(): string {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  return JSON.parse(readFileSync(`${import.meta.dirname}/../package.json`, 'utf8')).version;
}

/** In the user's own cache, because compiled code in a shared folder could be somebody else's. */
function compileCacheFolder(): string {
  const { homedir } = process.getBuiltinModule('node:os');
  return `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/skillwright/code`;
}

/** The reader of a pipe has seen enough; anything else that stops the output is said in one line. */
function stopWriting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`skillwright cannot write its answer: ${error.code}\n`);
  process.exit(error.code === 'EPIPE' ? process.exitCode : 1);
}
