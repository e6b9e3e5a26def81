// Grants on disk, under home only: added, listed and revoked by a person.
import { Fault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { isRecord, isTextList } from '../../base/json.ts';
import { isDigest } from '../../base/value/digest.ts';
import { PARAM_TYPES, type Param } from '../../skill/skill.ts';
import { TOOL_NAMES } from '../../tools/list.ts';
import { plainReach, readPlainReach } from '../consent/reach.ts';
import { openPrivateFolder } from '../private-folder.ts';
import { isTier } from '../tier.ts';
import { type Grant, type GrantTarget, type RunFile, whyTooWide } from './grant.ts';
import type { WriteReach } from './write-reach.ts';

/** In the place of an end: what is lost or damaged never makes a grant last. */
const NEVER = 'never';

export interface GrantStore {
  /** Throws a Fault when the grant would be a permission for anything. */
  add(grant: Omit<Grant, 'id' | 'project'>): Grant;
  list(): Grant[];
  revoke(id: string): boolean;
}

export function openGrants(home: string, project: string): GrantStore {
  const folder = openPrivateFolder(home, 'grants', project);
  return {
    add(wanted) {
      const tooWide = whyTooWide(wanted.target);
      if (tooWide !== undefined) throw new Fault('InvalidArgs', tooWide);
      const grant = { ...wanted, id: randomId(6), project: folder.project };
      const reach = grant.reach && { reach: plainReach(grant.reach) };
      folder.add(grant.id, { ...grant, ...reach, expires: grant.expires ?? NEVER });
      return grant;
    },
    list: () => folder.all().flatMap((record) => readGrant(record) ?? []),
    revoke: (id) => folder.remove(id),
  };
}

/** What a person sees in `grants list`. */
export function describeTarget(target: GrantTarget): string {
  const open = 'exact' in target && !target.exact ? ' …' : '';
  switch (target.kind) {
    case 'any':
      return 'everything it does';
    case 'code':
      return 'its code, whenever it runs';
    case 'action':
      return `action ${target.action}`;
    case 'script':
      return [`script ${target.script}`, ...target.words].join(' ') + open;
    case 'command':
      return target.words.join(' ') + open;
    case 'shell':
      return `shell ${target.script}`;
    case 'tool':
      return `${target.tool}(${target.pattern})`;
    case 'outside':
      return `be started without a sandbox: ${target.words.join(' ')}`;
  }
}

// A record that is not whole in every part is no grant.
function readGrant(record: Record<string, unknown>): Grant | undefined {
  const { id, project, skill, network, writes, tier, created } = record;
  const expires = record.expires === NEVER ? null : isTime(record.expires) ? record.expires : undefined;
  const bound = readBound(record.bound);
  const target = readTarget(record.target);
  if (typeof id !== 'string' || typeof project !== 'string' || typeof skill !== 'string') return undefined;
  if (typeof network !== 'boolean' || !isReach(writes) || !isTier(tier)) return undefined;
  if (!isTime(created) || expires === undefined || !bound || !target) return undefined;
  const reach = record.reach === undefined ? undefined : readPlainReach(record.reach);
  if ((record.reach !== undefined || target.kind === 'code') && !reach) return undefined;
  return { id, project, skill, bound, target, network, writes, ...(reach && { reach }), tier, created, expires };
}

function isReach(value: unknown): value is WriteReach {
  return typeof value === 'boolean' || (isTextList(value) && value.length > 0);
}

function readBound(value: unknown): Grant['bound'] | undefined {
  if (!isRecord(value)) return undefined;
  if (isDigest(value.digest)) return { digest: value.digest };
  return typeof value.follow === 'string' && value.follow !== '' ? { follow: value.follow } : undefined;
}

function readTarget(value: unknown): GrantTarget | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, action, script, pattern, exact } = value;
  const words = isTextList(value.words) ? value.words : undefined;
  if (kind === 'code') return { kind };
  if (kind === 'outside') return words && words.length > 0 ? { kind, words } : undefined;
  if (kind === 'action' && typeof action === 'string') {
    const params = value.params === undefined ? undefined : readParams(value.params);
    if (value.params !== undefined && !params) return undefined;
    return { kind, action, ...(params && { params }) };
  }
  if (kind === 'script' && typeof script === 'string' && words && typeof exact === 'boolean')
    return { kind, script, words, exact };
  if (kind === 'command' && words && typeof exact === 'boolean') {
    const runs = value.runs === undefined ? [] : readRuns(value.runs);
    return runs && refuseWide({ kind, words, exact, ...(runs.length > 0 && { runs }) });
  }
  if (kind === 'shell' && typeof script === 'string') {
    const runs = value.runs === undefined ? [] : readRuns(value.runs);
    return runs && { kind, script, ...(runs.length > 0 && { runs }) };
  }
  const tool = TOOL_NAMES.find((name) => name === value.tool);
  return kind === 'tool' && tool && typeof pattern === 'string' ? refuseWide({ kind, tool, pattern }) : undefined;
}

function refuseWide(target: GrantTarget): GrantTarget | undefined {
  return whyTooWide(target) === undefined ? target : undefined;
}

function readRuns(value: unknown): RunFile[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const runs = value.flatMap((item: unknown): RunFile[] => {
    if (!isRecord(item) || typeof item.path !== 'string' || typeof item.sha256 !== 'string') return [];
    return [{ path: item.path, sha256: item.sha256 }];
  });
  return runs.length === value.length ? runs : undefined;
}

function readParams(value: unknown): Param[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const params = value.flatMap((item: unknown): Param[] => {
    if (!isRecord(item) || typeof item.name !== 'string' || typeof item.required !== 'boolean') return [];
    const type = PARAM_TYPES.find((name) => name === item.type);
    if (!type) return [];
    const choices = Array.isArray(item.enum) ? item.enum.filter(isScalar) : undefined;
    return [
      {
        name: item.name,
        type,
        required: item.required,
        ...(choices && { enum: choices }),
        allowDash: item.allowDash === true,
      },
    ];
  });
  return params.length === value.length ? params : undefined;
}

/** A moment the calendar has: what cannot be shown to a person is no grant. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
