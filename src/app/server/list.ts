// The servers of others that the settings name: each is started, and says what it has.
import { toFault } from '../../base/errors.ts';
import { inLanguage } from '../../base/language.ts';
import type { ServerTool } from '../../network/mcp/definition.ts';
import type { Runtime } from '../runtime.ts';
import { serversOf } from './of-runtime.ts';

export interface ListedServer {
  readonly name: string;
  /** The command, or the address. */
  readonly at: string;
  readonly tools: readonly ServerTool[];
  /** Whether a grant lets its program run without a sandbox. */
  readonly outside: boolean;
  /** Why it does not answer. */
  readonly problem?: string;
}

/** All of them, or the one that is named. Throws a Fault for a name that the settings do not have. */
export async function listServers(name: string | undefined, runtime: Runtime): Promise<ListedServer[]> {
  runtime.requireConfig();
  const servers = serversOf(runtime);
  try {
    const names = name === undefined ? servers.names : [name];
    return await Promise.all(names.map(async (one) => await look(one, servers, runtime)));
  } finally {
    await servers.close();
  }
}

async function look(name: string, servers: ReturnType<typeof serversOf>, { language }: Runtime): Promise<ListedServer> {
  const settings = servers.settings(name);
  const at = 'url' in settings ? settings.url : settings.command.join(' ');
  try {
    const { tools, outside } = await servers.open(name);
    return { name, at, tools: [...tools.values()], outside };
  } catch (error) {
    const fault = toFault(error);
    return { name, at, tools: [], outside: false, problem: `${fault.message}. ${inLanguage(fault.hint, language)}` };
  }
}
