// Whose signatures count: keys of the user's own, and keys of others that the user trusts or trusts no longer.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { generateKey, keyId, openKeyStore, readPublicKey, type TrustedKey } from '../../distribution/sign/key-store.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';

export function generateOwnKey(name: string, runtime: Runtime): ReturnType<typeof generateKey> {
  const { home, clock } = runtime;
  return recordOwn(
    runtime,
    { command: 'keys generate', name },
    () => generateKey(home, name, clock.now()),
    ({ key }) => ({ key: key.id }),
  );
}

export interface KeyOrder {
  /** A public key of ours or of ssh. */
  readonly file: string;
  /** The name in the file unless given. */
  readonly name?: string | undefined;
  /** Trust a key again that was revoked. */
  readonly force: boolean;
}

export function trustKey({ file, name, force }: KeyOrder, runtime: Runtime): TrustedKey {
  const { home, clock } = runtime;
  const read = readPublicKey(readKeyFile(file));
  const called = name ?? read.name ?? path.basename(file, '.pub');
  const keys = openKeyStore(home);
  const key = keyId(read.publicKey);
  if (!force) refuseRevoked(keys.find(key));
  return recordOwn(runtime, { command: 'keys trust', name: called, key }, () =>
    keys.trust(read.publicKey, called, clock.now()),
  );
}

/** By its name or id. */
export function revokeKey(written: string, runtime: Runtime): TrustedKey {
  const { home, clock } = runtime;
  return recordOwn(
    runtime,
    { command: 'keys revoke', name: written },
    () => openKeyStore(home).revoke(written, clock.now()),
    ({ id }) => ({ key: id }),
  );
}

export function listKeys({ home }: Runtime): TrustedKey[] {
  return openKeyStore(home).list();
}

function refuseRevoked(key: TrustedKey | undefined): void {
  if (key?.revoked === undefined) return;
  const [id, since] = [key.id, key.revoked].map(visible);
  throw new Fault(
    'PermissionDenied',
    { en: `the key ${id} was revoked on ${since}`, zh: `密钥 ${id} 已于 ${since} 撤销` },
    { hint: { en: 'If it is to count again, say --force.', zh: '如需重新信任，请加 --force。' } },
  );
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(path.resolve(file), 'utf8');
  } catch (error) {
    throw new Fault('DataNotFound', `${visible(file)}: ${errorCode(error) ?? 'unreadable'}`, { cause: error });
  }
}
