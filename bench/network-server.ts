// A server on loopback that sends 100 MB to whoever asks, by HTTP and by TLS; prints its ports and its certificate as JSON.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { selfSigned } from '../test/support/server/self-signed.ts';

const ADDRESS = '127.0.0.2';
const BYTES = 100 * 1024 * 1024;
const chunk = Buffer.alloc(1024 * 1024, 'x');

const answer: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': BYTES });
  let left = BYTES / chunk.length;
  const send = () => {
    while (left > 0) {
      left--;
      if (!response.write(chunk)) return void response.once('drain', send);
    }
    response.end();
  };
  send();
};

const identity = selfSigned([ADDRESS]);
const [port, tlsPort] = [await listen(createServer(answer)), await listen(createTlsServer(identity, answer))];
process.stdout.write(`${JSON.stringify({ port, tlsPort, certificate: identity.cert })}\n`);
// Until whoever started it is gone.
process.stdin.resume().on('end', () => process.exit());

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, ADDRESS, () => resolve((server.address() as AddressInfo).port));
  });
}
