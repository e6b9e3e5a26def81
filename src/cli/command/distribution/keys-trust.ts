// `keys trust`: from now on, signatures made with this key count.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { errorCode } from '../../../base/read-file.ts';
import { visible } from '../../../base/text.ts';
import { keyId, openKeyStore, readPublicKey, type TrustedKey } from '../../../distribution/sign/key-store.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    {
      name: 'file',
      required: true,
      summary: {
        en: 'a .pub file of Skillwright or of ssh (ed25519)',
        zh: 'Skillwright 或 ssh（ed25519）的 .pub 文件',
      },
    },
  ],
  options: [
    {
      name: 'name',
      value: 'NAME',
      summary: { en: 'what to call it; else the name in the file', zh: '名称；默认取自文件' },
    },
    { name: 'force', summary: { en: 'trust a key again that was revoked', zh: '重新信任已撤销的密钥' } },
  ],
  examples: ['skillwright keys trust alice.pub --name alice', 'skillwright keys trust ~/.ssh/id_ed25519.pub'],
  async run({ positionals: [file = ''], options, runtime }) {
    const { publicKey, name } = readPublicKey(read(file));
    const called = textOption(options, 'name') ?? name ?? path.basename(file, '.pub');
    const keys = openKeyStore(runtime.home);
    if (!isOn(options, 'force')) refuseRevoked(keys.find(keyId(publicKey)));
    const key = keys.trust(publicKey, called, runtime.clock.now());
    const said = { en: `trusted: ${visible(called)} (${key.id})`, zh: `已信任: ${visible(called)} (${key.id})` };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { key_id: key.id, name: called }),
    };
  },
};

function refuseRevoked(key: TrustedKey | undefined): void {
  if (key?.revoked === undefined) return;
  const [id, since] = [key.id, key.revoked].map(visible);
  throw new Fault(
    'PermissionDenied',
    { en: `the key ${id} was revoked on ${since}`, zh: `密钥 ${id} 已于 ${since} 撤销` },
    { hint: { en: 'If it is to count again, say --force.', zh: '如需重新信任，请加 --force。' } },
  );
}

function read(file: string): string {
  try {
    return readFileSync(path.resolve(file), 'utf8');
  } catch (error) {
    throw new Fault('DataNotFound', `${visible(file)}: ${errorCode(error) ?? 'unreadable'}`, { cause: error });
  }
}
