// Starts the program of a server in the sandbox: it sees the project without what is hidden, changes nothing, and reaches
// what the user's settings name.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { readHostRule } from '../../base/host-rule.ts';
import { visible } from '../../base/text.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import type { ProgramServer } from '../../config/value.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import { type LiveProcess, startLive } from '../../process/child/live.ts';
import { buildEnvironment } from '../../process/environment.ts';
import { defaultLimits, withOwnLimits } from '../../process/limits.ts';
import { findProgram, isUsable } from '../../process/program.ts';
import { openWorkFolder } from '../../process/work-folder.ts';
import type { Door } from '../door.ts';
import { openCallNetwork } from '../network/call-network.ts';

export interface StartedServer {
  readonly process: LiveProcess;
  readonly tier: string;
  end(): Promise<void>;
}

/** What of the door a server lives on. */
export interface ServerSurroundings
  extends Pick<Door, 'env' | 'places' | 'folders' | 'sandbox' | 'limits' | 'network'> {
  /** Absolute paths of what nobody sees of the project. */
  hidden(): readonly string[];
}

/** A server lasts as long as its run, so that no limit of time is its own. */
const LASTS_MS = 24 * 3_600_000;

export async function startServer(
  name: string,
  settings: ProgramServer,
  around: ServerSurroundings,
  onAttempt: (attempt: HostAttempt) => void,
): Promise<StartedServer> {
  const { places, folders, env: host, limits } = around;
  const { project } = places;
  const sandbox = await around.sandbox();
  const file = programOf(name, settings, around);
  const { folder, close } = openWorkFolder(folders.work);
  const hosts = settings.hosts.map(readHostRule);
  const network = await openCallNetwork(
    { network: false, hosts: { hosts, hostsNow: () => hosts, onAttempt } },
    sandbox,
    around,
  );
  const release = async () => {
    await network.close();
    close();
  };
  try {
    const { env, refused } = buildEnvironment({ host, work: folder, secrets: valuesOf(settings, host) });
    if (refused.length > 0) throw refusedVariables(name, refused);
    const launch = sandbox.prepare({
      argv: [file, ...settings.command.slice(1)],
      cwd: project,
      env: { ...env, ...network.env },
      view: {
        work: absolutePath(folder),
        programs: [absolutePath(file)],
        project: { folder: project, hide: around.hidden(), writable: false },
        readOnly: [...settings.read, ...network.readOnly].map(absolutePath),
        writable: [],
      },
      network: network.order,
      limits: withOwnLimits(defaultLimits(LASTS_MS), limits),
      timeoutMs: LASTS_MS,
    });
    const started = await startLive(launch, { inputFolder: folder, pipes: path.join(folders.cache, 'pipes') });
    return {
      process: started,
      tier: launch.tier,
      async end() {
        await started.end();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** By its path, or by its name on the user's PATH; never one of the project. */
function programOf(
  name: string,
  { command: [program = ''] }: ProgramServer,
  { env, places }: ServerSurroundings,
): string {
  const search = { path: env.PATH ?? '', project: places.project };
  const file = path.isAbsolute(program)
    ? isUsable(program, places.project)
      ? program
      : undefined
    : findProgram(program, search);
  if (file !== undefined) return file;
  const shown = visible(program);
  throw new Fault(
    'RuntimeFailed',
    {
      en: `mcp_servers.${name}: no program ${shown} may be started`,
      zh: `mcp_servers.${name}: 没有可启动的程序 ${shown}`,
    },
    {
      reason: 'missing-part',
      details: { server: name, program: shown },
      hint: {
        en: 'It is looked for on your PATH, outside the project and where nobody else can replace it.',
        zh: '程序须位于 PATH 中、项目之外，且其他用户无法替换。',
      },
    },
  );
}

function valuesOf({ variables }: ProgramServer, env: Door['env']): Record<string, string> {
  return Object.fromEntries(variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function refusedVariables(name: string, refused: readonly string[]): Fault {
  const list = refused.join(', ');
  return new Fault('PermissionDenied', {
    en: `mcp_servers.${name}: ${list} may not be set for a server`,
    zh: `mcp_servers.${name}: 不允许为服务器设置 ${list}`,
  });
}
