// One change of one file of the project, made at once and whole, or only shown; a person's own wish, so nothing is asked.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { realPath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { isOwnState } from '../../policy/place.ts';
import { EDIT_OPERATIONS, type Edit } from '../../tools/edit.ts';
import { changeFile, type EditFileResult, previewEdit } from '../../tools/edit-file.ts';
import { editsSchema } from '../../tools/edit-schema.ts';
import { type FilePort, openFiles } from '../../tools/file/files.ts';
import { checkArguments } from '../../tools/tool.ts';
import { recordOwnAwaited } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';

export interface EditOrder {
  readonly file: string;
  /** All of them or none. */
  readonly edits: readonly Edit[];
  /** Only show the difference. */
  readonly dryRun: boolean;
}

export async function editProjectFile({ file, edits, dryRun }: EditOrder, runtime: Runtime): Promise<EditFileResult> {
  const port = filesOf(runtime);
  if (dryRun) return await previewEdit(port, file, edits);
  const operation = edits.length === 1 ? edits[0]?.op : 'batch';
  const files = [path.relative(runtime.project, file)];
  const { result } = await recordOwnAwaited(
    runtime,
    { command: 'edit', files, ...(operation !== undefined && { operation }) },
    () => changeFile(port, file, edits),
    ({ before, after }) => ({ before, after }),
  );
  return result;
}

function filesOf({ project, home, config }: Runtime): FilePort {
  const places = { project: realPath(project) ?? project, home: realPath(home) ?? home, output: [] };
  return openFiles({ project, outputFolder: config.outputFolder, isOwnState: (file) => isOwnState(file, places) });
}

/** The keys of each edit, beside its operation. */
export const EDIT_KEYS: Readonly<Record<Edit['op'], readonly string[]>> = {
  replace: ['old', 'new'],
  append: ['content'],
  prepend: ['content'],
  'insert-after': ['marker', 'content'],
  'insert-before': ['marker', 'content'],
  'delete-between': ['start', 'end'],
  regex: ['pattern', 'replacement'],
  'update-json': ['path', 'value'],
};

/** A JSON list of edits. */
export async function readEditList(text: string): Promise<readonly Edit[]> {
  const { z } = await import('zod');
  try {
    const written = parseJson(text);
    checkOperations(written);
    if (Array.isArray(written)) checkKeys(written);
    return checkArguments(editsSchema(z), written);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Fault('InvalidJson', error.message, { cause: error });
    throw error;
  }
}

/** Each edit has the keys of its operation, and no others. */
function checkKeys(written: readonly unknown[]): void {
  for (const [at, { op, ...given }] of written.filter(isRecord).entries()) {
    const operation = EDIT_OPERATIONS.find((known) => known === op);
    const taken = operation ? EDIT_KEYS[operation] : [];
    const keys = Object.keys(given);
    if (taken.length === keys.length && taken.every((key) => keys.includes(key))) continue;
    const [wanted, got] = [taken.join(', '), visible(keys.join(', ')) || '–'];
    throw new Fault('ParamInvalid', {
      en: `edit ${at + 1}, ${String(op)}, takes ${wanted}; given: ${got}`,
      zh: `第 ${at + 1} 项 ${String(op)} 需要 ${wanted}；给出的是 ${got}`,
    });
  }
}

/** Says in plain words what a schema would say in its own. */
function checkOperations(written: unknown): void {
  const list = Array.isArray(written) ? written : [];
  const known: readonly string[] = EDIT_OPERATIONS;
  const at = list.findIndex((one) => !isRecord(one) || !known.includes(String(one.op)));
  if (list.length > 0 && at === -1) return;
  const wrong: unknown = list[at];
  const op = visible(JSON.stringify(isRecord(wrong) ? wrong.op : wrong) ?? '');
  const detail: Text =
    list.length === 0
      ? { en: 'batch takes a JSON list of edits', zh: 'batch 需要一个 JSON 编辑列表' }
      : { en: `edit ${at + 1} has no known op: ${op}`, zh: `第 ${at + 1} 项的 op 未知: ${op}` };
  const example = '[{"op":"replace","old":"a","new":"b"}]';
  throw new Fault('ParamInvalid', detail, {
    hint: {
      en: `Write ${example}; op is one of ${known.join(', ')}.`,
      zh: `请写成 ${example}；op 为 ${known.join('、')} 之一。`,
    },
  });
}
