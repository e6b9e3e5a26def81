// The hosts of tests in network namespaces: consented ones, others, names for both, and a skill that tries all of them.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Change } from '../../changed/changed-source.ts';
import { skillFiles } from '../../door-support.ts';
import { type SelfSigned, selfSigned } from '../../server/self-signed.ts';
import { type EnteredProject, enterWorld, worldsHere } from '../../world/enter.ts';
import { missing } from '../../world/sandbox-support.ts';
import { whyUnreachable } from '../../world/world.ts';
import { METADATA, type Namespaces, openNamespaces } from './namespaces.ts';

export const GOOD = '198.51.100.7';
export const GOOD_SIX = '2001:db8:7::7';
export const GOOD_LOCAL = 'fd07::7';
export const EVIL = '198.51.100.8';
export const INNER = '10.7.0.5';
export const REBOUND = [[GOOD], ['127.0.0.1'], [INNER], [METADATA]] as const;
/** Each client has a name of its own that is bound anew, since each look-up turns it. */
export const reboundName = (index: number) => `c${index}.rebind.test`;
const CLIENTS = 12;

const ZONE = {
  'good.test': [[GOOD, GOOD_SIX]],
  'six-good.test': [[GOOD_SIX]],
  'www.test': [['good.test']],
  'many.test': [[INNER, '127.0.0.1', GOOD]],
  // On the same machine as good.test, and not consented.
  'hidden.test': [[GOOD]],
  'evil.test': [[EVIL]],
  'inner.test': [[INNER]],
  'alias.test': [['inner.test']],
  'six.test': [['fd07::5']],
  'mapped.test': [[`::ffff:${INNER}`]],
  'meta.test': [[METADATA]],
  'local.test': [['127.0.0.1']],
  ...Object.fromEntries(Array.from({ length: CLIENTS }, (_, index) => [reboundName(index), REBOUND])),
};

/** By name all but evil.test and hidden.test; by address only those three. */
export const CONSENTED = [
  ...Object.keys(ZONE).filter((name) => !/^(?:evil|hidden)\.|rebind/.test(name)),
  ...['*.rebind.test', GOOD, GOOD_SIX, GOOD_LOCAL],
];

/** Runs what batch.json says, one program after the other, and puts its name in front of each line. */
const TRY_ALL = `import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
for (const { name, argv: [program, ...words] } of JSON.parse(readFileSync('batch.json', 'utf8'))) {
  const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
  for (const line of stdout.trimEnd().split('\\n')) console.log(name + '\\t' + line);
  if (stderr) console.error(name + ': ' + stderr);
}
`;

export interface ProgramInside {
  readonly name: string;
  readonly argv: readonly string[];
}

export interface TriedInTown {
  /** By program: its lines. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly reached: readonly string[];
  /** As `host reason`. */
  readonly refused: readonly string[];
  readonly outcome: { readonly state: string; readonly data: Record<string, unknown> };
}

export interface Town extends Pick<Namespaces, 'told'> {
  readonly certificates: string;
  readonly abstract: string;
  /** One call of the skill by the command line, on the near machine. */
  tryAll(programs: readonly ProgramInside[], changes?: readonly Change[]): Promise<TriedInTown>;
  readonly run: EnteredProject['run'];
}

/** The hosts are consented; undefined after saying what this machine lacks. */
export async function openTown(t: TestContext): Promise<Town | undefined> {
  const world = worldsHere().find((one) => one.tier !== 'S1' && whyUnreachable(one) === undefined);
  if (!world) return missing(t, 'no tier with a network of its own holds here');
  const tls = selfSigned(['good.test', 'evil.test', 'hidden.test', 'inner.test']);
  const abstract = `skillwright-${randomBytes(6).toString('hex')}`;
  const namespaces = await openNamespaces(t, {
    ...{ tls, zone: ZONE, abstract },
    far: ['198.51.100.1', GOOD, EVIL, INNER, METADATA, GOOD_SIX, '2001:db8:7::8', 'fd07::5', GOOD_LOCAL, 'fe80::7'],
    near: ['198.51.100.2', '10.7.0.2', '2001:db8:7::2', 'fd07::2'],
    loopback: ['127.0.0.1', '::1'],
  });
  if (!namespaces) return undefined;
  const always = belongsToRoot(namespaces) ? [] : [TRUSTS_NOBODY];
  const files = skillFiles('reach', 'name: reach\ndescription: Reaches.', { 'scripts/try-all.mjs': TRY_ALL });
  const entered = enterWorld(t, world, files, namespaces.through);
  if (!entered) return undefined;
  const place: EnteredProject = {
    ...entered,
    run: (words, changes = []) => entered.run(words, [...always, ...changes]),
  };
  const certificates = trust(place, tls);
  const added = await place.run(['grants', 'add', 'reach', ...CONSENTED.flatMap((host) => ['--host', host])]);
  if (added.code !== 0) throw new Error(added.stderr);
  return {
    ...{ certificates, abstract, told: namespaces.told, run: place.run },
    async tryAll(programs, changes) {
      writeFileSync(path.join(place.project, 'batch.json'), JSON.stringify(programs));
      const words = ['exec', 'reach', 'scripts/try-all.mjs', '--yes', '--json'];
      const { stdout, stderr } = await place.run(words, changes);
      if (stdout === '') throw new Error(stderr);
      return readTried(JSON.parse(stdout));
    },
  };
}

/** In a user namespace of its own the programs of the system belong to nobody, and no tier would trust them. */
const TRUSTS_NOBODY: Change = {
  file: 'src/process/sandbox/host.ts',
  from: 'owner = 0): string | undefined {',
  to: 'owner = 65534): string | undefined {',
};

function belongsToRoot({ through }: Namespaces): boolean {
  const [program = '', ...words] = [...through('/'), 'stat', '-L', '-c', '%u', '/bin/sh'];
  return spawnSync(program, words, { encoding: 'utf8' }).stdout.trim() === '0';
}

function trust({ project }: EnteredProject, { cert }: SelfSigned): string {
  const folder = path.join(path.dirname(project), 'home', '.agent');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'ca.pem');
  writeFileSync(file, cert);
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ network: { ca_file: file } }));
  return file;
}

function readTried(
  outcome: TriedInTown['outcome'] & { data: { stdout?: string; sandbox?: SandboxFacts } },
): TriedInTown {
  const { stdout = '', sandbox } = outcome.data;
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const lines = Map.groupBy(rows, ([name = '']) => name);
  return {
    lines: new Map([...lines].map(([name, those]) => [name, those.map((row) => row.slice(1).join('\t'))])),
    reached: sandbox?.hosts?.reached ?? [],
    refused: (sandbox?.hosts?.refused ?? []).map(({ host, reason }) => `${host} ${reason}`),
    outcome,
  };
}

interface SandboxFacts {
  readonly hosts?: {
    readonly reached?: readonly string[];
    readonly refused?: readonly { readonly host: string; readonly reason: string }[];
  };
}
