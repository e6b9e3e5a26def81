// `delete_file`: removes one file of the project; a link is removed itself, never what it leads to.
import type { FilePort } from './file/files.ts';
import { defineTool, namedWords, pathSchema } from './tool.ts';

export interface DeleteFileResult {
  readonly path: string;
  readonly deleted: true;
}

export const deleteFile = defineTool({
  name: 'delete_file',
  aliases: ['delete', 'remove', 'remove_file', 'rm'],
  risk: 'high',
  about: 'files',
  paths: [{ name: 'path', does: ['delete'] }],
  standsFor: 'delete',
  asksWith: 'write_file',
  schema: (zod) => zod.strictObject({ path: pathSchema(zod) }),
  view: namedWords,
  async preview({ path }, files, most) {
    const { previewDelete } = await import('./run/preview.ts');
    return previewDelete(files, path, most);
  },
  run: ({ path }, { files }) => removeFile(files, path),
});

function removeFile(files: FilePort, given: string): DeleteFileResult {
  using entry = files.open(given);
  entry.remove();
  return { path: entry.path, deleted: true };
}
