// What a self-test must not reach: a port of the host on loopback, and a local socket in a folder that is shown to it.
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { makeFolder, setMode } from '../../base/files.ts';

export interface Bait extends AsyncDisposable {
  readonly port: number;
}

/** The socket is called `s`. */
export async function layBait(folder: string): Promise<Bait> {
  makeFolder(folder, 0o755);
  const local = shorten(path.join(folder, 's'));
  const serve = () => createServer((socket) => socket.destroy());
  const tcp = serve().listen(0, '127.0.0.1');
  const servers = [tcp, serve().listen(local.path)];
  const close = async () => {
    await Promise.all(servers.map(async (server) => server.listening && (await once(server.close(), 'close'))));
    local.close();
  };
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')));
    setMode(local.path, 0o777);
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = tcp.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: close };
}

/** A socket's path has to be short: its folder is named by a descriptor. */
export function shorten(file: string): { path: string; close(): void } {
  const folder = openSync(path.dirname(file), 'r');
  return { path: `/proc/self/fd/${folder}/${path.basename(file)}`, close: () => closeSync(folder) };
}
