// A person's standing permission: what exactly may run unasked, for which bytes, how confined, and how long.
import type { Digest } from '../../base/value/digest.ts';
import type { Param } from '../../skill/skill.ts';
import { isExecuting, toolOf } from '../../tools/list.ts';
import type { ToolName } from '../../tools/tool-name.ts';
import { runsOtherPrograms } from '../command/facts.ts';
import { refuseStretch } from '../command/guard.ts';
import type { Reach } from '../consent/reach.ts';
import { subjectsOf } from '../need.ts';
import { coversCall } from '../pattern.ts';
import type { Places } from '../place.ts';
import { isAtLeast, NO_SANDBOX, type Tier } from '../tier.ts';
import { checkParams } from './param-check.ts';
import type { WriteReach } from './write-reach.ts';

/** A file of the project that a command runs, by its bytes. */
export interface RunFile {
  /** Below the project. */
  readonly path: string;
  readonly sha256: string;
}

/** In the place of a digest, for a pipe, a socket or a file nobody may read: no grant covers what has no lasting bytes. */
export const NO_PLAIN_FILE = 'no-file';

/** What may run. Words are whole argument words; `exact` leaves nothing open behind them. */
export type GrantTarget =
  | { readonly kind: 'any' }
  /** Nothing runs by it: whenever code of these bytes runs, whoever permits that, it may reach what the grant says. */
  | { readonly kind: 'code' }
  | { readonly kind: 'action'; readonly action: string; readonly params?: readonly Param[] }
  | { readonly kind: 'script'; readonly script: string; readonly words: readonly string[]; readonly exact: boolean }
  | {
      readonly kind: 'command';
      readonly words: readonly string[];
      readonly exact: boolean;
      /** What these words run in the project, as it was then. */
      readonly runs?: readonly RunFile[];
    }
  | { readonly kind: 'shell'; readonly script: string; readonly runs?: readonly RunFile[] }
  | { readonly kind: 'tool'; readonly tool: ToolName; readonly pattern: string }
  /** No call is permitted by it: the program of a server is started without a sandbox, with these words. */
  | { readonly kind: 'outside'; readonly words: readonly string[] };

export interface Grant {
  readonly id: string;
  /** Real path; a grant never leaves its project. */
  readonly project: string;
  readonly skill: string;
  /** The exact files, or a folder whose files may change (for authors). */
  readonly bound: { readonly digest: Digest } | { readonly follow: string };
  readonly target: GrantTarget;
  readonly network: boolean;
  /** What it changes in the project is applied without a question: all of it, or what lies at or below these paths. */
  readonly writes: WriteReach;
  /** What its code may reach beyond the sandbox; absent: nothing. */
  readonly reach?: Reach;
  /** The weakest sandbox it accepts. */
  readonly tier: Tier;
  readonly created: number;
  /** Null: it holds until it is revoked. */
  readonly expires: number | null;
}

/** A call as grants see it. */
export interface GrantedCall {
  readonly project: string;
  /** Absent for a call without a skill. */
  readonly digest?: Digest;
  /** Real path of the skill's folder. */
  readonly folder?: string;
  readonly tool: ToolName;
  readonly action?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Relative to the skill, or to the project for worker scripts. */
  readonly script?: string;
  readonly argv?: readonly string[];
  /** The text that a shell reads. */
  readonly shell?: string;
  readonly runs?: readonly RunFile[];
  /** The script as patterns see it. */
  readonly path?: string;
  /** Files by the names of the arguments that are paths. */
  readonly paths?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** A tool of a server, whose definition `digest` then is. */
  readonly remote?: string;
  readonly network: boolean;
  readonly tier: Tier;
}

/** Undefined when the grant covers the call; otherwise the first thing that does not fit. */
export function whyNotGranted(grant: Grant, call: GrantedCall, now: number, places: Places): string | undefined {
  const otherCode = whyOtherCode(grant, call, now);
  if (otherCode !== undefined) return otherCode;
  if (call.network && !grant.network) return 'no network';
  return whyOffTarget(grant.target, call, places);
}

/** Undefined when the grant is for the code of the call, in a sandbox like this one. */
function whyOtherCode(grant: Grant, call: GrantedCall, now: number): string | undefined {
  if (grant.project !== call.project) return 'another project';
  if (isExpired(grant, now)) return 'expired';
  if ('digest' in grant.bound) {
    if (call.digest === undefined || grant.bound.digest !== call.digest) return 'the files changed';
  } else if (call.folder === undefined || grant.bound.follow !== call.folder) return 'another folder';
  return isAtLeast(call.tier, grant.tier) ? undefined : `sandbox ${call.tier} is weaker than ${grant.tier}`;
}

/** Those that let the code of the call reach something: for that code however it is permitted, or for this very call. */
export function grantsWithReach(
  grants: readonly Grant[],
  call: GrantedCall,
  now: number,
  places: Places,
): (Grant & { readonly reach: Reach })[] {
  return grants.filter((grant): grant is Grant & { readonly reach: Reach } => {
    if (!grant.reach) return false;
    const isForCode = grant.target.kind === 'code' && whyOtherCode(grant, call, now) === undefined;
    return isForCode || whyNotGranted(grant, call, now, places) === undefined;
  });
}

