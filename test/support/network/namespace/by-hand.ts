// What a program says to the proxy by hand, and where it goes without one: each attempt prints its name and what came of it.
import { EVIL, GOOD, GOOD_LOCAL, GOOD_SIX, INNER } from './town.ts';

/** `page`: a server answered. Else what stopped it. */
const PROGRAM = `
import ipaddress, os, socket, ssl, sys
def attempt(name, action):
    try: said = action()
    except OSError as error: said = type(error).__name__
    print(name, 'page' if b'page' in said else 'nothing', sep='\\t', flush=True) if isinstance(said, bytes) else print(name, said, sep='\\t', flush=True)
def all_of(line):
    got = b''
    while True:
        try: part = line.recv(65536)
        except OSError: return got
        if not part: return got
        got += part
def proxy(*words):
    line = socket.create_connection(('127.0.0.1', 61080), 5)
    for word in words[:-1]:
        line.sendall(word)
        line.recv(4096)
    line.sendall(words[-1])
    line.shutdown(socket.SHUT_WR)
    return all_of(line)
def get(target, host, more=b''): return b'GET %s HTTP/1.1\\r\\nHost: %s\\r\\n%s\\r\\n' % (target, host, more)
CLOSE = b'Connection: close\\r\\n'
def tls(host, name):
    line = socket.create_connection(('127.0.0.1', 61080), 5)
    line.sendall(b'CONNECT %s:443 HTTP/1.1\\r\\n\\r\\n' % host)
    line.recv(4096)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    inner = context.wrap_socket(line, server_hostname=name)
    inner.sendall(get(b'/tls', name.encode(), CLOSE))
    return all_of(inner)
def socks(address):
    number = ipaddress.ip_address(address)
    kind = b'\\x01' if number.version == 4 else b'\\x04'
    host = address.encode() if number.version == 4 else b'[%s]' % address.encode()
    return proxy(b'\\x05\\x01\\x00', b'\\x05\\x01\\x00' + kind + number.packed + b'\\x00\\x50', get(b'/socks', host, CLOSE))
def straight(family, address, kind=socket.SOCK_STREAM, words=b'GET / HTTP/1.0\\r\\n\\r\\n'):
    line = socket.socket(family, kind); line.settimeout(3); line.connect(address); line.sendall(words)
    return b'page' if line.recv(99) else b''
tunnel = b'CONNECT good.test:80 HTTP/1.1\\r\\n\\r\\n'
attempt('host field', lambda: proxy(get(b'http://good.test/a', b'hidden.test')))
attempt('second request', lambda: proxy(get(b'http://good.test/b', b'good.test') + get(b'http://hidden.test/b2', b'hidden.test', CLOSE)))
attempt('two lengths', lambda: proxy(b'POST http://good.test/ HTTP/1.1\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n'))
attempt('tunnel host', lambda: proxy(tunnel, get(b'/c', b'hidden.test', CLOSE)))
attempt('tunnel second', lambda: proxy(tunnel, get(b'/d', b'good.test') + get(b'/e', b'hidden.test', CLOSE)))
attempt('tunnel name', lambda: tls(b'good.test', 'hidden.test'))
attempt('fine tunnel', lambda: proxy(tunnel, get(b'/d', b'good.test') + get(b'/f', b'good.test', CLOSE)))
attempt('fine name', lambda: tls(b'good.test', 'good.test'))
attempt('zone', lambda: proxy(b'CONNECT [fe80::7%near0]:80 HTTP/1.1\\r\\n\\r\\n', get(b'/', b'x')))
for address in sys.argv[2].split(): attempt('socks ' + address, lambda: socks(address))
for address in sys.argv[2].split():
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    attempt('straight ' + address, lambda: straight(family, (address, 80)))
query = b'\\x00\\x01\\x01\\x00\\x00\\x01' + bytes(6) + b'\\x04evil\\x04test\\x00\\x00\\x01\\x00\\x01'
attempt('name server', lambda: straight(socket.AF_INET, ('198.51.100.1', 53), socket.SOCK_DGRAM, query))
attempt('name', lambda: (socket.getaddrinfo('evil.test', 80), b'page')[1])
attempt('abstract', lambda: straight(socket.AF_UNIX, '\\0' + sys.argv[1]))
for name in ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']:
    for spelling in [name, name.lower()]: attempt('env ' + spelling, lambda: os.environ.get(spelling, 'unset'))
attempt('env NODE_USE_ENV_PROXY', lambda: os.environ.get('NODE_USE_ENV_PROXY', 'unset'))
attempt('env socks', lambda: ' '.join(sorted(key for key, value in os.environ.items() if 'socks' in value.lower())) or 'none')
`;

/** Consented by address; the last one is the first in other clothes. */
export const REACHED_BY_ADDRESS = [GOOD, GOOD_SIX, GOOD_LOCAL, `::ffff:${GOOD}`];
export const REFUSED_BY_ADDRESS = [
  ...[EVIL, INNER, '169.254.169.254', '127.0.0.1', '0.0.0.0', '198.51.100.2'],
  ...['2001:db8:7::8', 'fd07::5', 'fe80::7', '::1', '::', `::ffff:${INNER}`],
];

export function byHand(abstract: string): { name: string; argv: string[] } {
  const addresses = [...REACHED_BY_ADDRESS, ...REFUSED_BY_ADDRESS].join(' ');
  return { name: 'by hand', argv: ['/usr/bin/python3', '-I', '-c', PROGRAM, abstract, addresses] };
}
