// Hands a whole command over to another Node: same arguments, same terminal, same exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Runs `program` with these arguments in place of this process and returns how it ended. */
export function handOver(program: string, words: readonly string[]): Promise<number> {
  const child = spawn(program, words, { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  // A terminal sends Ctrl-C to both; forwarding it as well would count as pressed twice.
  process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal));
  process.on('SIGTERM', forward);
  process.on('SIGHUP', forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}
