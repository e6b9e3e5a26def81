// The tools that run in process: what each takes, checked, and what it gives back as plain data.
import { z } from 'zod';
import { Fault } from '../base/errors.ts';
import { deleteFile } from './delete-file.ts';
import { editFile, previewEdit } from './edit-file.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { type NetworkPolicy, requestNetwork } from './network-request.ts';
import { decodeText } from './open-text.ts';
import type { World } from './path-guard.ts';
import { readFile } from './read-file.ts';
import { writeFile } from './write-file.ts';

export interface ToolContext extends World {
  readonly network: NetworkPolicy;
}

const path = z.string().min(1).max(4096).describe('a file of the project, relative to it');
const positive = z.int().min(1);

export const editSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('replace'), old: z.string(), new: z.string() }),
  z.strictObject({ op: z.literal('append'), content: z.string() }),
  z.strictObject({ op: z.literal('prepend'), content: z.string() }),
  z.strictObject({ op: z.literal('insert-after'), marker: z.string(), content: z.string() }),
  z.strictObject({ op: z.literal('insert-before'), marker: z.string(), content: z.string() }),
  z.strictObject({ op: z.literal('delete-between'), start: z.string(), end: z.string() }),
  z.strictObject({ op: z.literal('regex'), pattern: z.string(), replacement: z.string() }),
  z.strictObject({ op: z.literal('update-json'), path: z.string(), value: z.string() }),
]);

export const editsSchema = z.array(editSchema).min(1).max(1000);

export const TOOLS = {
  read_file: tool(
    z.strictObject({
      path,
      start_line: positive.optional().describe('first line, from 1'),
      end_line: positive.optional().describe('last line, included'),
      offset: z.int().min(0).optional().describe('first byte, from 0; instead of lines'),
      length: positive.optional().describe('number of bytes'),
    }),
    (args, world) => readFile(world, args),
  ),
  list_dir: tool(
    z.strictObject({
      path: path.optional().describe('a folder; the project unless given'),
      depth: positive.max(8).optional().describe('1 unless given'),
    }),
    (args, world) => listDir(world, args),
  ),
  grep: tool(
    z.strictObject({
      pattern: z.string().min(1).describe('a regular expression in RE2 syntax, matched line by line'),
      path: path.optional().describe('a folder or file; the project unless given'),
      include: z.string().min(1).max(200).optional().describe('only such files: *.ts, src/**/*.md'),
      ignore_case: z.boolean().optional(),
      max_matches: positive.max(1000).optional().describe('200 unless given'),
    }),
    (args, world) => grep(world, args),
  ),
  write_file: tool(
    z
      .strictObject({
        path,
        content: z.string().optional().describe('the whole new content'),
        edits: editsSchema.optional().describe('changes of what is there, instead of content'),
        dry_run: z.boolean().optional().describe('with edits: only show the difference'),
      })
      .refine(({ content, edits }) => (content === undefined) !== (edits === undefined), 'either content or edits'),
    ({ path: file, content, edits, dry_run }, world) => {
      if (!edits) return writeFile(world, file, content ?? '');
      return dry_run ? previewEdit(world, file, edits) : editFile(world, file, edits);
    },
  ),
  delete_file: tool(z.strictObject({ path }), (args, world) => deleteFile(world, args.path)),
  network_request: tool(
    z.strictObject({
      url: z.string().min(1).max(8192),
      method: z.string().max(16).optional(),
      headers: z.record(z.string().max(256), z.string().max(8192)).optional(),
      body: z.string().optional(),
    }),
    async ({ url, method, headers, body }, { network }) => {
      const optional = { ...(method && { method }), ...(headers && { headers }), ...(body !== undefined && { body }) };
      const answer = await requestNetwork({ url, ...optional }, network);
      return { ...answer, ...bodyOf(answer.body) };
    },
  ),
} as const;

export type ToolName = keyof typeof TOOLS;

/** Throws a Fault for bad arguments and for whatever the tool refuses. */
export async function runTool(name: ToolName, args: unknown, context: ToolContext): Promise<Record<string, unknown>> {
  return { ...(await TOOLS[name].call(args, context)) };
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

function tool<Schema extends z.ZodType>(
  schema: Schema,
  run: (args: z.infer<Schema>, context: ToolContext) => object | Promise<object>,
) {
  return {
    schema,
    call: async (args: unknown, context: ToolContext) => await run(checkArguments(schema, args), context),
  };
}

export function checkArguments<Schema extends z.ZodType>(schema: Schema, args: unknown): z.infer<Schema> {
  const checked = schema.safeParse(args);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => [...issue.path, issue.message].join(': '));
  throw new Fault('ParamInvalid', issues.join('; '), { details: { issues } });
}

function bodyOf(bytes: Uint8Array): { body: string; encoding: 'utf-8' | 'base64' } {
  const text = decodeText(bytes);
  return text === undefined
    ? { body: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
    : { body: text, encoding: 'utf-8' };
}
