// `write_file`: a file of the project gets this content, whole, or is edited; folders on the way are made.
import { editsSchema } from './edit-schema.ts';
import { defineTool, namedWords, pathSchema } from './tool.ts';

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
  async preview(args, files, most) {
    const { previewWrite } = await import('./run/preview.ts');
    return await previewWrite(files, args, most);
  },
  async run(args, { files }) {
    const { write } = await import('./run/write.ts');
    return write(files, args);
  },
});
