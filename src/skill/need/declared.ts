// Needs that an author declared: `secrets`, maps in `requires`, `metadata.openclaw` under its three names, and words in `compatibility`.
import { isRecord } from '../../base/json.ts';
import type { Manifest } from '../skill.ts';
import { hostIn, hostsInProse, withoutAddresses } from './host.ts';
import type { Need } from './need.ts';
import { programsInProse } from './program.ts';
import { isOwnVariable, variablesInText } from './variable.ts';

/** The text of SKILL.md tells the lines. */
export function declaredNeeds(manifest: Manifest, file: string, text: string): Need[] {
  const { secrets = [], unknown = {}, metadata = {}, compatibility = '' } = manifest;
  const found = [
    ...variables(secrets, 'secrets'),
    ...ofRequires(unknown.requires, 'requires'),
    ...['openclaw', 'clawdbot', 'clawdis'].flatMap((key) => ofOpenClaw(metadata[key], `metadata.${key}`)),
    ...inProse(compatibility, 'compatibility'),
  ];
  const lines = text.slice(0, FRONT_MATTER).split('\n');
  return found.map(({ said, ...need }) => ({
    ...need,
    file,
    line: lineOf(said ?? need.name, lines),
    sure: 'declared' as const,
  }));
}

/** `said`: the word of the author, where it is another than the name. */
type Declared = Pick<Need, 'kind' | 'name' | 'port' | 'how'> & { readonly said?: string };

const FRONT_MATTER = 64 * 1024;

function lineOf(name: string, lines: readonly string[]): number {
  return (
    Math.max(
      0,
      lines.findIndex((line) => line.includes(name)),
    ) + 1
  );
}

/** Other tools gate a skill by it: programs, at least one of some programs, variables. */
function ofOpenClaw(value: unknown, how: string): Declared[] {
  if (!isRecord(value)) return [];
  const { requires, primaryEnv, install } = value;
  const installers = Array.isArray(install) ? install.filter(isRecord) : [];
  return [
    ...ofRequires(requires, `${how}.requires`),
    ...variables(texts(primaryEnv), `${how}.primaryEnv`),
    ...installers.flatMap(({ bins, url }) => [
      ...programs(texts(bins), `${how}.install`),
      ...texts(url).flatMap((one) => hosts(one, `${how}.install`)),
    ]),
  ];
}

const VARIABLE_KEYS = ['env', 'envVars', 'environment', 'variables', 'secrets'];
const PROGRAM_KEYS = ['bins', 'anyBins', 'binaries', 'commands', 'programs', 'tools', 'system'];
const HOST_KEYS = ['hosts', 'network', 'domains', 'urls'];

function ofRequires(value: unknown, how: string): Declared[] {
  if (!isRecord(value)) return [];
  const under = (keys: readonly string[]) => keys.flatMap((key) => texts(value[key]));
  return [
    ...variables(under(VARIABLE_KEYS), how),
    ...programs(under(PROGRAM_KEYS), how),
    ...under(HOST_KEYS).flatMap((one) => hosts(one, how)),
  ];
}

/** A text, a list of them, a list of records with a name, or a map by name. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.length < 200 ? [value] : [];
  if (Array.isArray(value)) return value.slice(0, 100).flatMap((one) => texts(isRecord(one) ? one.name : one));
  return isRecord(value) ? Object.keys(value).slice(0, 100) : [];
}

function variables(names: readonly string[], how: string): Declared[] {
  return names.filter(isOwnVariable).map((name) => ({ kind: 'variable', name, how }));
}

function programs(names: readonly string[], how: string): Declared[] {
  return names.filter((name) => /^[\w.+-]{1,64}$/.test(name)).map((name) => ({ kind: 'program', name, how }));
}

function hosts(text: string, how: string): Declared[] {
  const host = hostIn(text.includes('://') ? text : `https://${text}`);
  return host ? [{ kind: 'host', how, ...host }] : [];
}

const DEVICE = /\b(?:cuda|gpu|nvidia)\b/i;

function inProse(text: string, how: string): Declared[] {
  return [
    ...variablesInText(text).map((name): Declared => ({ kind: 'variable', name, how })),
    ...programsInProse(withoutAddresses(text)).map((one): Declared => ({ kind: 'program', ...one, how })),
    ...hostsInProse(text).map((host): Declared => ({ kind: 'host', ...host, how })),
    ...(DEVICE.test(text) ? [{ kind: 'device', name: 'gpu', how } as const] : []),
  ];
}
