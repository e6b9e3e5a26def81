// What tests of jobs share: a role whose skill says what it sees, and `start` as a real process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewJob, Queue } from '../../src/store/queue.ts';
import { home, makeProject } from './door-support.ts';
import { type CliResult, commandLine, compiledCode, runCli } from './support.ts';

/** Answers with the request it got, what it was given, and what it may do beside it. */
const ECHO = `import json, os, sys, time
from pathlib import Path
AGENT_DIR = Path(__file__).resolve().parent.parent.parent
request = json.loads(sys.stdin.read())
action, params = request["action"], request.get("params", {})
def answer(**rest):
    print(json.dumps({"action": action, **rest}))
    sys.exit(0)
if action == "fail":
    answer(success=False, error={"code": "EXTERNAL_SERVICE_ERROR", "message": "not today", "details": {"tried": 1}})
if action == "slow":
    time.sleep(float(params.get("seconds", 60)))
if action == "write":
    (AGENT_DIR / "planted.txt").write_text("x")
    answer(success=True, data={"read": (AGENT_DIR / "agent.yaml").read_text()})
if action == "report":
    Path(os.environ["SKILL_OUTPUT_DIR"], "report.md").write_text("# done")
token = os.environ.get("CI_TOKEN")
answer(success=True, data={"request": request, "cwd": os.getcwd(), "token": token, "length": len(token or "")}, message="echoed")
`;

export const ROLE_YAML = `description: Says what it sees
skills:
  - name: echo
    entry: .claude/skills/echo.py
    timeout: 90
    secrets: []
    actions:
      say: {params: {days: {type: integer, default: 7}, who: {type: string, required: true}}}
      fail: {}
      slow: {}
      write: {}
      report: {}
  - name: keeper
    entry: .claude/skills/echo.py
secrets: [CI_TOKEN]
allowed_tools: [Read, run_script]
`;

export function makeRole(t: TestContext, yaml = '', files: Readonly<Record<string, string>> = {}): string {
  return makeProject(t, {
    'agents/watcher/agent.yaml': `${ROLE_YAML}${yaml}`,
    'agents/watcher/CLAUDE.md': '# You watch\nSAY-ONLY-WHAT-YOU-SAW\n',
    'agents/watcher/.claude/skills/echo.py': ECHO,
    ...files,
  });
}

export function cli(project: string, args: readonly string[], env: Record<string, string> = {}): Promise<CliResult> {
  return runCli(args, { cwd: project, home, env });
}

/** The outcome a command printed. */
export async function outcomeOf(project: string, args: readonly string[], env: Record<string, string> = {}) {
  const { stdout, code } = await cli(project, [...args, '--json'], env);
  const { state, data, summary } = JSON.parse(stdout) as {
    state: string;
    data: Record<string, unknown>;
    summary: string;
  };
  return { code, state, data, summary };
}

export async function grant(project: string, skill: string, action: string, ...more: string[]): Promise<void> {
  const { state, summary } = await outcomeOf(project, ['grants', 'add', skill, '--action', action, ...more]);
  if (state !== 'success') throw new Error(summary);
}

export interface Started {
  readonly child: ChildProcess;
  readonly log: () => readonly Record<string, unknown>[];
  /** Resolves when such a line was logged; fails when the process ends before. */
  until(event: string, more?: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export function start(
  t: TestContext,
  project: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Started {
  const child = spawn(process.execPath, [commandLine(), 'start', ...args], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const log = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  // A process that a signal ended has no exit code.
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    log,
    async until(event, more = () => true) {
      for (;;) {
        const found = log().find((line) => line.event === event && more(line));
        if (found) return found;
        if (hasEnded()) throw new Error(`ended before ${event}: ${text}`);
        await sleep(20);
      }
    },
    async end(signal) {
      const ended = hasEnded() ? undefined : once(child, 'exit');
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

/** A job of a made-up kind, for workers that do not look inside. */
export async function addJob(queue: Queue, more: Partial<NewJob> = {}): Promise<string> {
  const retry = { limit: 0, delayMs: 0, maxMs: 0 };
  return (await queue.enqueue({ role: 'r', target: 'r/s a', payload: '{}', retry, timeoutMs: 60_000, ...more })).id;
}
