// A package index of our own on loopback: the simple index of Python in both its forms, and the registry of npm.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { NpmPackage, PackedFile } from './packages.ts';

export interface PackageIndex {
  readonly port: number;
  /** Addresses for the settings. */
  readonly python: string;
  readonly npm: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** What the index has, to be changed while it runs. */
  readonly wheels: Listed[];
  readonly packages: NpmPackage[];
  /** Settings that lead to it. */
  settings(more?: Readonly<Record<string, unknown>>): string;
}

export interface Listed extends PackedFile {
  /** What the index announces in place of the true hash. */
  readonly lie?: string;
  readonly yanked?: boolean;
  /** Listed, and not there. */
  readonly gone?: boolean;
}

export interface IndexContent {
  readonly wheels?: readonly Listed[];
  readonly packages?: readonly NpmPackage[];
  /** Before each answer. */
  readonly delayMs?: number;
  /** Only for whoever has this login: `user:password`. */
  readonly login?: string;
}

export async function serveIndex(t: TestContext, content: IndexContent = {}): Promise<PackageIndex> {
  const index = await listenIndex(content);
  t.after(() => index.close());
  return index;
}

/** Whoever opens it closes it. */
export async function listenIndex(content: IndexContent = {}): Promise<PackageIndex & { close(): void }> {
  const asked: string[] = [];
  const [wheels, packages] = [[...(content.wheels ?? [])], [...(content.packages ?? [])]];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = () => answerRequest(request, response, { wheels, packages, login: content.login });
    if (content.delayMs === undefined) answer();
    else setTimeout(answer, content.delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const at = `http://127.0.0.1:${port}`;
  const [python, npm] = [`${at}/simple`, `${at}/npm`];
  const settings = (more = {}) => JSON.stringify({ environment: { python_index: python, npm_registry: npm, ...more } });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, python, npm, asked, wheels, packages, settings, close };
}

interface Shelf {
  readonly wheels: readonly Listed[];
  readonly packages: readonly NpmPackage[];
  readonly login: string | undefined;
}

function answerRequest(request: IncomingMessage, response: ServerResponse, shelf: Shelf): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const wanted = shelf.login && `Basic ${Buffer.from(shelf.login).toString('base64')}`;
  if (wanted !== undefined && wanted !== '' && request.headers.authorization !== wanted) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
    return;
  }
  const [, kind, ...rest] = decodeURIComponent(url.pathname).split('/');
  const name = rest.join('/').replace(/\/$/, '');
  if (kind === 'simple') simplePage(response, name, shelf);
  else if (kind === 'files') sendFile(response, shelf.wheels.find(({ file, gone }) => file === name && !gone)?.bytes);
  else if (kind === 'npm' && name.includes('/-/')) sendFile(response, tarballOf(name, shelf));
  else if (kind === 'npm') packument(response, name, url.origin, shelf);
  else response.writeHead(404).end();
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

function simplePage(response: ServerResponse, name: string, { wheels }: Shelf): void {
  const own = wheels.filter(({ file }) => normal(file.split('-')[0] ?? '') === name);
  if (own.length === 0) {
    response.writeHead(404).end();
    return;
  }
  const links = own.map(({ file, sha256, lie, yanked }) => {
    const withdrawn = yanked ? ' data-yanked="broken"' : '';
    return `<a href="/files/${file}#sha256=${lie ?? sha256}"${withdrawn}>${file}</a>`;
  });
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!DOCTYPE html><html><body>${links.join('<br>')}</body></html>`);
}

function sendFile(response: ServerResponse, bytes: Buffer | undefined): void {
  if (bytes) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
  else response.writeHead(404).end();
}

function fileOf({ name, version }: NpmPackage): string {
  return `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

function tarballOf(wanted: string, { packages }: Shelf): Buffer | undefined {
  return packages.find((one) => fileOf(one) === wanted)?.bytes;
}

function packument(response: ServerResponse, name: string, origin: string, { packages }: Shelf): void {
  const own = packages.filter((one) => one.name === name);
  if (own.length === 0) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
    return;
  }
  const versions = own.map((one) => {
    const integrity = `sha512-${createHash('sha512').update(one.bytes).digest('base64')}`;
    const scripts = one.manifest.scripts as Record<string, string> | undefined;
    const hasInstallScript = scripts?.install !== undefined || scripts?.postinstall !== undefined;
    const dist = { tarball: `${origin}/npm/${fileOf(one)}`, integrity: one.manifest.integrity ?? integrity };
    return [one.version, { ...one.manifest, dist, ...(hasInstallScript && { hasInstallScript: true }) }];
  });
  response.writeHead(200, { 'content-type': 'application/json' });
  const latest = own.at(-1)?.version;
  response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }));
}
