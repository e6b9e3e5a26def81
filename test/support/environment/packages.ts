// Packages written by tests: Python wheels and source archives, npm tarballs, each with what its publisher would say of it.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { buildZip } from '../zip-builder.ts';

export interface WheelOptions {
  readonly name: string;
  readonly version?: string;
  /** Modules by their path in the wheel. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly requires?: readonly string[];
  /** `py3-none-any` unless given. */
  readonly tag?: string;
  /** Console scripts: `name = module:function`. */
  readonly scripts?: readonly string[];
  /** What its `.dist-info` says in place of what is made of the above. */
  readonly info?: Readonly<Record<string, string | Buffer>>;
}

export interface PackedFile {
  readonly file: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

export function wheel({
  name,
  version = '1.0',
  files = { [`${name.replaceAll('-', '_')}.py`]: `VERSION = "${version}"\n` },
  requires = [],
  tag = 'py3-none-any',
  scripts = [],
  info: given = {},
}: WheelOptions): PackedFile {
  const base = `${name.replaceAll('-', '_')}-${version}`;
  const info = `${base}.dist-info`;
  const metadata = [
    ...['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`],
    ...requires.map((one) => `Requires-Dist: ${one}`),
  ];
  const pure = tag.endsWith('-none-any');
  const all: Record<string, string | Buffer> = {
    ...files,
    [`${info}/METADATA`]: `${metadata.join('\n')}\n`,
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: ${pure}\nTag: ${tag}\n`,
    ...(scripts.length > 0 && { [`${info}/entry_points.txt`]: `[console_scripts]\n${scripts.join('\n')}\n` }),
    ...Object.fromEntries(Object.entries(given).map(([file, content]) => [`${info}/${file}`, content])),
  };
  const lines = Object.entries(all).map(([file, content]) => {
    const bytes = Buffer.from(content);
    return `${file},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`;
  });
  const record = `${[...lines, `${info}/RECORD,,`].join('\n')}\n`;
  const entries = Object.entries({ ...all, [`${info}/RECORD`]: record });
  return packed(
    `${base}-${tag}.whl`,
    buildZip(entries.map(([file, content]) => ({ name: file, content, mode: 0o100644 }))),
  );
}

/** A package that would run code to be built; what it runs is `setup`. */
export function sourceArchive(
  name: string,
  setup: string,
  more: Readonly<Record<string, string>> = {},
  version = '1.0',
): PackedFile {
  const base = `${name}-${version}`;
  const others = Object.entries(more).map(([file, content]) => [`${base}/${file}`, content]);
  const files = {
    ...Object.fromEntries(others),
    [`${base}/setup.py`]: setup,
    [`${base}/PKG-INFO`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
  };
  return packed(`${base}.tar.gz`, tarball(files));
}

function packed(file: string, bytes: Buffer): PackedFile {
  return { file, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export interface NpmOptions {
  readonly name: string;
  readonly version?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** More of its package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

export function npmPackage({ name, version = '1.0.0', files = {}, manifest = {} }: NpmOptions): NpmPackage {
  const own = { name, version, main: 'index.js', ...manifest };
  const text = `module.exports = { name: ${JSON.stringify(name)}, version: ${JSON.stringify(version)} };\n`;
  const all = { 'package.json': JSON.stringify(own), 'index.js': text, ...files };
  const inside = Object.entries(all).map(([file, content]) => [`package/${file}`, content]);
  return { name, version, manifest: own, bytes: tarball(Object.fromEntries(inside)) };
}

function tarball(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    return [header(name, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(1_700_000_000, 12), 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(
    octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  block[154] = 0;
  return block;
}
