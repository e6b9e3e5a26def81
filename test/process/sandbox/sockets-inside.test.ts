// Sockets of a call: servers and their clients inside one sandbox meet, and nothing of the machine is reached by them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { skillFiles } from '../../support/door-support.ts';
import { type EnteredProject, enterWorld, execIn, worldsHere } from '../../support/world/enter.ts';

const SERVE = `import http.server, os, socket, socketserver, sys, threading, urllib.request

def attempt(name, work):
    try:
        print(name, work(), flush=True)
    except OSError as error:
        print(name, type(error).__name__, flush=True)

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b'page')
    def log_message(self, *words): pass

class Second(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6

def web(host, kind=http.server.ThreadingHTTPServer, ask=None):
    with kind((host, 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        name = ask or host
        text = urllib.request.urlopen('http://%s:%d/' % (name, server.server_address[1]), timeout=10).read().decode()
        server.shutdown()
        return text

def local(folder):
    os.chdir(folder)
    class Echo(socketserver.StreamRequestHandler):
        def handle(self): self.wfile.write(self.rfile.readline().upper())
    with socketserver.ThreadingUnixStreamServer('own.sock', Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = socket.socket(socket.AF_UNIX)
        client.connect('own.sock'); client.sendall(b'echo\\n')
        text = client.recv(16).decode().strip()
        server.shutdown()
    os.unlink('own.sock')
    return text

here = os.getcwd()
attempt('loopback', lambda: web('127.0.0.1'))
attempt('localhost', lambda: web('127.0.0.1', ask='localhost'))
if 'second' in sys.argv:
    attempt('second', lambda: web('::1', Second, ask='[::1]'))
attempt('in the project', lambda: local(here))
attempt('in the work folder', lambda: local(os.environ['TMPDIR']))
attempt('in /tmp', lambda: local('/tmp'))
left, right = socket.socketpair(); left.sendall(b'pair'); print('pair', right.recv(8).decode())
`;

const NODE = `import { createServer, get } from 'node:http';
import { connect, createServer as listen } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
const names = () => { try { return Object.keys(networkInterfaces()).join() } catch (error) { return error.code ?? error.name } };
console.log('interfaces', names());
const web = createServer((_, answer) => answer.end('page'));
web.on('error', (error) => { console.log('loopback', error.code); local(); });
web.listen(0, 'localhost', () => get({ host: 'localhost', port: web.address().port }, (answer) => {
  answer.on('data', (text) => console.log('loopback', String(text))).on('end', () => { web.close(); local(); });
}));
function local() {
  const file = path.join(process.env.TMPDIR, 'node.sock');
  const server = listen((socket) => socket.end('echo'));
  server.on('error', (error) => console.log('local', error.code));
  server.listen(file, () => connect(file).on('data', (text) => { console.log('local', String(text)); server.close(); }));
}
`;

const REACH = `import socket, sys
port, name = int(sys.argv[1]), sys.argv[2]
def attempt(what, family, kind, address):
    try:
        with socket.socket(family, kind) as client:
            client.settimeout(5); client.connect(address)
            print(what, 'reached')
    except OSError as error:
        print(what, type(error).__name__)
attempt('port', socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', port))
attempt('project', socket.AF_UNIX, socket.SOCK_STREAM, 'docker.sock')
attempt('abstract', socket.AF_UNIX, socket.SOCK_STREAM, '\\0' + name)
attempt('address', socket.AF_INET, socket.SOCK_STREAM, ('169.254.169.254', 80))
`;

const FILES = {
  ...skillFiles('net', 'name: net\ndescription: Serves.', {
    'scripts/serve.py': SERVE,
    'scripts/serve.mjs': NODE,
    'scripts/reach.py': REACH,
  }),
  // The same as the command of a skill.
  ...skillFiles('plain', 'name: plain\ndescription: Reaches.\ncommand: python3 reach.py $1 $2', { 'reach.py': REACH }),
};

