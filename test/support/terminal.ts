// The command line at a real terminal: what it shows, and what happens between a question and its answer.
import { spawn } from 'node:child_process';
import type { Change } from './changed/change.ts';
import { changedProcess } from './changed/changed-source.ts';
import { commandLine, compiledCode } from './support.ts';

/** Opens a terminal, waits for each text, exchanges files, types, and prints everything the terminal showed as JSON. */
const PROGRAM = `
import fcntl, json, os, pty, signal, struct, sys, termios
order = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    if order["columns"]:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, order["columns"], 0, 0))
    os.chdir(order["cwd"])
    os.execve(order["argv"][0], order["argv"], order["env"])
signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
signal.alarm(order["seconds"])
shown, seen, steps = b"", 0, order["steps"]
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if steps and steps[0][0].encode() in shown[seen:]:
        _, text = steps.pop(0)
        seen = len(shown)
        for new, old in order["swap"]:
            os.replace(new, old)
        order["swap"] = []
        os.write(terminal, text.encode())
_, status = os.waitpid(pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "shown": shown.decode("utf-8", "replace"), "asked": seen > 0}))
`;

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Record<string, string>;
  readonly change?: readonly Change[];
  /** Typed as soon as the question stands there. */
  readonly type: string;
  /** What the question ends with; an approval unless given. */
  readonly until?: string;
  /** Further questions and their answers, in this order. */
  readonly more?: readonly (readonly [until: string, type: string])[];
  /** Words that start it in another world, a whole path first. */
  readonly through?: readonly string[];
  /** How wide the terminal is. */
  readonly columns?: number;
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

/** Whoever still waits then is killed: what the terminal showed says for what. */
const DEADLINE_SECONDS = 90;

export async function atTerminal(args: readonly string[], options: TerminalOptions): Promise<Shown> {
  const changes = changedProcess(options.change ?? []);
  const order = {
    cwd: options.cwd,
    argv: [...(options.through ?? []), process.execPath, ...changes.nodeArgs, commandLine(changes), ...args],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: options.home,
      TERM: 'dumb',
      ...compiledCode(),
      ...changes.env,
      ...options.env,
    },
    steps: [[options.until ?? QUESTION_END, options.type], ...(options.more ?? [])],
    columns: options.columns ?? 0,
    swap: options.swap ?? [],
    seconds: DEADLINE_SECONDS,
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
