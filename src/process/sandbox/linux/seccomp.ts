// Seccomp filters as bytes, assembled here so that no compiler and no native module is needed.
import type { OrderNetwork } from '../../order.ts';
import {
  type Architecture,
  AUDIT_MARK,
  type CallName,
  callNumber,
  FORBIDDEN,
  METADATA,
  NEWEST_REVIEWED,
  ON_ONESELF,
  REQUESTS,
  SHARED_OBJECTS,
  UNCOUNTED_MEMORY,
} from './seccomp-table.ts';

/** What the filter has to make up for, because nothing else stands between the process and it. */
export interface Exposure {
  /** Internet sockets: of the machine's network, of one of its own in which nothing but loopback is, or none. */
  readonly network: 'host' | 'own' | 'none';
  /**
   * Local sockets besides pairs: all, where none of the host can be found; or to listen on only, which goes without
   * internet sockets, because a filter cannot see whom `connect` is for.
   */
  readonly local: 'all' | 'listen' | 'none';
  /** The user's own files are reachable by path: their modes, owners and times must not change. */
  readonly files: boolean;
  /** The user's other processes and their shared objects are reachable. */
  readonly processes: boolean;
}

/** From this version on, Landlock keeps processes from abstract sockets outside. */
const SCOPED_NAMES = 6;

/** For a view without a local socket of the host: by path none is found, and by an abstract name only in the same network. */
export function ownView(network: OrderNetwork, landlockAbi: number): Exposure {
  if (network !== 'all') return { network: 'own', local: 'all', files: false, processes: false };
  return { network: 'host', local: landlockAbi >= SCOPED_NAMES ? 'all' : 'none', files: false, processes: false };
}

/** Nothing is killed: a refused call returns an error that programs can handle. */
type Verdict = 'allow' | 'forbid' | 'missing' | 'ignore';

const VERDICTS: Record<Verdict, number> = {
  allow: 0x7fff0000,
  forbid: 0x00050001,
  missing: 0x00050026,
  // Success without effect: copying and unpacking go on, and nothing of the user's changes.
  ignore: 0x00050000,
};

interface Step {
  readonly code: number;
  readonly value: number;
  /** Where a comparison leads; absent: the next step. */
  readonly yes?: string;
  readonly no?: string;
  readonly label?: string;
}

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const AT_NUMBER = 0;
const AT_ARCHITECTURE = 4;
const X32_BIT = 0x40000000;
const CLONE_NEW_ANYTHING = 0x7e020000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const SOCK_SEQPACKET = 5;
const SOCKET_TYPE_BITS = 0xf;
const PROTOCOLS = [0, 6, 17];

export function seccompFilter(architecture: Architecture, exposure: Exposure): Uint8Array {
  const numbered = (name: CallName) => callNumber(architecture, name);
  return assemble([
    ...refuseForeign(architecture),
    ...refuseAll(FORBIDDEN, 'forbid', numbered),
    ...refuseAll(UNCOUNTED_MEMORY, 'missing', numbered),
    ...refuseAll(exposure.files ? METADATA : [], 'ignore', numbered),
    ...refuseAll(exposure.processes ? SHARED_OBJECTS : [], 'forbid', numbered),
    // Flags of clone3 lie in memory, where a filter cannot look; libraries fall back to clone.
    ...refuseAll(['clone3'], 'missing', numbered),
    ...refuseAll(exposure.network === 'none' && exposure.local !== 'all' ? ['connect'] : [], 'forbid', numbered),
    ...whenCalled(numbered('clone'), [
      load(0),
      { code: ANY_BIT, value: CLONE_NEW_ANYTHING, yes: 'forbid', no: 'allow' },
    ]),
    ...whenCalled(numbered('ioctl'), forbidRequests(exposure)),
    ...whenCalled(numbered('fcntl'), [load(1), { code: EQUAL, value: REQUESTS.setLease, yes: 'forbid', no: 'allow' }]),
    ...whenCalled(numbered('socketpair'), onlyPairs(exposure)),
    ...whenCalled(numbered('socket'), onlySockets(exposure)),
    ...(exposure.processes ? ON_ONESELF.flatMap(([name, place]) => whenCalled(numbered(name), onlyZero(place))) : []),
  ]);
}

function refuseForeign(architecture: Architecture): Step[] {
  return [
    { code: LOAD, value: AT_ARCHITECTURE },
    { code: EQUAL, value: AUDIT_MARK[architecture], no: 'missing' },
    { code: LOAD, value: AT_NUMBER },
    { code: AT_LEAST, value: X32_BIT, yes: 'missing' },
    { code: AT_LEAST, value: NEWEST_REVIEWED + 1, yes: 'missing' },
  ];
}

function refuseAll(
  names: readonly CallName[],
  verdict: Verdict,
  numbered: (name: CallName) => number | undefined,
): Step[] {
  const numbers = names.map(numbered).filter((number) => number !== undefined);
  return numbers.map((value) => ({ code: EQUAL, value, yes: verdict }));
}

