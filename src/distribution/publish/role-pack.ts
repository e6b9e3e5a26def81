// A role as a reproducible pack: its whole folder below agents/; the same bytes on every day and from every machine.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { visible } from '../../base/text.ts';
import { openArchive } from '../archive/archive.ts';
import { writeZip } from '../archive/zip-writer.ts';
import type { KeyStore } from '../sign/key-store.ts';
import { checkSignature } from '../sign/signature.ts';
import type { ReadArchive } from '../source/archive.ts';
import { readSkillFolder } from '../source/folder.ts';
import { stageSkill } from '../stage.ts';
import { openInspector, type Vetting } from '../vet/vet.ts';
import { holdContents, refuseSecrets } from './pack.ts';

const ABOVE = 'agents';

export interface StagedRole {
  readonly role: string;
  readonly vetting: Vetting;
}

export function packRole(folder: string): Buffer {
  const role = path.basename(folder);
  const held = holdContents(readSkillFolder(folder));
  refuseSecrets(held, role);
  return writeZip(
    held.files.map((file) => ({
      name: `${ABOVE}/${role}/${file.path}`,
      content: file.read(),
      executable: file.executable,
    })),
  );
}

/** Extracted below `folder`, as in a project. Nothing of it runs; throws a Fault for entries an archive must not have. */
export function stageRole(bytes: Buffer, folder: string): StagedRole {
  const archived = openArchive(bytes);
  const roles = new Set(archived.map(({ segments: [above, role = ''] }) => (above === ABOVE ? role : '')));
  const [role = ''] = roles;
  if (roles.size !== 1 || role === '') throw notOneRole();
  const inspector = openInspector();
  const files = archived.map(({ name, executable, size, read }) => ({ path: name, executable, size, read }));
  stageSkill({ files }, folder, { onFile: (file, content) => inspector.see(file, content) });
  return { role, vetting: inspector.conclude() };
}

/** The id of the trusted key that signed exactly these bytes; a Fault for everything else. */
export function requireSigner({ bytes, signature }: ReadArchive, keys: Pick<KeyStore, 'find'>): string {
  if (signature === undefined) throw new Fault('SignatureRefused', { en: 'the pack is not signed', zh: '包未签名' });
  return checkSignature(signature, bytes, { archive: archiveDigest(bytes), skills: [] }, keys);
}

export function archiveDigest(bytes: Buffer): string {
  return `sha256:${sha256(bytes)}`;
}

function notOneRole(): Fault {
  const where = visible(`${ABOVE}/<role>/`);
  return new Fault('ARCHIVE_FORMAT', {
    en: `not the pack of one role below ${where}`,
    zh: `不是 ${where} 下单个角色的包`,
  });
}
