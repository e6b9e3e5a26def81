#!/usr/bin/env node
// The bin: refuses an old Node in one line, answers --version at once, and leaves the rest to cli/main.ts.
import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import about from '../package.json' with { type: 'json' };

const OLDEST_NODE = 24;

await start(process.argv.slice(2));

async function start(args: string[]): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) return refuseNode();
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${about.version}\n`);
    return;
  }
  process.stdout.on('error', stopWriting);
  module.enableCompileCache(compileCacheFolder());
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main(args, process, about.version);
}

function refuseNode(): void {
  process.stderr.write(`skillwright needs Node ${OLDEST_NODE} or newer; this is ${process.version}\n`);
  process.exitCode = 1;
}

/** In the user's own cache, because compiled code in a shared folder could be somebody else's. */
function compileCacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'skillwright', 'code');
}

/** The reader of a pipe has seen enough; anything else that stops the output is said in one line. */
function stopWriting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`skillwright cannot write its answer: ${error.code}\n`);
  process.exit(error.code === 'EPIPE' ? process.exitCode : 1);
}
