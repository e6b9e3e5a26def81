// `read_file`: a text file of the project, whole, by lines or by bytes.
import { defineTool, namedWords, pathSchema } from './tool.ts';

export const readFile = defineTool({
  name: 'read_file',
  aliases: ['read', 'view', 'cat', 'open_file', 'view_file', 'notebook_read', 'read_many_files', 'load_resource'],
  risk: 'low',
  about: 'files',
  paths: [{ name: 'path', does: ['read'] }],
  remark: 'lines from 1, or bytes from 0',
  schema: (zod) => {
    const positive = zod.int().min(1);
    return zod.strictObject({
      path: pathSchema(zod),
      start_line: positive.optional().describe('first line, from 1'),
      end_line: positive.optional().describe('last line, included'),
      offset: zod.int().min(0).optional().describe('first byte, from 0; instead of lines'),
      length: positive.optional().describe('number of bytes'),
    });
  },
  view: namedWords,
  async run(args, { files }) {
    const { readPart } = await import('./run/read-part.ts');
    return readPart(files, args);
  },
});
