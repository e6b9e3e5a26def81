// What policy says about a tool of a server that somebody else wrote; the server is not started for it.
import { decide } from '../../policy/decide.ts';
import { effectWith, explainLines } from '../../policy/explain.ts';
import { type Grant, isExpired } from '../../policy/grant/grant.ts';
import { openGrants } from '../../policy/grant/store.ts';
import { type Effect, type PolicyDecision, type SpokenLayer, speakLayers } from '../../policy/policy.ts';
import { readRole } from '../../policy/role.ts';
import { readServerToolName, remoteName, serverTool } from '../../tools/server-tool.ts';
import type { Runtime } from '../runtime.ts';
import { serversOf } from '../server/of-runtime.ts';
import { hasNoSettings, nameGrant } from './standing-grant.ts';

export interface ServerToolVerdict {
  readonly name: string;
  readonly decision: PolicyDecision;
  readonly layers: readonly SpokenLayer[];
  /** Answers it for as long as the server defines the tool as it did then. */
  readonly grant?: Grant;
  readonly effect: Effect;
  readonly lines: readonly string[];
}

/** As a run asks where no skill does. Undefined for a name that is none of a server's; throws a Fault for an unknown server. */
export function explainServerTool(
  name: string,
  roleName: string | undefined,
  runtime: Runtime,
): ServerToolVerdict | undefined {
  const named = readServerToolName(name);
  if (!named) return undefined;
  runtime.requireConfig();
  const { user } = runtime.config.executionLayers;
  const network = 'url' in serversOf(runtime).settings(named.server);
  const remote = remoteName(named);
  const role = roleName === undefined ? undefined : readRole(runtime.project, roleName);
  const decision = decide({ tool: serverTool.name, remote, network }, runtime.policyFor({ ...(role && { role }) }));
  const grant = decision.effect === 'ask' ? serverGrant(remote, runtime) : undefined;
  const around = { isDefault: hasNoSettings(user), ...(grant && { grant: nameGrant(grant) }) };
  return {
    name: `mcp:${remote}`,
    decision,
    layers: speakLayers(decision.layers),
    ...(grant && { grant }),
    effect: effectWith(decision, around),
    lines: explainLines(decision, runtime.language, around),
  };
}

/** Whether the server still defines the tool as it did is only known when it is asked. */
export function serverGrant(remote: string, { home, project, clock }: Runtime): Grant | undefined {
  return openGrants(home, project)
    .list()
    .find(
      (grant) =>
        grant.target.kind === 'tool' &&
        grant.target.tool === serverTool.name &&
        grant.target.pattern === remote &&
        !isExpired(grant, clock.now()),
    );
}
