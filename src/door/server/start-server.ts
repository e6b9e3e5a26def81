// Starts the program of a server in the sandbox: it sees the project without what is hidden, changes nothing, and reaches
// what the user's settings name.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { readHostRule } from '../../base/host-rule.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import type { Digest } from '../../base/value/digest.ts';
import type { ProgramServer } from '../../config/value.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import { isUnconfined } from '../../policy/tier.ts';
import { type LiveProcess, startLive } from '../../process/child/live.ts';
import { buildEnvironment } from '../../process/environment.ts';
import { defaultLimits, withOwnLimits } from '../../process/limits.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import { openWorkFolder } from '../../process/work-folder.ts';
import type { Door } from '../door.ts';
import { openCallNetwork } from '../network/call-network.ts';
import { outsidePlace, serverProgram } from './server-program.ts';

export interface StartedServer {
  readonly process: LiveProcess;
  /** Whether it runs without a sandbox. */
  readonly outside: boolean;
  end(): Promise<void>;
}

/** What of the door a server lives on. */
export interface ServerSurroundings
  extends Pick<Door, 'env' | 'places' | 'folders' | 'sandbox' | 'limits' | 'network'> {
  /** Absolute paths of what nobody sees of the project. */
  hidden(): readonly string[];
  /** Whether a person let exactly this program run without a sandbox. */
  mayLeave(server: string, program: Digest): boolean;
  /** In which a program that may leave runs. */
  noSandbox(): Promise<Sandbox>;
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
  const { file, digest } = serverProgram(name, settings, around);
  const isOutside = around.mayLeave(name, digest);
  const sandbox = await (isOutside ? around.noSandbox() : around.sandbox());
  if (!isOutside && isUnconfined(sandbox.tier)) throw nowhereToRun(name);
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
      cwd: isOutside ? outsidePlace(around) : project,
      env: { ...env, ...network.env, ...(isOutside && host.HOME !== undefined && { HOME: host.HOME }) },
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
      outside: isOutside,
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

function valuesOf({ variables }: ProgramServer, env: Door['env']): Record<string, string> {
  return Object.fromEntries(variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function nowhereToRun(name: string): Fault {
  return new Fault(
    'PermissionDenied',
    {
      en: `mcp_servers.${name}: there is no sandbox here to start it in`,
      zh: `mcp_servers.${name}: 此处没有可用的沙箱`,
    },
    {
      details: { server: name },
      hint: {
        en: `\`skillwright doctor\` says why; \`skillwright grants add mcp:${name} --outside\` lets it run with all that you may.`,
        zh: `\`skillwright doctor\` 说明原因；\`skillwright grants add mcp:${name} --outside\` 允许它以您的全部权限运行。`,
      },
    },
  );
}

function refusedVariables(name: string, refused: readonly string[]): Fault {
  const list = refused.join(', ');
  return new Fault('PermissionDenied', {
    en: `mcp_servers.${name}: ${list} may not be set for a server`,
    zh: `mcp_servers.${name}: 不允许为服务器设置 ${list}`,
  });
}
