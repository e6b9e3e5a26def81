// The work of `write_file`: a new content as a whole, or edits, at once or as a dry run.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { ATTEMPTS, changing, SIZE_LIMIT } from '../change.ts';
import type { Edit } from '../edit.ts';
import { type EditFileResult, editFile, previewEdit } from '../edit-file.ts';
import type { FilePort } from '../file/files.ts';

interface WriteFileArguments {
  readonly path: string;
  readonly content?: string | undefined;
  readonly edits?: readonly Edit[] | undefined;
  readonly dry_run?: boolean | undefined;
}

interface WriteFileResult {
  readonly path: string;
  readonly size: number;
  readonly created: boolean;
}

/** Of content and edits, one is given. */
export async function write(files: FilePort, asked: WriteFileArguments): Promise<WriteFileResult | EditFileResult> {
  const { path, content = '', edits, dry_run } = asked;
  if (!edits) return writeWhole(files, path, content);
  return dry_run ? previewEdit(files, path, edits) : editFile(files, path, edits);
}

function writeWhole(files: FilePort, given: string, content: string): WriteFileResult {
  const bytes = Buffer.from(content);
  if (bytes.length > SIZE_LIMIT) throw new Fault('LIMIT_FILE_SIZE', `${visible(given)}: ${bytes.length}`);
  using entry = files.open(given, { create: true });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = entry.look();
    if (entry.replace(bytes, before)) return { path: entry.path, size: bytes.length, created: before === undefined };
  }
  throw changing(entry.path);
}
