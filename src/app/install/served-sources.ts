// The servers of the user's settings as sources of skills: each is started by the first skill of it, and ends with the work.
import type { ServedSources } from '../../distribution/source/served.ts';
import type { ServerHost } from '../../door/server/server-host.ts';
import type { Runtime } from '../runtime.ts';

export function openServedSources(runtime: Runtime): ServedSources & AsyncDisposable {
  let host: ServerHost | undefined;
  return {
    names: Object.keys(runtime.config.mcpServers),
    async open(server) {
      const { serversOf } = await import('../server/of-runtime.ts');
      host ??= serversOf(runtime);
      const connection = await host.connect(server);
      return await connection.skills();
    },
    async [Symbol.asyncDispose]() {
      await host?.close();
    },
  };
}
