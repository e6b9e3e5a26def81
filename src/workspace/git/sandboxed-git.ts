// Runs git in the sandbox, on a repository of our own: without network, and with nothing of the machine's or the project's settings.
import { type AbsolutePath, absolutePath } from '../../base/value/absolute-path.ts';
import { buildEnvironment } from '../../process/environment.ts';
import type { Ended, Limits, ProjectView } from '../../process/order.ts';
import { runProcess } from '../../process/run.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';

export interface GitCalls {
  /** The program. */
  readonly git: string;
  readonly sandbox: Sandbox;
  /** The private folder of these calls. */
  readonly work: AbsolutePath;
  readonly limits: (timeoutMs: number) => Limits;
}

export interface GitOrder {
  /** The repository of our own, in the private folder. */
  readonly repository: string;
  readonly words: readonly string[];
  /** Another folder of objects that it reads. */
  readonly objects: string;
  /** The project, where the objects lie in a layer over it; else they are shown by themselves. */
  readonly project?: ProjectView;
  readonly stdin?: string;
}

const TIMEOUT_MS = 60_000;

export async function runGit(
  { repository, words, objects, project, stdin = '' }: GitOrder,
  host: GitCalls,
): Promise<Ended> {
  const { git, sandbox, work } = host;
  const { env } = buildEnvironment({ host: {}, work });
  const launch = sandbox.prepare({
    argv: [git, '--git-dir', repository, ...words],
    cwd: work,
    env: { ...env, ...PLAIN, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects },
    view: { work, ...(project && { project }), readOnly: project ? [] : [absolutePath(objects)], writable: [] },
    network: 'none',
    limits: host.limits(TIMEOUT_MS),
    timeoutMs: TIMEOUT_MS,
    stdin,
  });
  return await runProcess(launch, { timeoutMs: TIMEOUT_MS, stdin, inputFolder: work });
}

/** Messages in a language we know, and no settings but those of the repository. */
const PLAIN = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file',
};
