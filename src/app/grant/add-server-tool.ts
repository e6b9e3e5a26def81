// A person's standing permission for one tool of a server, as the server defines it now, or for its program to run outside.
import { Fault } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { ServerHost } from '../../door/server/server-host.ts';
import { serverProgram } from '../../door/server/server-program.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { NO_SANDBOX } from '../../policy/tier.ts';
import { type NamedServerTool, readServerToolName, remoteName, serverTool } from '../../tools/server-tool.ts';
import type { Runtime } from '../runtime.ts';
import { serversOf } from '../server/of-runtime.ts';
import { giveGrant } from './give.ts';

export interface ServerGrantOrder {
  /** As it was typed. */
  readonly name: string;
  /** Its program runs without a sandbox; no tool of it is permitted by that. */
  readonly outside: boolean;
  /** Absent: it holds until it is revoked. */
  readonly lifetimeMs?: number | undefined;
}

/** Undefined for a name that is none of a server's. */
export async function addServerGrant(order: ServerGrantOrder, runtime: Runtime): Promise<Grant | undefined> {
  const named = readServerToolName(order.name);
  if (!named) {
    if (order.outside) throw wrongOutside();
    return undefined;
  }
  runtime.requireConfig();
  const servers = serversOf(runtime);
  try {
    const wanted = order.outside ? outsideGrant(named, servers, runtime) : await toolGrant(named, servers);
    const now = runtime.clock.now();
    return giveGrant(
      {
        ...wanted,
        skill: `mcp:${named.server}`,
        // What a server does happens elsewhere, whatever sandbox the calls of skills have.
        tier: NO_SANDBOX,
        created: now,
        expires: order.lifetimeMs === undefined ? null : now + order.lifetimeMs,
      },
      runtime,
    );
  } finally {
    await servers.close();
  }
}

type ServerGrant = Pick<Grant, 'bound' | 'target' | 'network' | 'writes'>;

async function toolGrant(named: NamedServerTool, servers: ServerHost): Promise<ServerGrant> {
  const { server, tool } = named;
  const { tools } = await servers.open(server);
  const found = tool === undefined ? undefined : tools.get(tool);
  if (!found) throw nameOne(named, [...tools.keys()]);
  return {
    bound: { digest: found.digest },
    target: { kind: 'tool', tool: serverTool.name, pattern: remoteName(named) },
    network: 'url' in servers.settings(server),
    writes: false,
  };
}

/** Nothing is started by giving it. */
function outsideGrant({ server, tool }: NamedServerTool, servers: ServerHost, runtime: Runtime): ServerGrant {
  const settings = servers.settings(server);
  if (tool !== undefined || 'url' in settings) throw wrongOutside();
  const { digest } = serverProgram(server, settings, runtime);
  return { bound: { digest }, target: { kind: 'outside', words: settings.command }, network: true, writes: true };
}

function wrongOutside(): Fault {
  return new Fault('Usage', {
    en: '--outside is for the program of a server that your settings start: mcp:SERVER',
    zh: '--outside 仅用于由您的配置启动的服务器程序: mcp:服务器',
  });
}

function nameOne({ server, tool = '' }: NamedServerTool, there: readonly string[]): Fault {
  const names = there.map((name) => `mcp:${server}/${name}`);
  const list = names.slice(0, 20).map(visible).join(', ');
  return new Fault(
    'InvalidArgs',
    { en: `a grant is for one tool of ${server}`, zh: `授权须针对 ${server} 的一个工具` },
    didYouMean(`mcp:${server}/${tool}`, names, { en: `It has ${list || 'none'}.`, zh: `可用: ${list || '无'}。` }),
  );
}
