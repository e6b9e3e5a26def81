// A person's standing permission for one tool of a server, as the server defines it now.
import { Fault } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { NO_SANDBOX } from '../../policy/tier.ts';
import { type NamedServerTool, readServerToolName, remoteName, serverTool } from '../../tools/server-tool.ts';
import type { Runtime } from '../runtime.ts';
import { serversOf } from '../server/of-runtime.ts';
import { giveGrant } from './give.ts';

/** Undefined for a name that is none of a server's. */
export async function addServerGrant(
  name: string,
  lifetimeMs: number | undefined,
  runtime: Runtime,
): Promise<Grant | undefined> {
  const named = readServerToolName(name);
  if (!named) return undefined;
  runtime.requireConfig();
  const { server, tool } = named;
  const servers = serversOf(runtime);
  try {
    const { tools } = await servers.open(server);
    const found = tool === undefined ? undefined : tools.get(tool);
    if (!found) throw nameOne(named, [...tools.keys()]);
    const now = runtime.clock.now();
    return giveGrant(
      {
        skill: `mcp:${server}`,
        bound: { digest: found.digest },
        target: { kind: 'tool', tool: serverTool.name, pattern: remoteName(named) },
        network: 'url' in servers.settings(server),
        writes: false,
        // What a server does happens elsewhere, whatever sandbox the calls of skills have.
        tier: NO_SANDBOX,
        created: now,
        expires: lifetimeMs === undefined ? null : now + lifetimeMs,
      },
      runtime,
    );
  } finally {
    await servers.close();
  }
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
