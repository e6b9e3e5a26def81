// The command line at a real terminal: what it shows, and what happens between a question and its answer.
import { spawn } from 'node:child_process';
import type { Change } from './changed/change.ts';
import { changedProcess } from './changed/changed-source.ts';
import { commandLine, compiledCode } from './support.ts';

/** Opens a terminal, waits for `until`, exchanges files, types, and prints everything the terminal showed as JSON. */
const PROGRAM = `
import json, os, pty, sys
order = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.chdir(order["cwd"])
    os.execve(order["argv"][0], order["argv"], order["env"])
shown, typed = b"", False
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if not typed and order["until"].encode() in shown:
        typed = True
        for new, old in order["swap"]:
            os.replace(new, old)
        os.write(terminal, order["type"].encode())
_, status = os.waitpid(pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "shown": shown.decode("utf-8", "replace"), "asked": typed}))
`;

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Record<string, string>;
  readonly change?: readonly Change[];
  /** Typed as soon as the question stands there. */
  readonly type: string;
  /** Files put in the place of others before that: new, old. */
  readonly swap?: readonly (readonly [string, string])[];
}

export interface Shown {
  readonly code: number;
  readonly shown: string;
  /** Whether it asked at all. */
  readonly asked: boolean;
}

const QUESTION_END = 'Enter = no';

export async function atTerminal(args: readonly string[], options: TerminalOptions): Promise<Shown> {
  const changes = changedProcess(options.change ?? []);
  const order = {
    cwd: options.cwd,
    argv: [process.execPath, ...changes.nodeArgs, commandLine(changes), ...args],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: options.home,
      TERM: 'dumb',
      ...compiledCode(),
      ...changes.env,
      ...options.env,
    },
    until: QUESTION_END,
    type: options.type,
    swap: options.swap ?? [],
  };
  const child = spawn('python3', ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { promise, resolve, reject } = Promise.withResolvers<Shown>();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  child.on('error', reject);
  child.on('close', () => resolve(JSON.parse(text) as Shown));
  child.stdin.end(JSON.stringify(order));
  return await promise;
}
