// A trusted project with the worker's scripts, and tasks in it; who approves is up to the test.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { openDoor } from '../../src/app/open-door.ts';
import { createRuntime } from '../../src/app/runtime.ts';
import { openTaskHost } from '../../src/app/task/host.ts';
import { assetPath } from '../../src/base/assets.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Language } from '../../src/base/language.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import { trustProject } from '../../src/config/trust.ts';
import { createFlightControl } from '../../src/task/flight.ts';
import { resumeTask } from '../../src/task/run-script.ts';
import { WORKER_FILES } from '../../src/task/shipped.ts';
import { type TaskHost, task } from '../../src/task/task.ts';
import type { TestDoor } from './door-support.ts';
import { temporaryFolder } from './support.ts';

export interface Wanted {
  readonly description?: string;
  readonly agent?: string;
  readonly key?: string;
  readonly fresh?: boolean;
  /** Another window than the usual one. */
  readonly windowMs?: number;
  readonly language?: Language;
  readonly clock?: Clock;
  readonly door?: TestDoor;
  readonly decide?: NonNullable<TaskHost['decide']>;
  readonly trusted?: boolean;
}

export interface TaskProject {
  readonly project: string;
  readonly home: string;
  /** A file of the project, by its path below it. */
  write(name: string, content: string): string;
  run(prompt: string, wanted?: Wanted): Promise<Outcome>;
  resume(id: string, words: readonly string[], wanted?: Wanted): Promise<Outcome>;
}

export function openTaskProject(t: TestContext): TaskProject {
  const folder = temporaryFolder(t);
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  mkdirSync(path.join(project, '.agent'), { recursive: true });
  mkdirSync(home);
  const write = (name: string, content: string) => {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  for (const { asset, file } of WORKER_FILES) write(file, readFileSync(assetPath(asset), 'utf8'));
  trustProject(project, home, Date.now());
  const withHost = (wanted: Wanted, act: (host: TaskHost) => Promise<Outcome>) => host(project, home, wanted, act);
  return {
    project,
    home,
    write,
    run: (prompt, wanted = {}) =>
      withHost(wanted, (host) =>
        task(
          {
            agent: wanted.agent ?? 'worker_agent',
            description: wanted.description ?? 'one small task',
            prompt,
            ...(wanted.key !== undefined && { idempotency_key: wanted.key }),
          },
          host,
        ),
      ),
    resume: (id, words, wanted = {}) => withHost(wanted, (host) => resumeTask({ question: id, words }, host)),
  };
}

async function host(
  project: string,
  home: string,
  wanted: Wanted,
  act: (host: TaskHost) => Promise<Outcome>,
): Promise<Outcome> {
  const { clock } = wanted;
  const runtime = await createRuntime({ project, home, language: wanted.language ?? 'en', ...(clock && { clock }) });
  const { sandbox, ...options } = wanted.door ?? {};
  if (sandbox) Object.assign(runtime, { sandbox });
  using door = openDoor(runtime, { kind: 'task', request: 'test', version: '0', yes: true, ...options });
  using store = await runtime.openStore();
  const { windowMs } = wanted;
  const { fresh, decide, trusted } = wanted;
  using made = await openTaskHost(runtime, door, { ...(fresh && { fresh }), ...(decide && { decide }) });
  const outcome = await act({
    ...made,
    ...(windowMs !== undefined && { flightControl: async () => createFlightControl(store.flights, { windowMs }) }),
    ...(trusted !== undefined && { isTrusted: () => trusted }),
  });
  door.finish(outcome);
  return outcome;
}
