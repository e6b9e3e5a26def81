// The servers of others that the user's settings name, as a project sees them.
import path from 'node:path';
import type { Digest } from '../../base/value/digest.ts';
import type { ServerHost } from '../../door/server/server-host.ts';
import { openServers } from '../../door/server/servers.ts';
import { permitsOutside } from '../../policy/grant/grant.ts';
import { openGrants } from '../../policy/grant/store.ts';
import { NO_SANDBOX } from '../../policy/tier.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import { hiddenIn, withTargets } from '../../workspace/mask.ts';
import { foldersOf } from '../door-folders.ts';
import type { Runtime } from '../runtime.ts';
import { layerPlace } from '../workspace/place.ts';

export function serversOf(runtime: Runtime): ServerHost {
  const { config, env, places, sandbox } = runtime;
  return openServers(config.mcpServers, () => ({
    ...{ env, places, sandbox },
    folders: foldersOf(runtime),
    limits: config.limits,
    network: config.network,
    hidden: () => hiddenFrom(runtime),
    mayLeave: (server, digest) => mayLeave(runtime, server, digest),
    noSandbox: () => openNoSandbox(runtime),
  }));
}

function mayLeave({ home, project, clock }: Runtime, server: string, digest: Digest): boolean {
  const program = { name: `mcp:${server}`, digest, project };
  const grants = openGrants(home, project).list();
  return grants.some((grant) => permitsOutside(grant, program, clock.now()));
}

async function openNoSandbox({ sandboxFolder }: Runtime): Promise<Sandbox> {
  const { openSandbox } = await import('../../process/sandbox/sandbox.ts');
  return await openSandbox({ cacheFolder: path.join(sandboxFolder, NO_SANDBOX), tier: NO_SANDBOX });
}

/** What calls do not see of the project, a server does not see either. */
function hiddenFrom(runtime: Runtime): string[] {
  const place = layerPlace(runtime, 'servers');
  return [...withTargets(place.project, hiddenIn(place)), ...place.own];
}
