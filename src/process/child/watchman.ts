// A process beside a call that no namespace ends: it kills what the call started when this host is killed.
import { spawn } from 'node:child_process';
import { assetPath } from '../../base/assets.ts';
import { TAG_NAME } from '../kill-tree.ts';

const WATCHMAN_FILE = assetPath('process/child/watchman.pl');

/** Started before the call, so that no moment is without it. What is returned sends it away. */
export function postWatchman(perl: string, tag: string): () => void {
  const child = spawn(perl, [WATCHMAN_FILE, `${TAG_NAME}=${tag}`], {
    cwd: '/',
    env: { PERL_BADLANG: '0' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to our group, such as Ctrl-C, must leave it there.
    detached: true,
  });
  // A machine that is out of processes refuses the call itself with its own words.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.unref();
  return () => void child.kill('SIGKILL');
}
