// A path that means the same from every folder: what is decided, run and mounted must not depend on where a process stands.
import path from 'node:path';

declare const kind: unique symbol;

/** Made here only; it is a text for whoever opens or shows it. */
export type AbsolutePath = string & { readonly [kind]: 'absolute path' };

/** A relative one is meant from the current folder. */
export function absolutePath(written: string): AbsolutePath {
  return (path.isAbsolute(written) ? written : path.resolve(written)) as AbsolutePath;
}
