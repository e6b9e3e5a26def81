// A certificate for 127.0.0.1, or for hosts that are named, that vouches for itself, made anew for each test: no key lies in the repository.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

export function selfSigned(hosts: readonly string[] = ['127.0.0.1']): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier('2a8648ce3d040302'));
  const name = sequence(part(0x31, sequence(identifier('550403'), part(0x0c, Buffer.from('loopback')))));
  const from = new Date(Date.now() - DAY_MS);
  const facts = sequence(
    part(0xa0, part(0x02, Buffer.from([2]))),
    part(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(moment(from), moment(new Date(from.getTime() + 2 * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    part(0xa3, sequence(extension('551d11', ...hosts.map(alternativeName)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', facts, privateKey)]);
  const cert = pem('CERTIFICATE', sequence(facts, algorithm, part(0x03, signature)));
  return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

function alternativeName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  return isAddress ? part(0x87, Buffer.from(host.split('.').map(Number))) : part(0x82, Buffer.from(host));
}

/** As ASN.1 writes everything: a tag, a length, what it is about. */
function part(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return part(0x30, ...parts);
}

function identifier(hex: string): Buffer {
  return part(0x06, Buffer.from(hex, 'hex'));
}

function moment(date: Date): Buffer {
  return part(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`));
}

function extension(hex: string, ...names: readonly Buffer[]): Buffer {
  return sequence(identifier(hex), part(0x04, sequence(...names)));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
