// Every standing permission of a project, whether it still counts, and the way to take it back.
import { Fault } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import { workerFolder } from '../../door/kind/worker.ts';
import { serverProgram } from '../../door/server/server-program.ts';
import { followed } from '../../door/standing-grant.ts';
import { type Grant, isExpired } from '../../policy/grant/grant.ts';
import { openGrants } from '../../policy/grant/store.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { boundDigest } from '../../registry/role/skill.ts';
import { digestIfSound } from '../../skill/digest.ts';
import { readServerToolName } from '../../tools/server-tool.ts';
import { grantChange } from '../own/grant-change.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { declaredVariables } from './declared.ts';

/** `changed`: the files are others now. `missing`: there is no such skill. */
export type GrantState = 'active' | 'expired' | 'changed' | 'missing';

export interface JudgedGrant {
  readonly grant: Grant;
  readonly state: GrantState;
  /** Variables that its calls are handed beside those it names. */
  readonly declared: readonly string[];
}

/** The oldest first. */
export async function listGrants(runtime: Runtime): Promise<JudgedGrant[]> {
  const grants = openGrants(runtime.home, runtime.project)
    .list()
    .sort((a, b) => a.created - b.created);
  const judge = createJudge(
    [
      ...runtime.index().skills,
      ...(await skillsOfRoles(runtime.project, grants)),
      // What `grants add bin` binds to is no skill of the index.
      workerFolder(runtime.places.project),
    ],
    runtime.clock.now(),
    (server, grant) => stateOfServer(server, grant, runtime),
  );
  return grants.map((grant) => ({ grant, ...judge(grant) }));
}

/** The grant that was taken back, unless its record cannot be read any more. */
export function revokeGrant(id: string, runtime: Runtime): Grant | undefined {
  const store = openGrants(runtime.home, runtime.project);
  const grants = store.list();
  const grant = grants.find((one) => one.id === id);
  recordOwn(runtime, { command: 'grants revoke', grant: id, ...(grant && grantChange(grant)) }, () => {
    if (!store.revoke(id)) throw unknownGrant(id, grants);
  });
  return grant;
}

/** Roles are read only where a grant could be for one of theirs. */
async function skillsOfRoles(project: string, grants: readonly Grant[]): Promise<SkillEntry[]> {
  if (!grants.some(({ skill }) => skill.includes('/'))) return [];
  const { allRoleSkills } = await import('../../registry/role/role.ts');
  return await allRoleSkills(project);
}

function createJudge(
  skills: readonly SkillEntry[],
  now: number,
  ofServer: (server: string, grant: Grant) => GrantState,
): (grant: Grant) => Omit<JudgedGrant, 'grant'> {
  const digests = new Map<SkillEntry, Digest | undefined>();
  const digestOf = (skill: SkillEntry): Digest | undefined => {
    if (!digests.has(skill)) digests.set(skill, digestIfSound(skill));
    return digests.get(skill);
  };
  return (grant) => {
    const { bound, skill } = grant;
    if (isExpired(grant, now)) return { state: 'expired', declared: [] };
    const server = readServerToolName(skill)?.server;
    if (server !== undefined) return { state: ofServer(server, grant), declared: [] };
    if ('follow' in bound) {
      const isThere = skills.some((entry) => followed(entry) === bound.follow);
      return { state: isThere ? 'active' : 'missing', declared: [] };
    }
    const named = skills.filter((entry) => calledName(entry) === skill);
    if (named.length === 0) return { state: 'missing', declared: [] };
    const isBound = (entry: SkillEntry) => {
      const digest = digestOf(entry);
      return digest !== undefined && boundDigest(entry, digest) === bound.digest;
    };
    const found = named.find(isBound);
    return found ? { state: 'active', declared: declaredVariables(grant, found) } : { state: 'changed', declared: [] };
  };
}

/** What a server says of its tools is known once it is started; what its program is, before. */
function stateOfServer(server: string, { target, bound }: Grant, { config, env, places }: Runtime): GrantState {
  const settings = Object.hasOwn(config.mcpServers, server) ? config.mcpServers[server] : undefined;
  if (!settings) return 'missing';
  if (target.kind !== 'outside') return 'active';
  if ('url' in settings || !('digest' in bound)) return 'changed';
  try {
    return serverProgram(server, settings, { env, places }).digest === bound.digest ? 'active' : 'changed';
  } catch {
    return 'missing';
  }
}

function unknownGrant(id: string, grants: readonly Grant[]): Fault {
  const ids = grants.map((one) => one.id);
  const shown = visible(id);
  return new Fault(
    'DataNotFound',
    { en: `no grant ${shown} in this project`, zh: `此项目没有授权 ${shown}` },
    didYouMean(id, ids, { en: '`skillwright grants list` shows them.', zh: '`skillwright grants list` 列出授权。' }),
  );
}
