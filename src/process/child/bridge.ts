// What the launcher has to say to its host: it asks whether that is still there, and hands over the socket on which its
// loopback listens for a proxy outside.
import type { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/** Serves the connections of one call. */
export interface ProxyPort {
  accept(connection: Socket): void;
}

/** Where it is reached inside; above the ports that a system gives away by itself. */
export const PROXY_PORT = 61_080;

/** Without an answer it does not start the program. */
export function answerLauncher(child: ChildProcess, { host }: { readonly host?: number }): void {
  const line = host === undefined ? undefined : child.stdio[host];
  if (!(line instanceof Socket)) return;
  line.on('error', () => line.destroy());
  line.once('data', () => line.end('yes\n', () => line.destroy()));
}

/** Returns what ends it; connections that are open are the proxy's. */
export function bridgeTo(child: ChildProcess, proxy: ProxyPort): () => void {
  let server: Server | undefined;
  let isClosed = false;
  child.once('message', (_message, handle) => {
    // From now on the sandbox has nothing to say on it.
    if (child.connected) child.disconnect();
    if (!(handle instanceof Server)) return;
    server = Object.assign(handle, { allowHalfOpen: true, pauseOnConnect: true });
    server.on('connection', (connection) => proxy.accept(connection));
    if (isClosed) server.close();
  });
  return () => {
    isClosed = true;
    server?.close();
  };
}

/** As programs look for a proxy, in both spellings; SOCKS is offered and not announced, since some take no such address. */
export function proxyVariables(): Record<string, string> {
  const url = `http://127.0.0.1:${PROXY_PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const values = { ...Object.fromEntries(names.map((name) => [name, url])), NO_PROXY: 'localhost,127.0.0.1,::1' };
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...values, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: '1' };
}

/** As programs look for the certificates they trust. */
export function certificateVariables(file: string): Record<string, string> {
  const names = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'];
  return Object.fromEntries([...names, 'PIP_CERT', 'npm_config_cafile'].map((name) => [name, file]));
}
