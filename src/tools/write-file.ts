// `write_file`: a file of the project gets this content, whole, or is edited; folders on the way are made.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { ATTEMPTS, changing, SIZE_LIMIT } from './change.ts';
import { editFile, previewEdit } from './edit-file.ts';
import { editsSchema } from './edit-schema.ts';
import type { FilePort } from './file/files.ts';
import { defineTool, namedWords, pathSchema } from './tool.ts';

interface WriteFileResult {
  readonly path: string;
  readonly size: number;
  readonly created: boolean;
}

export const writeFile = defineTool({
  name: 'write_file',
  aliases: [
    'write',
    'edit',
    'multi_edit',
    'edit_file',
    'create_file',
    'update_file',
    'replace',
    'str_replace',
    'str_replace_editor',
    'str_replace_based_edit_tool',
    'apply_patch',
    'notebook_edit',
  ],
  risk: 'high',
  about: 'files',
  paths: [{ name: 'path', does: ['write'] }],
  standsFor: 'write',
  remark: 'either content, the whole of it, or edits such as {"op": "replace", "old": "…", "new": "…"}',
  schema: (zod) =>
    zod
      .strictObject({
        path: pathSchema(zod),
        content: zod.string().optional().describe('the whole new content'),
        edits: editsSchema(zod).optional().describe('changes of what is there, instead of content'),
        dry_run: zod.boolean().optional().describe('with edits: only show the difference'),
      })
      .refine(({ content, edits }) => (content === undefined) !== (edits === undefined), 'either content or edits'),
  view: namedWords,
  run({ path, content, edits, dry_run }, { files }) {
    if (!edits) return writeWhole(files, path, content ?? '');
    return dry_run ? previewEdit(files, path, edits) : editFile(files, path, edits);
  },
});

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
