// May this call reach that host, and at which addresses: consent by rule or by answer first, then the name is resolved once.
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { canonicalHost } from '../base/host/name.ts';
import { coversHost, type HostRule } from '../base/host-rule.ts';
import { isLinkLocal, isPrivateAddress } from '../base/value/private-address.ts';
import type { FailureReason, RefusalReason } from './attempt.ts';

/** `anyAddress`: the host is allowed wherever it is, on a private network too; never at a link-local address. */
export interface ReachRule extends HostRule {
  readonly anyAddress?: boolean;
}

export interface HostQuestion {
  readonly host: string;
  readonly port: number;
}

/** For the rest of this call, of this run, for good, or not. */
export type HostAnswer = 'once' | 'run' | 'always' | 'no';

/** The signal tells that the answer does not count any more. */
export type AskHost = (question: HostQuestion, signal: AbortSignal) => Promise<HostAnswer>;

export type HostLookup = (name: string) => Promise<readonly LookupAddress[]>;

export interface HostJudgeOptions {
  /** As they are now: read again for every connection, and while connections are open. */
  readonly rules: () => readonly ReachRule[];
  /** Asks a person while the program waits; absent where nobody is there. */
  readonly ask?: AskHost;
  readonly lookup?: HostLookup;
  /** Ends what is still asked. */
  readonly signal: AbortSignal;
  readonly limits: { readonly askMs: number; readonly questions: number; readonly lookupMs: number };
}

export type HostConsent = { readonly consented: true } | { readonly consented: false; readonly reason: RefusalReason };

export type Addresses =
  | { readonly addresses: readonly LookupAddress[] }
  | { readonly refused: RefusalReason; readonly address: string }
  | { readonly failed: FailureReason };

export interface HostJudge {
  /** Whether it is allowed at this moment, without asking. */
  covers(host: string, port: number): boolean;
  consent(host: string, port: number): Promise<HostConsent>;
  /** Only for what was consented: nothing is looked up before. */
  addressesOf(host: string, port: number): Promise<Addresses>;
}

export function createHostJudge(options: HostJudgeOptions): HostJudge {
  const answers = new Map<string, Promise<HostAnswer | 'silence'>>();
  const allowed = new Set<string>();
  const covers = (host: string, port: number) =>
    isCovered(rulesOf(options), host, port) || allowed.has(keyOf(host, port));
  return {
    covers,
    async consent(host, port) {
      if (covers(host, port)) return { consented: true };
      const { ask, limits } = options;
      if (!ask) return no('not-consented');
      const key = keyOf(host, port);
      if (!answers.has(key) && answers.size >= limits.questions) return no('too-many-questions');
      const asked = answers.get(key) ?? askInTime({ host, port }, ask, options);
      answers.set(key, asked);
      const answer = await asked;
      if (answer === 'silence') return no('not-answered');
      if (answer === 'no') return no('answered-no');
      // A grant is read again like any other, so that it can be revoked.
      if (answer !== 'always') allowed.add(key);
      return { consented: true };
    },
    addressesOf: (host, port) => findAddresses(host, port, covers, options),
  };
}

/** A question that cannot be asked is answered by nobody. */
async function askInTime(
  question: HostQuestion,
  ask: AskHost,
  options: HostJudgeOptions,
): Promise<HostAnswer | 'silence'> {
  const late = new AbortController();
  const signal = AbortSignal.any([late.signal, options.signal]);
  try {
    return await within(ask(question, signal), options.limits.askMs);
  } catch {
    return 'silence';
  } finally {
    late.abort();
  }
}

function no(reason: RefusalReason): HostConsent {
  return { consented: false, reason };
}

function keyOf(host: string, port: number): string {
  return `${canonicalHost(host) ?? host} ${port}`;
}

/** Rules that cannot be read allow nothing. */
function rulesOf({ rules }: HostJudgeOptions): readonly ReachRule[] {
  try {
    return rules();
  } catch {
    return [];
  }
}

function isCovered(rules: readonly ReachRule[], host: string, port: number): boolean {
  return rules.some((rule) => coversHost(rule, host, port));
}

async function findAddresses(
  host: string,
  port: number,
  covers: HostJudge['covers'],
  options: HostJudgeOptions,
): Promise<Addresses> {
  const found = isIP(host) === 0 ? await resolve(host, options) : [{ address: host, family: isIP(host) }];
  if (found === 'silence') return { failed: 'timeout' };
  const [first] = found;
  if (!first) return { failed: 'unresolved' };
  const isFree = rulesOf(options).some((rule) => rule.anyAddress && coversHost(rule, host, port));
  const addresses = found.filter(({ address }) => covers(address, port) || isReachable(address, isFree));
  return addresses.length > 0 ? { addresses } : { refused: 'private-address', address: first.address };
}

/** A private address counts only where that very address was consented, by rule or by answer; not a name that leads to it. */
function isReachable(address: string, isFree: boolean): boolean {
  return !isPrivateAddress(address) || (isFree && !isLinkLocal(address));
}

async function resolve(name: string, { lookup = lookUp, limits }: HostJudgeOptions) {
  try {
    return await within(lookup(name), limits.lookupMs);
  } catch {
    return [];
  }
}

export async function lookUp(name: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return await lookup(name, { all: true });
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | 'silence'> {
  const { promise: late, resolve: end } = Promise.withResolvers<'silence'>();
  const timer = setTimeout(() => end('silence'), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
