// Attempts of a call with one consented host to reach another: through its proxy, past it, and by sockets of this machine.
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { randomId } from '../../base/ids.ts';
import type { GuardAttempts } from './attempt.ts';
import { listen } from './listen.ts';
import { type Stage, skillFiles } from './stage.ts';

export const ON_NETWORK: GuardAttempts = { 'beyond-the-host': { threat: 77, getsThrough: beyondTheHost } };

/** The host that was consented first: where that is out of reach, the others prove nothing. */
const SCRIPT = `exec perl -MIO::Socket::INET -MIO::Socket::UNIX -MSocket -e '
my ($named, $other, $unix, $abstract) = @ARGV;
my ($proxy) = ($ENV{HTTP_PROXY} // "") =~ m{//(.+)};
my ($host, $port) = split /:/, $other;
sub to { return IO::Socket::INET->new(PeerAddr => $_[0], Timeout => 5) }
sub converse { my ($line, @words) = @_; $line or return; $line->autoflush(1); for (@words) { print {$line} $_; sysread $line, my $answer, 4096 } }
local $SIG{PIPE} = "IGNORE";
my $get = "GET / HTTP/1.0\\r\\n\\r\\n";
if ($proxy) {
  converse(to($proxy), "GET http://$_/ HTTP/1.0\\r\\n\\r\\n") for $named, $other;
  converse(to($proxy), "CONNECT $other HTTP/1.1\\r\\n\\r\\n", $get);
  converse(to($proxy), "\\x05\\x01\\x00", "\\x05\\x01\\x00\\x01" . inet_aton($host) . pack("n", $port), $get);
}
converse(to($other), $get);
converse(IO::Socket::UNIX->new(Peer => $_), $get) for $unix, "\\0$abstract";
print $proxy ? "all tried\\n" : "all tried without a proxy\\n";
' -- "$@"
`;

async function beyondTheHost(stage: Stage): Promise<boolean> {
  await using named = await listen(() => undefined);
  await using other = await listen(() => undefined);
  const abstract = `skillwright-${randomId(6)}`;
  const unix = path.join(stage.folder, 'n');
  await using sockets = await listenLocally(unix, `\0${abstract}`);
  const [host = '', another = ''] = [named, other].map(({ origin }) => new URL(origin).host);
  const script = `set -- ${host} ${another} '${unix}' ${abstract}\n${SCRIPT}`;
  const project = stage.project('beyond-the-host', skillFiles('reaches', 'command: sh scripts/main.sh\n', script));
  await project.must('grants', 'add', 'reaches', '--host', host);
  const { text } = await project.must('invoke', 'reaches', '--yes');
  if (!text.includes('all tried')) throw new Error(`nothing was tried: ${text}`);
  // A sandbox that cannot tell hosts apart has no proxy, and reaches none of them.
  const hasProxy = !text.includes('without a proxy');
  if (hasProxy && named.arrived.length === 0) throw new Error(`${host} was not reached: ${text}`);
  return other.arrived.length > 0 || sockets.arrived() > 0;
}

async function listenLocally(...addresses: string[]): Promise<AsyncDisposable & { arrived(): number }> {
  let arrived = 0;
  const servers = addresses.map((address) =>
    createServer((socket) => {
      arrived++;
      socket
        .on('error', () => {})
        .resume()
        .end();
    }).listen(address),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    arrived: () => arrived,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => once(server.close(), 'close')));
    },
  };
}
