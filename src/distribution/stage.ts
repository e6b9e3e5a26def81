// Stages files for a root: written once into a private folder, hashed from exactly the bytes that were written.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, writeNewFile } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isInside } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { type DigestFile, digestFiles, digestSkill, type SkillDigest } from '../skill/digest.ts';
import type { OfferedFile, OfferedSkill } from './source/offer.ts';

export interface StageOptions {
  /** Called with each file as it is written. */
  readonly onFile?: (file: OfferedFile, content: Buffer) => void;
}

/** The folder must not exist yet. */
export function stageSkill(
  { files }: Pick<OfferedSkill, 'files'>,
  folder: string,
  options: StageOptions = {},
): SkillDigest {
  makeFolder(folder, 0o755);
  const made = new Set([folder]);
  const written = files.map((file): DigestFile => {
    const target = path.join(folder, file.path);
    if (!isInside(folder, target)) throw new Fault('ARCHIVE_PATH', visible(file.path));
    const parent = path.dirname(target);
    if (!made.has(parent)) makeFolder(parent, 0o755);
    made.add(parent);
    const content = file.read();
    writeNewFile(target, content, { mode: file.executable ? 0o755 : 0o644 });
    options.onFile?.(file, content);
    const mode = file.executable ? 'executable' : 'file';
    return { path: file.path, size: content.length, mode, sha256: sha256(content) };
  });
  return digestOf(written);
}

/** The digest it would have on disk, without writing it. */
export function digestOffered({ files }: Pick<OfferedSkill, 'files'>): SkillDigest {
  return digestOf(
    files.map((file) => {
      const content = file.read();
      const mode = file.executable ? 'executable' : 'file';
      return { path: file.path, size: content.length, mode, sha256: sha256(content) };
    }),
  );
}

/** Checks that the staged files are unchanged since they were written and inspected. */
export function checkStaged(folder: string, { digest }: SkillDigest): void {
  if (digestSkill(folder).digest !== digest)
    throw new Fault('IntegrityMismatch', { en: 'files changed while being installed', zh: '安装过程中文件被更改' });
}

function digestOf(files: readonly DigestFile[]): SkillDigest {
  const sorted = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return { digest: digestFiles(sorted), files: sorted };
}