export function isExpired({ expires }: Pick<Grant, 'expires'>, now: number): boolean {
  return expires !== null && now >= expires;
}

export function findGrant(grants: readonly Grant[], call: GrantedCall, now: number, places: Places): Grant | undefined {
  return grants.find((grant) => whyNotGranted(grant, call, now, places) === undefined);
}

/** Why a person cannot grant this: it would be a permission for anything. */
export function whyTooWide(target: GrantTarget): string | undefined {
  if (target.kind === 'any') return 'a grant names what it is for';
  if (target.kind === 'tool' && /^[~*/.]*$/.test(target.pattern)) return 'name a path or a host';
  if (target.kind === 'tool' && isExecuting(target.tool) && toolOf(target.tool).about !== 'script')
    return 'name the words of the command';
  if (target.kind !== 'command' || target.exact) return undefined;
  const [program] = target.words;
  if (program === undefined) return 'name the words of the command';
  if (target.words.length === 1 && runsOtherPrograms(program)) return `${program} alone could run anything`;
  return refuseStretch(target.words, target.words.length, true);
}

/** Whether a server's program, known by its digest, may be started without a sandbox. */
export function permitsOutside(grant: Grant, { name, digest, project }: StartedProgram, now: number): boolean {
  const { target, bound } = grant;
  const isOfProgram = target.kind === 'outside' && 'digest' in bound && bound.digest === digest;
  return isOfProgram && grant.project === project && grant.skill === name && !isExpired(grant, now);
}

interface StartedProgram {
  readonly name: string;
  readonly digest: Digest;
  readonly project: string;
}

/** Skills whose bytes are the shipped ones are as trusted as the program that ships them. */
export function builtinGrant(
  shipped: Readonly<Record<string, Digest>>,
  skill: { readonly name: string; readonly digest: Digest; readonly project: string },
): Grant | undefined {
  const isShipped = Object.hasOwn(shipped, skill.name) && shipped[skill.name] === skill.digest;
  if (!isShipped) return undefined;
  const { name, digest, project } = skill;
  const limits = { network: false, writes: false, tier: NO_SANDBOX, created: 0, expires: null };
  return { id: `builtin:${name}`, project, skill: name, bound: { digest }, target: { kind: 'any' }, ...limits };
}

function whyOffTarget(target: GrantTarget, call: GrantedCall, places: Places): string | undefined {
  switch (target.kind) {
    case 'any':
      return isScript(call) ? undefined : 'another tool';
    case 'code':
      return 'it says what its code may reach, not what may run';
    case 'outside':
      return 'it says how a server is started, not what may run';
    case 'action':
      if (!isScript(call) || call.action !== target.action) return 'another action';
      return target.params && checkParams(target.params, call.params ?? {});
    case 'script':
      if (!isScript(call) || call.action !== undefined || call.script !== target.script) return 'another script';
      return whyOtherWords(target, call.argv ?? []);
    case 'command': {
      if (toolOf(call.tool).about !== 'command' || target.words.length === 0) return 'another tool';
      const argv = call.argv ?? [];
      return (
        whyOtherWords(target, argv) ??
        whyOtherFiles(target, call) ??
        (target.exact ? undefined : refuseStretch(argv, target.words.length, true))
      );
    }
    case 'shell':
      if (toolOf(call.tool).about !== 'shell') return 'another tool';
      return call.shell === target.script ? whyOtherFiles(target, call) : 'other words';
    case 'tool':
      return call.tool === target.tool ? whyNotCovered(target, call, places) : 'another tool';
  }
}

/** Of several files, each one. */
function whyNotCovered(
  { tool, pattern }: Extract<GrantTarget, { kind: 'tool' }>,
  { argv, path: script, paths, url, remote }: GrantedCall,
  places: Places,
): string | undefined {
  const usage = { ...(argv && { argv }), ...(script !== undefined && { script }), ...(paths && { paths }) };
  const one = { ...(url !== undefined && { url }), ...(remote !== undefined && { remote }) };
  const subjects = subjectsOf(tool, { ...usage, ...one });
  const covers = subjects.map((subject) => coversCall({ tool, pattern }, subject, places));
  return covers.find((cover) => !cover.covers)?.why;
}

function isScript({ tool }: GrantedCall): boolean {
  return toolOf(tool).about === 'script';
}

function whyOtherWords(
  wanted: { readonly words: readonly string[]; readonly exact: boolean },
  argv: readonly string[],
) {
  const { words, exact } = wanted;
  const fits = argv.length >= words.length && words.every((word, index) => word === argv[index]);
  return fits && (!exact || argv.length === words.length) ? undefined : 'other words';
}

/**
 * What the call runs is what was there when the grant was given, with the same bytes: nothing new, and nothing gone,
 * since a program that misses its file takes another of a like name.
 */
function whyOtherFiles({ runs: known = [] }: { readonly runs?: readonly RunFile[] }, { runs = [] }: GrantedCall) {
  const isIn = (files: readonly RunFile[]) => (file: RunFile) =>
    files.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256);
  const isSame = runs.every(isIn(known)) && known.every(isIn(runs));
  return isSame && !runs.some(({ sha256 }) => sha256 === NO_PLAIN_FILE) ? undefined : 'the files changed';
}
