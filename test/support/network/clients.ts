// The programs that skills reach hosts with, each as one process that tries a list of addresses and prints a line for each.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface NetworkClient {
  readonly name: string;
  /** Prints `URL<tab>OK` for each that was answered with success, and `URL<tab>NO …` for the others. */
  argv(urls: readonly string[], certificates: string): readonly string[];
  readonly readOnly: readonly string[];
}

const URLLIB = `
import sys, urllib.request
for url in sys.argv[1:]:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer: print(url, 'OK', answer.read(), sep='\\t')
    except Exception as error: print(url, 'NO', error, sep='\\t')
`;
/** Knows no proxy by itself: the program asks it for each address, as many do. */
const HTTP_CLIENT = `
import http.client, os, ssl, sys, urllib.parse
proxy = urllib.parse.urlsplit(os.environ['HTTPS_PROXY'])
def get(url):
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == 'https':
        line = http.client.HTTPSConnection(proxy.hostname, proxy.port, timeout=20, context=ssl.create_default_context())
        line.set_tunnel(parts.hostname, parts.port or 443)
        line.request('GET', parts.path)
    else:
        line = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=20)
        line.request('GET', url)
    answer = line.getresponse()
    answer.read()
    return get(answer.headers['location']) if answer.status == 302 else answer.status
for url in sys.argv[1:]:
    try: status = get(url); print(url, 'OK' if status == 200 else 'NO', status, sep='\\t')
    except Exception as error: print(url, 'NO', error, sep='\\t')
`;
const TINY = `use HTTP::Tiny;
for my $url (@ARGV) {
  my $answer = HTTP::Tiny->new(timeout => 20)->get($url);
  my $said = "$answer->{status} $answer->{reason}";
  $said =~ s/\\s+/ /g;
  print join("\\t", $url, $answer->{success} ? 'OK' : 'NO', $said), "\\n";
}`;
const REQUESTS = `
import sys, requests
for url in sys.argv[1:]:
    try:
        answer = requests.get(url, timeout=20); print(url, 'OK' if answer.ok else 'NO', answer.status_code, sep='\\t')
    except Exception as error: print(url, 'NO', error, sep='\\t')
`;
const FETCH = `
for (const url of process.argv.slice(1)) {
  try { const answer = await fetch(url, { signal: AbortSignal.timeout(20000) }); console.log(url + '\\t' + (answer.ok ? 'OK' : 'NO') + '\\t' + answer.status) }
  catch (error) { console.log(url + '\\tNO\\t' + (error.cause?.message ?? error.message)) }
}`;
const HTTPS = `
import http from 'node:http'; import https from 'node:https';
const get = (url) => new Promise((resolve, reject) => {
  (url.startsWith('https') ? https : http).get(url, { timeout: 20000 }, (answer) => {
    answer.resume();
    if (answer.headers.location) get(answer.headers.location).then(resolve, reject);
    else answer.on('end', () => resolve(answer.statusCode));
  }).on('error', reject).on('timeout', function () { this.destroy(new Error('timeout')) });
});
for (const url of process.argv.slice(1)) {
  try { const status = await get(url); console.log(url + '\\t' + (status === 200 ? 'OK' : 'NO') + '\\t' + status) }
  catch (error) { console.log(url + '\\tNO\\t' + error.message) }
}`;

/** Every client of this machine that a call can run. */
export function clientsHere(): NetworkClient[] {
  return [...python(), ...requestsLibrary(), node('node fetch', FETCH), node('node https', HTTPS), ...programs()];
}

function python(): NetworkClient[] {
  const program = '/usr/bin/python3';
  if (!existsSync(program)) return [];
  return [
    { name: 'python urllib', argv: (urls) => [program, '-I', '-c', URLLIB, ...urls], readOnly: [] },
    { name: 'python http.client', argv: (urls) => [program, '-I', '-c', HTTP_CLIENT, ...urls], readOnly: [] },
  ];
}

/** Has no TLS of its own: only for plain HTTP. */
export function perlHere(): NetworkClient[] {
  const { status } = spawnSync('/usr/bin/perl', ['-MHTTP::Tiny', '-e', '1']);
  if (status !== 0) return [];
  return [{ name: 'perl', argv: (urls) => ['/usr/bin/perl', '-e', TINY, ...urls], readOnly: [] }];
}

/** With whichever Python has it. */
function requestsLibrary(): NetworkClient[] {
  const program = 'import requests, sys; print(sys.executable); print(sys.base_prefix); print(sys.prefix)';
  const { status, stdout } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  const [python = '', ...prefixes] = (stdout ?? '').trim().split('\n');
  if (status !== 0) return [];
  const readOnly = [...new Set(prefixes)].filter((prefix) => !prefix.startsWith('/usr'));
  return [{ name: 'python requests', argv: (urls) => [python, '-c', REQUESTS, ...urls], readOnly }];
}

function node(name: string, program: string): NetworkClient {
  const argv = (urls: readonly string[]) => [process.execPath, '--input-type=module', '-e', program, ...urls];
  return { name, argv, readOnly: [process.execPath] };
}

function programs(): NetworkClient[] {
  return [
    ...shell('curl', () => 'curl -sSfL --max-time 20 "$url"'),
    ...shell(
      'wget',
      (certificates) => `wget -nv -O - --tries=1 --timeout=20 --ca-certificate='${certificates}' "$url"`,
    ),
    ...shell('git', () => 'git ls-remote "$url"'),
  ];
}

function shell(program: string, command: (certificates: string) => string): NetworkClient[] {
  if (!existsSync(`/usr/bin/${program}`)) return [];
  const loop = (one: string) =>
    `for url in "$@"; do if said=$(${one} 2>&1); then printf '%s\\tOK\\n' "$url"; else printf '%s\\tNO\\t%s\\n' "$url" "$(echo $said)"; fi; done`;
  const argv = (urls: readonly string[], certificates: string) => [
    '/bin/sh',
    '-c',
    loop(command(certificates)),
    'sh',
    ...urls,
  ];
  return [{ name: program, argv, readOnly: [] }];
}
