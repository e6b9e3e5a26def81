// Plain HTTP inside a tunnel: every request in it has to be for the host that the tunnel was asked for.
import { canonicalHost } from '../base/host/name.ts';
import type { BodyBound } from './body.ts';
import { forwardHead, parseHead, type RequestHead, targetOf } from './request-head.ts';

export interface RequestJudge {
  /** False where a request in it is for another host, or could be read in two ways. */
  mayPass(bytes: Buffer): boolean;
  /** What the server answers: it may agree to another protocol, which is none of ours. */
  hear(bytes: Buffer): void;
  /** Whether what passes is looked at. */
  isHttp(): boolean;
}

type Stage =
  | { readonly at: 'other' | 'upgrade' }
  | { readonly at: 'first' | 'head'; readonly held: Buffer }
  | { readonly at: 'body'; readonly bound: BodyBound };

const NOTHING = Buffer.alloc(0);

/** Nothing is held back for it: no server acts on a head before its last byte, and that one is passed on judged. */
export function createRequestJudge(host: string): RequestJudge {
  let stage: Stage = { at: 'first', held: NOTHING };
  return {
    mayPass(bytes) {
      for (let rest = bytes; rest.length > 0; ) {
        const next = follow(stage, rest, host);
        if (next === 'refuse') return false;
        stage = next.stage;
        rest = rest.subarray(next.used);
      }
      return true;
    },
    hear(bytes) {
      if (stage.at !== 'upgrade') return;
      const isAgreed = /^HTTP\/1\.1 101\b/.test(bytes.toString('latin1', 0, 13));
      stage = isAgreed ? { at: 'other' } : { at: 'head', held: NOTHING };
    },
    isHttp: () => stage.at !== 'first' && stage.at !== 'other',
  };
}

function follow(
  stage: Stage,
  bytes: Buffer,
  host: string,
): { readonly stage: Stage; readonly used: number } | 'refuse' {
  const all = { used: bytes.length };
  switch (stage.at) {
    case 'other':
      return { stage, ...all };
    // Nobody goes on before the server has agreed.
    case 'upgrade':
      return 'refuse';
    case 'body': {
      const used = stage.bound(bytes);
      if (used === 'broken') return 'refuse';
      return { stage: used < bytes.length ? { at: 'head', held: NOTHING } : stage, used };
    }
    case 'first': {
      const held = Buffer.concat([stage.held, bytes]);
      const found = isRequest(held);
      if (found === 'endless') return 'refuse';
      if (found === 'more') return { stage: { at: 'first', held }, ...all };
      return found ? follow({ at: 'head', held: stage.held }, bytes, host) : { stage: { at: 'other' }, ...all };
    }
    case 'head':
      return followHead(stage.held, bytes, host);
  }
}

function followHead(before: Buffer, bytes: Buffer, host: string): ReturnType<typeof follow> {
  const held = Buffer.concat([before, bytes]);
  const parsed = parseHead(held);
  if (parsed === 'malformed') return 'refuse';
  if (parsed === 'more') return hasBareLineEnd(held) ? 'refuse' : { stage: { at: 'head', held }, used: bytes.length };
  const { head, length } = parsed;
  const forwarded = isFor(host, head) ? forwardHead(head, host, head.target) : undefined;
  if (!forwarded) return 'refuse';
  const upgrades = valuesOf(head, 'upgrade');
  // In those a server would read hosts that are not seen here.
  if (upgrades.some((value) => NAMES_HOSTS.test(value))) return 'refuse';
  const isUpgrade = upgrades.length > 0;
  return {
    stage: isUpgrade ? { at: 'upgrade' } : { at: 'body', bound: forwarded.body },
    used: length - before.length,
  };
}

const LONGEST_LINE = 16 * 1024;
const BEGUN_METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/;
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+[\t ]/;
/** Without a version some servers read fields all the same. */
const OLD_REQUEST = /^(?:get|head|post|put|patch|delete|options|trace)\s+(?:\/|https?:)/i;

/**
 * `more`: the first line is not whole yet. `endless`: it begins as a request does, and some servers take one that is longer
 * than we hold. Servers skip blanks in front of it, and differ in which characters and versions they take.
 */
function isRequest(bytes: Buffer): boolean | 'more' | 'endless' {
  const [line = '', ...rest] = bytes.toString('latin1').trimStart().split('\n');
  const hasMethod = METHOD.test(line);
  if (line.length > LONGEST_LINE) return hasMethod && 'endless';
  if (rest.length === 0) return (hasMethod || BEGUN_METHOD.test(line)) && 'more';
  return hasMethod && (/\sHTTP\//i.test(line) || OLD_REQUEST.test(line));
}

/** HTTP of another version, with or without TLS, or TLS itself. */
const NAMES_HOSTS = /\b(?:h[23]c?|http|tls|quic)\b/i;

/** Some servers take it for the end of a line, others do not. */
function hasBareLineEnd(bytes: Buffer): boolean {
  return /(?:^|[^\r])\n/.test(bytes.toString('latin1'));
}

function valuesOf({ fields }: RequestHead, wanted: string): string[] {
  return fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

/** By its Host, and by its target where that names one: servers go by either. */
function isFor(host: string, head: RequestHead): boolean {
  const named = valuesOf(head, 'host').map((value) => value.replace(/:\d*$/, ''));
  const target = /^(?:\/|\*$)/.test(head.target) ? undefined : (targetOf(head)?.host ?? '');
  const wanted = canonicalHost(host);
  const all = [...named, ...(target === undefined ? [] : [target])];
  return head.method !== 'CONNECT' && named.length <= 1 && all.every((one) => canonicalHost(one) === wanted);
}
