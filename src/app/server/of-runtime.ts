// The servers of others that the user's settings name, as a project sees them.
import type { ServerHost } from '../../door/server/server-host.ts';
import { openServers } from '../../door/server/servers.ts';
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
  }));
}

/** What calls do not see of the project, a server does not see either. */
function hiddenFrom(runtime: Runtime): string[] {
  const place = layerPlace(runtime, 'servers');
  return [...withTargets(place.project, hiddenIn(place)), ...place.own];
}
