// Applies edits to a file of the project, all or none; a dry run shows the change instead.
import { Fault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { isRecord } from '../base/json.ts';
import { quote } from '../loader/contained.ts';
import { ATTEMPTS, changing, SIZE_LIMIT } from './change.ts';
import { unifiedDiff } from './diff.ts';
import { applyEdits, type Edit } from './edit.ts';
import { decodeText, mustBeText } from './file/decode-text.ts';
import type { FileContent, FilePort, OpenEntry } from './file/files.ts';

export interface EditFileResult {
  readonly path: string;
  readonly changed: boolean;
  readonly created: boolean;
  /** How often the text of a single replacement stood in the file. */
  readonly places?: number;
  /** Of a dry run. */
  readonly diff?: string;
}

/** What `write_file` returned for edits, behind a door that passes on any result. */
export function isEditResult(value: unknown): value is EditFileResult {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    typeof value.changed === 'boolean' &&
    typeof value.created === 'boolean'
  );
}

/** The hashes of the content before and after; null where there was no file. */
export interface ChangedFile {
  readonly result: EditFileResult;
  readonly before: string | null;
  readonly after: string;
}

export async function editFile(files: FilePort, given: string, edits: readonly Edit[]): Promise<EditFileResult> {
  return (await changeFile(files, given, edits)).result;
}

/** Only an edit that adds to the ends of a file makes one where there is none. */
export async function changeFile(files: FilePort, given: string, edits: readonly Edit[]): Promise<ChangedFile> {
  using entry = files.open(given, { create: makesFile(edits) });
  // Another edit of the same file may come in between; this one then starts again from what that one left.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = readTarget(entry, edits);
    const text = textOf(before);
    const edited = await applyEdits(text, edits);
    const found = { path: entry.path, ...countPlaces(text, edits) };
    const hashes = { before: before ? sha256(before.bytes) : null, after: sha256(edited) };
    if (before && edited === text) return { result: { ...found, changed: false, created: false }, ...hashes };
    if (entry.replace(edited, before?.stats))
      return { result: { ...found, changed: true, created: before === undefined }, ...hashes };
  }
  throw changing(entry.path);
}

/** The same without touching anything, as a diff. */
export async function previewEdit(files: FilePort, given: string, edits: readonly Edit[]): Promise<EditFileResult> {
  const before = readForPreview(files, given, edits);
  const text = textOf(before);
  const edited = await applyEdits(text, edits);
  const path = before?.path ?? given;
  return {
    path,
    changed: edited !== text,
    created: before === undefined,
    ...countPlaces(text, edits),
    diff: unifiedDiff(text, edited, path),
  };
}

function readForPreview(files: FilePort, given: string, edits: readonly Edit[]): FileContent | undefined {
  try {
    using entry = files.open(given);
    return readTarget(entry, edits);
  } catch (error) {
    if (makesFile(edits) && error instanceof Fault && error.type === 'DataNotFound') return undefined;
    throw error;
  }
}

function readTarget(entry: OpenEntry, edits: readonly Edit[]): FileContent | undefined {
  if (entry.look()) return entry.read(SIZE_LIMIT);
  if (makesFile(edits)) return undefined;
  throw new Fault('DataNotFound', quote(entry.path, { en: 'is not there', zh: '不存在' }));
}

function countPlaces(text: string, [edit, more]: readonly Edit[]): { places?: number } {
  if (edit?.op !== 'replace' || edit.old === '' || more) return {};
  return { places: text.split(edit.old).length - 1 };
}

function textOf(content: FileContent | undefined): string {
  return content ? mustBeText(content.path, decodeText(content.bytes)) : '';
}

function makesFile([first]: readonly Edit[]): boolean {
  return first?.op === 'append' || first?.op === 'prepend';
}
