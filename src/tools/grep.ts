// `grep`: lines of the project's text files that match a pattern; bounded in files, bytes and matches.
import { defineTool, namedWords, pathSchema } from './tool.ts';

export const grep = defineTool({
  name: 'grep',
  aliases: ['search', 'ripgrep', 'rg', 'grep_search', 'search_files', 'search_file_content'],
  risk: 'low',
  about: 'files',
  paths: [{ name: 'path', does: ['read'], otherwise: '.' }],
  remark: 'pattern in RE2 syntax, include such as *.ts or src/**/*.md',
  schema: (zod) =>
    zod.strictObject({
      pattern: zod.string().min(1).describe('a regular expression in RE2 syntax, matched line by line'),
      path: pathSchema(zod, 'a folder or file; the project unless given').optional(),
      include: zod.string().min(1).max(200).optional().describe('only such files: *.ts, src/**/*.md'),
      ignore_case: zod.boolean().optional(),
      max_matches: zod.int().min(1).max(1000).optional().describe('200 unless given'),
    }),
  view: namedWords,
  async run(args, { files }) {
    const { findLines } = await import('./run/find-lines.ts');
    return findLines(files, args);
  },
});
