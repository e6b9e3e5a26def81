// `move_file`: a file of the project gets another path; what is there already stays, unless it is to be replaced.
import { defineTool, namedWords, pathSchema } from './tool.ts';

export const moveFile = defineTool({
  name: 'move_file',
  aliases: ['move', 'mv', 'rename', 'rename_file'],
  risk: 'high',
  about: 'files',
  paths: [
    { name: 'from', does: ['read', 'delete'] },
    { name: 'to', does: ['write'] },
  ],
  asksWith: 'write_file',
  remark: 'moves one file; a file that has the new path already is replaced only with overwrite',
  schema: (zod) =>
    zod.strictObject({
      from: pathSchema(zod),
      to: pathSchema(zod, 'its new path, with the name; folders on the way are made'),
      overwrite: zod.boolean().optional().describe('replace a file that has the new path already'),
    }),
  view: namedWords,
  async preview({ from, to }, files) {
    const { previewMove } = await import('./run/preview.ts');
    return previewMove(files, from, to);
  },
  run: ({ from, to, overwrite = false }, { files }) => files.move(from, to, { overwrite }),
});
