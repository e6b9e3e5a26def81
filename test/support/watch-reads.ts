// Sees every file this process opens or reads, whichever module does it: disclosure is shown by counting, not by trust.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

export interface Reads<T> {
  readonly result: T;
  /** Bytes read of each file that was opened; folders are not counted. */
  readonly files: ReadonlyMap<string, number>;
}

export function watchReads<T>(work: () => T): Reads<T> {
  const { files, stop } = startWatch();
  try {
    return { result: work(), files };
  } finally {
    stop();
  }
}

/** `others`: ways to read that nobody counts; they fail where nothing but the work itself runs. */
export function startWatch(others: 'fail' | 'pass' = 'fail'): { files: Map<string, number>; stop: () => void } {
  const original = { ...fs };
  const files = new Map<string, number>();
  const open = new Map<number, string>();
  const add = (file: string, bytes: number) => files.set(file, (files.get(file) ?? 0) + bytes);
  const nameOf = (file: fs.PathOrFileDescriptor) => {
    if (typeof file === 'number') return open.get(file) ?? `descriptor ${file}`;
    // Folders are walked through their descriptors; the name behind one is what counts.
    return path
      .resolve(String(file))
      .replace(/^\/proc\/self\/fd\/(\d+)/, (_, descriptor) => open.get(Number(descriptor)) ?? '?');
  };
  const watched: Partial<typeof fs> = {
    openSync: (file, ...rest) => {
      const descriptor = original.openSync(file, ...rest);
      open.set(descriptor, nameOf(file as string));
      if (!original.fstatSync(descriptor).isDirectory()) add(nameOf(descriptor), 0);
      return descriptor;
    },
    readSync: ((descriptor: number, ...rest: [NodeJS.ArrayBufferView]) => {
      const bytes = original.readSync(descriptor, ...rest);
      add(nameOf(descriptor), bytes);
      return bytes;
    }) as typeof fs.readSync,
    readFileSync: ((file: fs.PathOrFileDescriptor, ...rest: []) => {
      const content = original.readFileSync(file, ...rest);
      add(nameOf(file), content.length);
      return content;
    }) as typeof fs.readFileSync,
  };
  const uncounted = ['open', 'readFile', 'createReadStream', 'openAsBlob', 'cpSync', 'copyFileSync'] as const;
  for (const name of others === 'fail' ? uncounted : []) {
    Object.assign(watched, { [name]: () => assertUnused(name) });
  }
  const later = { open: fs.promises.open, readFile: fs.promises.readFile };
  Object.assign(fs, watched);
  if (others === 'fail')
    Object.assign(fs.promises, {
      open: () => assertUnused('promises.open'),
      readFile: () => assertUnused('promises.readFile'),
    });
  syncBuiltinESMExports();
  const stop = () => {
    for (const name of Object.keys(watched) as (keyof typeof fs)[]) Object.assign(fs, { [name]: original[name] });
    Object.assign(fs.promises, later);
    syncBuiltinESMExports();
  };
  return { files, stop };
}

function assertUnused(name: string): never {
  throw new Error(`fs.${name} was called: teach watchReads to count it`);
}
