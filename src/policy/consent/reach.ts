// What a person lets code of one digest reach beyond its sandbox: hosts, variables, programs, devices, a lasting home.
import { Fault } from '../../base/errors.ts';
import { type HostRule, readHostRule, showHostRule } from '../../base/host-rule.ts';
import { isRecord, isTextList, type Json } from '../../base/json.ts';
import type { Beyond } from '../asking.ts';
import { type DeviceName, findDevice } from './device.ts';

/** A program outside the system folders, as it was found when a person said yes. */
export interface ProgramReach {
  /** What a script calls it. */
  readonly name: string;
  /** Its real path. */
  readonly file: string;
}

export interface Reach {
  readonly hosts: readonly HostRule[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
  readonly programs: readonly ProgramReach[];
  readonly devices: readonly DeviceName[];
  /** Its home lasts from one run to the next. */
  readonly home: boolean;
}

export const NO_REACH: Reach = { hosts: [], variables: [], programs: [], devices: [], home: false };

export function isEmptyReach(reach: Reach): boolean {
  const { hosts, variables, programs, devices, home } = reach;
  return !home && [hosts, variables, programs, devices].every((list) => list.length === 0);
}

/** Of two programs by one name the first stands. */
export function unionReach(reaches: readonly Reach[]): Reach {
  return {
    hosts: firstOfEach(
      reaches.flatMap(({ hosts }) => hosts),
      showHostRule,
    ),
    variables: [...new Set(reaches.flatMap(({ variables }) => variables))],
    programs: firstOfEach(
      reaches.flatMap(({ programs }) => programs),
      ({ name }) => name,
    ),
    devices: [...new Set(reaches.flatMap(({ devices }) => devices))],
    home: reaches.some(({ home }) => home),
  };
}

/** What the first has and the second has not. */
export function reachWithout(reach: Reach, other: Reach): Reach {
  const hosts = new Set(other.hosts.map(showHostRule));
  const programs = new Set(other.programs.map(({ name }) => name));
  return {
    hosts: reach.hosts.filter((rule) => !hosts.has(showHostRule(rule))),
    variables: reach.variables.filter((name) => !other.variables.includes(name)),
    programs: reach.programs.filter(({ name }) => !programs.has(name)),
    devices: reach.devices.filter((name) => !other.devices.includes(name)),
    home: reach.home && !other.home,
  };
}

/** Which kinds there are, as policy calls them. */
export function kindsOf({ hosts, variables, programs, devices, home }: Reach): Beyond[] {
  const has: Readonly<Record<Beyond, boolean>> = {
    hosts: hosts.length > 0,
    variables: variables.length > 0,
    home,
    device: devices.length > 0,
    program: programs.length > 0,
  };
  return (['hosts', 'variables', 'home', 'device', 'program'] as const).filter((kind) => has[kind]);
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const kept = new Map<string, Item>();
  for (const item of items) if (!kept.has(keyOf(item))) kept.set(keyOf(item), item);
  return [...kept.values()];
}

/** Names only: as records, `--json` and the files of grants hold it. Kinds with nothing in them are left out. */
export function plainReach({ hosts, variables, programs, devices, home }: Reach): Record<string, Json> {
  return {
    ...(hosts.length > 0 && { hosts: hosts.map(showHostRule) }),
    ...(variables.length > 0 && { variables: [...variables] }),
    ...(programs.length > 0 && { programs: programs.map(({ name, file }) => ({ name, file })) }),
    ...(devices.length > 0 && { devices: [...devices] }),
    ...(home && { home }),
  };
}

/** Undefined for what is not whole in every part. */
export function readPlainReach(value: unknown): Reach | undefined {
  if (!isRecord(value)) return undefined;
  const { hosts = [], variables = [], programs = [], devices = [], home = false } = value;
  if (!isTextList(hosts) || !isTextList(variables) || !isTextList(devices) || typeof home !== 'boolean')
    return undefined;
  const rules = hosts.flatMap((host) => readHostIfRule(host) ?? []);
  const known = devices.flatMap((device) => findDevice(device) ?? []);
  const found = Array.isArray(programs) ? programs.filter(isProgram) : [];
  const isWhole =
    rules.length === hosts.length && known.length === devices.length && isFullList(programs, found.length);
  return isWhole ? { hosts: rules, variables, programs: found, devices: known, home } : undefined;
}

function isFullList(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length;
}

function readHostIfRule(text: string): HostRule | undefined {
  try {
    return readHostRule(text);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function isProgram(value: unknown): value is ProgramReach {
  return (
    isRecord(value) && typeof value.name === 'string' && typeof value.file === 'string' && value.file.startsWith('/')
  );
}
