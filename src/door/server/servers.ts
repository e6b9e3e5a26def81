// The servers of others that a run uses: each is started by its first use, asked one thing after another as it answers, and
// ends with the run.
import { Fault } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { ServerSettings } from '../../config/value.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import type { ServerConnection } from '../../network/mcp/server-connection.ts';
import type { OpenServer, ServerHost } from './server-host.ts';
import { type ServerSurroundings, startServer } from './start-server.ts';

type Connected = Omit<OpenServer, 'tools'>;

interface Running {
  readonly connected: Promise<Connected>;
  /** As they were when it was first asked. */
  tools?: Promise<OpenServer['tools']>;
  readonly end: () => Promise<void>;
}

export function openServers(
  settings: Readonly<Record<string, ServerSettings>>,
  around: () => ServerSurroundings,
): ServerHost {
  const names = Object.keys(settings);
  const running = new Map<string, Running>();
  const settingsOf = (name: string): ServerSettings => {
    const found = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (!found) throw unknownServer(name, names);
    return found;
  };
  // The next use tries again.
  const forget = (ended: Running) => {
    for (const [name, one] of running) if (one === ended) running.delete(name);
    void ended.end();
  };
  const start = (name: string, onAttempt: (attempt: HostAttempt) => void = () => {}): Running => {
    const known = settingsOf(name);
    const there: Running = running.get(name) ?? run(name, known, around(), { onAttempt, onEnd: () => forget(there) });
    running.set(name, there);
    return there;
  };
  const orForget = async <Result>(there: Running, result: Promise<Result>): Promise<Result> => {
    try {
      return await result;
    } catch (error) {
      forget(there);
      throw error;
    }
  };
  return {
    names,
    settings: settingsOf,
    async connect(name) {
      const there = start(name);
      const { connection } = await orForget(there, there.connected);
      return connection;
    },
    async open(name, onAttempt = () => {}) {
      const there = start(name, onAttempt);
      const connected = await orForget(there, there.connected);
      there.tools ??= toolsOf(connected.connection, settingsOf(name));
      return { ...connected, tools: await orForget(there, there.tools) };
    },
    async close() {
      const ending = [...running.values()].map(({ end }) => end());
      running.clear();
      await Promise.all(ending);
    },
  };
}

function run(
  name: string,
  settings: ServerSettings,
  around: ServerSurroundings,
  { onAttempt, onEnd }: { readonly onAttempt: (attempt: HostAttempt) => void; readonly onEnd: () => void },
): Running {
  const ends: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (const one of ends.splice(0).reverse()) await one();
  };
  let outside = false;
  const connect = async (): Promise<Connected> => {
    const { connectServer } = await import('../../network/mcp/connection.ts');
    const { timeoutSeconds } = settings;
    const connection = await connectServer(name, await transportOf(), ...withinMs(timeoutSeconds));
    ends.push(() => connection.close());
    // The next use starts it anew.
    void connection.closed.then(onEnd);
    return { connection, outside };
  };
  const transportOf = async () => {
    if ('url' in settings) {
      const { httpTransport } = await import('../../network/mcp/http-transport.ts');
      const token = settings.tokenEnv === undefined ? undefined : around.env[settings.tokenEnv];
      return httpTransport({ url: settings.url, token });
    }
    const { LineTransport } = await import('../../network/mcp/line-transport.ts');
    const server = await startServer(name, settings, around, onAttempt);
    ends.push(() => server.end());
    ({ outside } = server);
    // Whatever it says there is read, so that it never waits for a reader, and kept by nobody.
    server.process.errors.resume();
    return new LineTransport(server.process);
  };
  const connected = connect().catch(async (error) => {
    await end();
    throw error;
  });
  connected.catch(() => {});
  return { connected, end };
}

async function toolsOf(connection: ServerConnection, settings: ServerSettings): Promise<OpenServer['tools']> {
  const tools = (await connection.tools()).filter((tool) => settings.tools?.includes(tool.name) ?? true);
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** Whoever waits only so long for a call does not wait longer for a greeting. */
function withinMs(seconds: number | undefined): [] | [number] {
  return seconds === undefined ? [] : [Math.min(seconds * 1000, 20_000)];
}

function unknownServer(name: string, names: readonly string[]): Fault {
  const shown = visible(name);
  const list = names.join(', ');
  const otherwise =
    list === ''
      ? {
          en: 'Servers stand in ~/.agent/config.json, as mcp_servers.',
          zh: '服务器写在 ~/.agent/config.json 的 mcp_servers 中。',
        }
      : { en: `Your settings name ${list}.`, zh: `您的配置中有: ${list}。` };
  return new Fault(
    'DataNotFound',
    { en: `no server ${shown}`, zh: `没有服务器 ${shown}` },
    didYouMean(name, names, otherwise),
  );
}