for (const world of worldsHere()) {
  const isClosed = world.tier === 'S1';

  test(`${world.title}: a server of a script is found by its own client, over loopback and local sockets`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (!place) return;
    // The loopback of the other address family, where this machine has it.
    const second = existsSync('/proc/net/if_inet6') ? ['second'] : [];
    const lines = linesOf(await execIn(place, world, ['net', 'scripts/serve.py', ...second]));
    const names = ['loopback', 'localhost', ...second];
    const locals = ['in the project', 'in the work folder', 'in /tmp'];
    // At S1 there is no network of its own: sockets are refused, except for pairs.
    const wanted = isClosed
      ? [...names, ...locals].map((name) => `${name} PermissionError`)
      : [...names.map((name) => `${name} page`), ...locals.map((name) => `${name} ECHO`)];
    assert.deepEqual(lines, [...wanted, 'pair pair']);
    const node = linesOf(await execIn(place, world, ['net', 'scripts/serve.mjs']));
    if (isClosed)
      assert.ok(
        node.every((line) => !/page|echo|\blo\b/.test(line)),
        node.join(),
      );
    else assert.deepEqual(node, ['interfaces lo', 'loopback page', 'local echo']);
  });

  test(`threat 39 blocked: ${world.title}: no port, no local socket in the project, no abstract one of the machine is reached`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (!place) return;
    const machine = await listenOnMachine(t, place.project);
    const layered = await execIn(place, world, ['net', 'scripts/reach.py', ...machine.words]);
    assert.equal(linesOf(layered).length, 4, layered);
    assert.doesNotMatch(layered, /reached/);
    const plain = await byCommand(place, machine.words);
    assert.doesNotMatch(plain, /reached/);
    assert.match(plain, isClosed ? /^project PermissionError$/m : /^project ConnectionRefusedError$/m);
    assert.deepEqual(machine.seen, []);
  });
}

const S3 = { tier: 'S3' } as const;
// The probe of the tier would see that it does not hold.
const MISLED = { file: 'src/process/sandbox/probe.ts', from: "said === 'holds'", to: "said !== ''" };

test('threat 39 control: S3: in the network of the machine, its port answers', async (t) => {
  const place = enterWorld(t, S3, FILES);
  if (!place) return;
  const machine = await listenOnMachine(t, place.project);
  const from = "...(network === 'all' ? [] : ['--unshare-net']),";
  const shared = { file: 'src/process/sandbox/linux/bubblewrap.ts', from, to: '' };
  assert.match(await byCommand(place, machine.words, [shared, MISLED]), /^port reached$/m);
  assert.ok(machine.seen.includes('port'));
});

test('S2: without a root of its own there is loopback, and of local sockets only pairs', async (t) => {
  const world = worldsHere().find(({ tier }) => tier === 'S2');
  const place = world && enterWorld(t, world, FILES);
  if (!place) return;
  const file = 'src/process/sandbox/linux/namespaces.ts';
  const rootless = { file, from: 'return [{ sealed: true }, { sealed: false }];', to: 'return [{ sealed: false }];' };
  const lines = linesOf(await execIn(place, world, ['net', 'scripts/serve.py'], [rootless]));
  assert.deepEqual([lines[0], lines.at(-1)], ['loopback page', 'pair pair']);
  const locals = ['in the project', 'in the work folder', 'in /tmp'].map((name) => `${name} PermissionError`);
  assert.deepEqual(lines.slice(-4, -1), locals);
  const machine = await listenOnMachine(t, place.project);
  const plain = await byCommand(place, machine.words, [rootless]);
  assert.match(plain, /^port ConnectionRefusedError\nproject PermissionError\nabstract PermissionError$/m);
  assert.deepEqual(machine.seen, []);
});

async function byCommand({ run }: EnteredProject, words: readonly string[], changes: readonly Change[] = []) {
  const { stdout, stderr } = await run(['invoke', '@plain', ...words, '--yes', '--json'], changes);
  assert.ok(stdout, stderr);
  return String(JSON.parse(stdout).data.stdout);
}

interface Machine {
  /** The port and the abstract name. */
  readonly words: readonly [string, string];
  /** Who was reached. */
  readonly seen: string[];
}

async function listenOnMachine(t: TestContext, project: string): Promise<Machine> {
  const seen: string[] = [];
  const file = path.join(project, 'docker.sock');
  const name = `skillwright-test-${process.pid}-${path.basename(path.dirname(project))}`;
  const listen = async (who: string, where: number | string) => {
    const server = createServer((socket) => {
      seen.push(who);
      socket.on('error', () => {}).destroy();
    });
    if (typeof where === 'number') server.listen(where, '127.0.0.1');
    else server.listen(where);
    t.after(() => server.close());
    await once(server, 'listening');
    return server;
  };
  const tcp = await listen('port', 0);
  await listen('project', file);
  await listen('abstract', `\0${name}`);
  chmodSync(file, 0o777);
  return { words: [String((tcp.address() as AddressInfo).port), name], seen };
}

function linesOf(text: string): string[] {
  return text.trim().split('\n');
}