/** The steps run for that call only; each such block ends in a verdict. */
function whenCalled(number: number | undefined, steps: readonly Step[]): Step[] {
  if (number === undefined) return [];
  const past = `past-${number}`;
  return [{ code: EQUAL, value: number, no: past }, ...steps, always('allow'), mark(past)];
}

function forbidRequests({ network, files }: Exposure): Step[] {
  return [
    load(1),
    ...REQUESTS.terminalInput.map((value): Step => ({ code: EQUAL, value, yes: 'forbid' })),
    // Also in a network of its own: a socket that was handed over as input or output belongs to the machine's.
    ...(network === 'host'
      ? []
      : [
          { code: AND, value: 0xffffff00 },
          { code: EQUAL, value: REQUESTS.interfaces, yes: 'forbid' },
        ]),
    ...(files ? forbidFileSystems() : []),
  ];
}

/** Flags, generations, encryption and snapshots change the user's files although they were opened for reading. */
function forbidFileSystems(): Step[] {
  return [
    load(1),
    ...REQUESTS.harmlessOfFileSystems.map((value): Step => ({ code: EQUAL, value, yes: 'allow' })),
    { code: AND, value: 0xff00 },
    ...REQUESTS.fileSystems.map((letter): Step => ({ code: EQUAL, value: letter << 8, yes: 'forbid' })),
  ];
}

function onlyPairs({ local }: Exposure): Step[] {
  return [load(0), { code: EQUAL, value: AF_UNIX, no: 'forbid' }, ...onlyTypes(localTypes(local))];
}

/** TCP, UDP and local sockets; no packets, no rare families and protocols. */
function onlySockets({ network, local }: Exposure): Step[] {
  return [
    load(0),
    ...(local === 'none' ? [] : [{ code: EQUAL, value: AF_UNIX, yes: 'local' }]),
    ...(network === 'own' ? [{ code: EQUAL, value: AF_NETLINK, yes: 'netlink' }] : []),
    ...(network === 'none' ? [] : [AF_INET, AF_INET6].map((value): Step => ({ code: EQUAL, value, yes: 'internet' }))),
    always('forbid'),
    ...(local === 'none' ? [] : labelled('local', onlyTypes(localTypes(local)))),
    // Programs list their interfaces before they listen; in a network of its own there is only loopback to be listed.
    ...(network === 'own' ? labelled('netlink', onlyProtocols([NETLINK_ROUTE])) : []),
    ...(network === 'none' ? [] : labelled('internet', onlyTypes(INTERNET_TYPES, 'transport'))),
    ...(network === 'none' ? [] : labelled('transport', onlyProtocols(PROTOCOLS))),
  ];
}

const INTERNET_TYPES = [SOCK_STREAM, SOCK_DGRAM];

/** Datagram sockets can be pointed at somebody's socket without being connected; streams cannot. */
function localTypes(local: Exposure['local']): number[] {
  return local === 'all' ? [SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET] : [SOCK_STREAM];
}

function onlyTypes(types: readonly number[], then = 'allow'): Step[] {
  const known = types.map((value): Step => ({ code: EQUAL, value, yes: then }));
  return [load(1), { code: AND, value: SOCKET_TYPE_BITS }, ...known, always('forbid')];
}

function onlyProtocols(protocols: readonly number[]): Step[] {
  return [load(2), ...protocols.map((value): Step => ({ code: EQUAL, value, yes: 'allow' })), always('forbid')];
}

function labelled(label: string, [first, ...rest]: readonly Step[]): Step[] {
  return first ? [{ ...first, label }, ...rest] : [];
}

function always(label: string): Step {
  return { code: AT_LEAST, value: 0, yes: label, no: label };
}

function onlyZero(place: number): Step[] {
  return [load(place), { code: EQUAL, value: 0, yes: 'allow', no: 'forbid' }];
}

/** The low half of an argument; the kernel ignores the high half of every one looked at here. */
function load(argument: number): Step {
  return { code: LOAD, value: 16 + 8 * argument };
}

/** A place to jump to: reloads the call number, because the block before it loaded an argument. */
function mark(label: string): Step {
  return { code: LOAD, value: AT_NUMBER, label };
}

/** What no step refused falls through to the first verdict, which allows. */
function assemble(body: readonly Step[]): Uint8Array {
  const verdicts = Object.entries(VERDICTS).map(([label, value]): Step => ({ code: RETURN, value, label }));
  const steps = [...body, ...verdicts];
  const places = new Map(steps.flatMap((step, index) => (step.label ? [[step.label, index] as const] : [])));
  const distance = (label: string | undefined, from: number) => {
    if (label === undefined) return 0;
    const jump = (places.get(label) ?? Number.NaN) - from - 1;
    if (!(jump >= 0 && jump <= 255)) throw new RangeError(`seccomp jump to ${label} out of reach`);
    return jump;
  };
  const bytes = new DataView(new ArrayBuffer(steps.length * 8));
  steps.forEach((step, index) => {
    bytes.setUint16(index * 8, step.code, true);
    bytes.setUint8(index * 8 + 2, distance(step.yes, index));
    bytes.setUint8(index * 8 + 3, distance(step.no, index));
    bytes.setUint32(index * 8 + 4, step.value, true);
  });
  return new Uint8Array(bytes.buffer);
}
