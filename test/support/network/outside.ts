// What lies outside of a sandbox in tests of the proxy: a host that is consented, one that is not, and names for both.
import { chmodSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { readHostRule } from '../../../src/base/host-rule.ts';
import type { HostAttempt } from '../../../src/network/attempt.ts';
import { openProxy, type ProxyOptions } from '../../../src/network/proxy.ts';
import type { HostLookup } from '../../../src/network/reach.ts';
import { certificateVariables, proxyVariables } from '../../../src/process/child/bridge.ts';
import type { Ended } from '../../../src/process/order.ts';
import { orderOf, runOrder, type SandboxPlace, trimmed, workIn } from '../world/sandbox-support.ts';
import { certified, type LoopbackServer, serveHttp } from './loopback.ts';

export interface Outside {
  /** By plain HTTP and by TLS, of both hosts. */
  readonly port: number;
  readonly tlsPort: number;
  readonly good: readonly LoopbackServer[];
  readonly secret: readonly LoopbackServer[];
  readonly certificate: string;
  readonly lookup: HostLookup;
  /** What is consented; `all`: everything else, too. */
  rules(all?: boolean): ProxyOptions['rules'];
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'good.test': ['127.0.0.2'],
  // Consented by name, never by address.
  'inner.test': ['127.0.0.3'],
  'dual.test': ['::ffff:127.0.0.3', '127.0.0.3'],
};

/** Good is 127.0.0.2; everything else leads to 127.0.0.3. */
export async function openOutside(t: TestContext): Promise<Outside> {
  const tls = certified('good.test', 'evil.test');
  const good = await serveHttp(t, '127.0.0.2', { answer: (request, response) => answer(port)(request, response) });
  const { port } = good;
  const secret = await serveHttp(t, '127.0.0.3', { port, answer: answer(port) });
  const goodTls = await serveHttp(t, '127.0.0.2', { tls, answer: answer(port) });
  const { port: tlsPort } = goodTls;
  const secretTls = await serveHttp(t, '127.0.0.3', { tls, port: tlsPort, answer: answer(port) });
  const consented = ['good.test', '127.0.0.2', 'inner.test', 'dual.test'].flatMap((host) => [
    `${host}:${port}`,
    `${host}:${tlsPort}`,
  ]);
  const rest = ['evil.test', 'xgood.test', 'good.test.evil.test', '127.0.0.3'].flatMap((host) => [
    `${host}:${port}`,
    `${host}:${tlsPort}`,
  ]);
  return {
    ...{ port, tlsPort, good: [good, goodTls], secret: [secret, secretTls], certificate: tls.cert },
    lookup: async (name) =>
      (NAMES[name] ?? ['127.0.0.3']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    rules: (all = false) => {
      const texts = [...consented, ...(all ? rest : [])];
      return () => texts.map(readHostRule);
    },
  };
}

/** A page; a repository as git asks for it; a redirect to the other host. */
function answer(port: number): RequestListener {
  return ({ url = '' }, response) => {
    if (url.startsWith('/redirect'))
      response.writeHead(302, { location: `http://evil.test:${port}${url.replace('/redirect', '')}` });
    response.end(url.includes('/info/refs') ? `${'1'.repeat(40)}\trefs/heads/main\n` : 'page');
  };
}

export interface Tried {
  readonly attempts: readonly HostAttempt[];
  readonly ended: Ended;
  readonly lines: string[];
}

/** One call with a proxy of its own. */
export async function tryInside(
  { sandbox, folder }: SandboxPlace,
  outside: Pick<Outside, 'certificate' | 'lookup'>,
  wanted: {
    argv: (certificates: string) => readonly string[];
    readOnly?: readonly string[];
    rules: ProxyOptions['rules'];
  } & Pick<ProxyOptions, 'ask' | 'limits'>,
): Promise<Tried> {
  const { argv, readOnly = [], ...options } = wanted;
  const attempts: HostAttempt[] = [];
  const proxy = openProxy({ lookup: outside.lookup, ...options, record: (attempt) => void attempts.push(attempt) });
  const work = workIn(folder);
  // As root, a call runs as somebody else.
  chmodSync(work, 0o777);
  const certificates = path.join(work, 'ca.pem');
  writeFileSync(certificates, outside.certificate, { mode: 0o644 });
  const order = orderOf({ argv: argv(certificates), work, timeoutMs: 120_000 }, { network: { proxy } });
  const env = { ...order.env, ...proxyVariables(), ...certificateVariables(certificates), GIT_TERMINAL_PROMPT: '0' };
  const view = { ...order.view, readOnly: readOnly as typeof order.view.readOnly };
  try {
    const ended = await runOrder(sandbox, { ...order, env, view });
    return { attempts, ended, lines: trimmed(ended.stdout).split('\n') };
  } finally {
    await proxy.close();
  }
}
