// A digest as it is written everywhere, `sha256:` and 64 hex digits: no other text is taken for one.
import { Fault } from '../errors.ts';
import { sha256 } from '../ids.ts';
import { visible } from '../text.ts';

declare const kind: unique symbol;

/** Made here only; it is a text for whoever shows or stores it. */
export type Digest = string & { readonly [kind]: 'digest' };

const PREFIX = 'sha256:';
const FORM = /^sha256:[0-9a-f]{64}$/;

export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && FORM.test(value);
}

export function makeDigest(content: string | Uint8Array): Digest {
  return requireDigest(`${PREFIX}${sha256(content)}`);
}

/** Throws a Fault for anything else: it may come from a shared queue or from the command line. */
export function requireDigest(written: string): Digest {
  if (isDigest(written)) return written;
  const shown = visible(written);
  throw new Fault('ParamInvalid', { en: `no digest: ${shown}`, zh: `不是摘要: ${shown}` });
}

/** As a name of files and folders. */
export function digestName(digest: Digest): string {
  return digest.slice(PREFIX.length);
}

/** The digest whose files or folder have this name. */
export function digestNamed(name: string): Digest | undefined {
  const written = `${PREFIX}${name}`;
  return isDigest(written) ? written : undefined;
}
