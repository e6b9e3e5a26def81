// Signs a pack on disk: what is signed is read from the pack itself, after all its checks.
import { writeFileAtomic } from '../../base/files.ts';
import { openArchiveFile } from '../source/archive.ts';
import { readOffered } from '../source/offered-skill.ts';
import { digestOffered } from '../stage.ts';
import { readPrivateKey } from './key-store.ts';
import { type SignedSkill, signPack } from './signature.ts';

export interface SignOptions {
  readonly home: string;
  readonly key: string;
  readonly now: number;
  readonly blockAngleBrackets: boolean;
}

export function signFile(file: string, options: SignOptions): { keyId: string; skills: readonly SignedSkill[] } {
  const { skills, origin } = openArchiveFile(file, { names: [] });
  const signed = skills.map((skill): SignedSkill => {
    const { name, version } = readOffered(skill, options).manifest;
    return { name, ...(version !== undefined && { version }), digest: digestOffered(skill).digest };
  });
  const { id } = readPrivateKey(options.home, options.key);
  const text = signPack({ archive: origin.digest ?? '', skills: signed }, options.home, options.key, options.now);
  writeFileAtomic(`${file}.sig`, text, { mode: 0o644 });
  return { keyId: id, skills: signed };
}
