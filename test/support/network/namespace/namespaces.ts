// Two network namespaces and a cable between them: the machine that the command line runs on, and everything else there is.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { SelfSigned } from '../../server/self-signed.ts';
import { temporaryFolder } from '../../support.ts';
import { missing } from '../../world/sandbox-support.ts';
import type { Zone } from './dns.ts';
import type { InhabitantOrder, Told } from './inhabitant.ts';

export interface Namespaces {
  /** Words in front of a program, so that it is started on the near machine, in that folder. */
  through(folder: string): string[];
  /** Who came where since it was last asked, and which names were looked up. */
  told(): Promise<Told>;
}

export interface Layout {
  readonly tls: SelfSigned;
  readonly zone: Zone;
  /** Of documentation, private and link-local ranges only: no packet of them has anywhere to go. */
  readonly far: readonly string[];
  readonly near: readonly string[];
  /** Where only the near machine itself listens. */
  readonly loopback: readonly string[];
  readonly abstract: string;
}

const INHABITANT = path.join(import.meta.dirname, 'inhabitant.ts');
const isRoot = process.geteuid?.() === 0;
const OWN_USERS = isRoot ? [] : ['-U', '-r'];

/** Undefined after saying what this machine lacks for it. */
export async function openNamespaces(t: TestContext, layout: Layout): Promise<Namespaces | undefined> {
  const ip = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip'].find(existsSync);
  if (!ip) return missing(t, 'iproute2 is not installed');
  const why = whyNone(ip);
  if (why !== undefined) return missing(t, `no network namespace with a cable can be made here: ${why}`);
  const far = await settle(t, 'unshare', [...OWN_USERS, '-n', '--']);
  const join = isRoot ? [] : ['nsenter', '-t', String(far.pid), '-U', '--preserve-credentials', '--'];
  const [program = '', ...words] = [...join, 'unshare', '-n', '-m', '--'];
  const near = await settle(t, program, words);
  const cable = `link add name far0 type veth peer name near0 netns ${near.pid}`.split(' ');
  await ask(far, { do: 'run', commands: [[ip, ...cable], ...layOut(ip, 'far0', layout.far)] });
  await ask(near, { do: 'run', commands: [...layOut(ip, 'near0', layout.near), ...ownFiles(t, layout.far[0] ?? '')] });
  const served = layout.far.map((address) => (address.startsWith('fe80') ? `${address}%far0` : address));
  await ask(far, { do: 'serve', addresses: served, tls: layout.tls });
  await ask(near, { do: 'serve', addresses: layout.loopback, tls: layout.tls });
  await ask(near, { do: 'listen', abstract: layout.abstract });
  await ask(far, { do: 'names', address: layout.far[0] ?? '', zone: layout.zone });
  const users = isRoot ? [] : ['-U', '--preserve-credentials'];
  return {
    through: (folder) => [
      ...['nsenter', '-t', String(near.pid), ...users, '-n', '-m', '--'],
      ...['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder],
    ],
    async told() {
      const [here, there] = [await ask(near, { do: 'tell' }), await ask(far, { do: 'tell' })];
      return { arrived: [...here.arrived, ...there.arrived], asked: there.asked };
    },
  };
}

function whyNone(ip: string): string | undefined {
  const words = [
    ...OWN_USERS,
    '-n',
    '-m',
    '--',
    ip,
    'link',
    'add',
    'name',
    'far0',
    'type',
    'veth',
    'peer',
    'name',
    'near0',
  ];
  const { status, stderr, error } = spawnSync('unshare', words, { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

function layOut(ip: string, device: string, addresses: readonly string[]): [string, ...string[]][] {
  return [
    [ip, 'link', 'set', 'lo', 'up'],
    [ip, 'link', 'set', device, 'up'],
    ...addresses.map((address): [string, ...string[]] => {
      const prefix = address === METADATA ? 32 : address.includes(':') ? 64 : 24;
      return [ip, 'addr', 'add', `${address}/${prefix}`, 'dev', device, ...(address.includes(':') ? ['nodad'] : [])];
    }),
    ...(addresses.includes(METADATA) ? [] : [[ip, 'route', 'add', METADATA, 'dev', device] as [string, ...string[]]]),
  ];
}

export const METADATA = '169.254.169.254';

/** Names are looked up at the far end, and nowhere else: no list of hosts, no service of the machine's. */
function ownFiles(t: TestContext, server: string): [string, ...string[]][] {
  const folder = temporaryFolder(t);
  const texts = {
    '/etc/resolv.conf': `nameserver ${server}\noptions timeout:5 attempts:2\n`,
    '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
    '/etc/hosts': '127.0.0.1 localhost\n',
  };
  return Object.entries(texts)
    .filter(([file]) => existsSync(file))
    .map(([file, text]) => {
      const own = path.join(folder, path.basename(file));
      writeFileSync(own, text, { mode: 0o644 });
      return ['mount', '--bind', own, file];
    });
}

/** Ends with the test; the namespaces and what is in them end with it. */
async function settle(t: TestContext, program: string, words: readonly string[]): Promise<ChildProcess> {
  const outside = readlinkSync('/proc/self/ns/net');
  const child = spawn(program, [...words, process.execPath, INHABITANT, outside], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.after(() => void child.kill('SIGKILL'));
  await answerOf(child);
  return child;
}

function ask(child: ChildProcess, order: InhabitantOrder): Promise<Told> {
  const answer = answerOf(child);
  child.send(order);
  return answer;
}

function answerOf(child: ChildProcess): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const onExit = () => reject(new Error('a process in a namespace ended'));
  child.once('exit', onExit).once('error', reject);
  child.once('message', (message: { done?: Told; failed?: string }) => {
    child.off('exit', onExit).off('error', reject);
    if (message.done) resolve(message.done);
    else reject(new Error(message.failed));
  });
  return promise;
}
