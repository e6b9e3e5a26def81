// Runs the system's git with restrictions: no hooks, no filters, no submodules, no prompts, a few protocols.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { plainLaunch } from '../../process/plain-launch.ts';
import { findProgram } from '../../process/program.ts';
import { runProcess } from '../../process/run.ts';
import { watchSize } from './watch-size.ts';

export interface GitHost {
  /** The environment that provides PATH for git and ssh and the user's keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** No program inside this folder is started. */
  readonly project: string;
  /** Bytes a repository may take on disk while it is read. */
  readonly diskLimit?: number;
  /** More settings, as `name=value`. */
  readonly settings?: readonly string[];
}

export interface Git {
  /** Standard output; throws a Fault when git fails. */
  run(args: readonly string[], options?: GitRun): Promise<Buffer>;
}

interface GitRun {
  readonly stdin?: string;
  readonly outputLimit?: number;
}

const MINUTE = 60_000;
const OUTPUT_LIMIT = 16 * 1024 * 1024;
/** The limit for one commit of a repository that holds much more than skills; what is taken of it is bounded anyway. */
const DISK_LIMIT = 512 * 1024 * 1024;

// Set on the command line, where no file can override it.
const SETTINGS = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.askPass=', 'credential.helper='],
  ...['submodule.recurse=false', 'fetch.recurseSubmodules=false', 'protocol.ext.allow=never', 'protocol.allow=user'],
  // No redirects: that is for the person to judge, who named this address; nor alternate object stores.
  ...['gc.auto=0', 'maintenance.auto=false', 'transfer.bundleURI=false', 'http.followRedirects=false'],
].flatMap((setting) => ['-c', setting]);

/** Everything happens in a bare repository of our own: nothing is ever checked out, so nothing can run or be written elsewhere. */
export function openGit(folder: string, protocols: readonly string[], host: GitHost): Git {
  const file = findProgram('git', { path: host.env.PATH ?? '', project: host.project });
  if (file === undefined)
    throw new Fault('ScriptNotFound', 'git', {
      hint: { en: 'Install git, or name a zip file or folder.', zh: '请安装 git，或改用 zip 文件或目录。' },
    });
  const env = environment(folder, protocols, file, host);
  const settings = [...SETTINGS, ...(host.settings ?? []).flatMap((setting) => ['-c', setting])];
  return {
    async run(args, { stdin, outputLimit = OUTPUT_LIMIT } = {}) {
      const words = ['--git-dir', folder, ...settings, ...args];
      const launch = plainLaunch({ file, args: words, env, cwd: path.dirname(folder) });
      const limits = { timeoutMs: 5 * MINUTE, outputLimit, stdin: stdin ?? '' };
      const size = watchSize(folder, host.diskLimit ?? DISK_LIMIT);
      const ended = await runProcess(launch, { ...limits, signal: size.over }).finally(size.stop);
      if (size.over.aborted) throw tooLarge();
      if (ended.why === 'exit' && ended.exit === 0) return Buffer.from(ended.stdout);
      throw failure(args[0] ?? '', ended.why, Buffer.from(ended.stderr).toString('utf8'));
    },
  };
}

function environment(
  folder: string,
  protocols: readonly string[],
  file: string,
  { env, home }: GitHost,
): Record<string, string> {
  const passed = ['SSH_AUTH_SOCK', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
  return {
    ...Object.fromEntries(passed.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    PATH: `${path.dirname(file)}:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    TMPDIR: path.dirname(folder),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oPermitLocalCommand=no -oClearAllForwardings=yes',
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
  };
}

function failure(what: string, why: string, stderr: string): Fault {
  if (why === 'timeout') return new Fault('Timeout', '5 min');
  if (why === 'output-limit') return tooLarge();
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  if (/error: 30[12378]$/.test(lines.at(-1)?.trim() ?? '')) return redirected();
  return new Fault('ExternalServiceError', visible(`git ${what}: ${lines.at(-1)?.slice(0, 300) ?? why}`));
}

function redirected(): Fault {
  return new Fault(
    'PathBlocked',
    { en: 'the server points to another address', zh: '服务器指向另一地址' },
    {
      hint: {
        en: '`git ls-remote <address>` shows where it leads; if that is meant, install from there.',
        zh: '`git ls-remote <地址>` 可查看其指向；如确属有意，请从该地址安装。',
      },
    },
  );
}

function tooLarge(): Fault {
  return new Fault('ARCHIVE_LIMIT', { en: 'the repository is too large', zh: '仓库过大' });
}
