// Applies edits to a file of the project, all or none; a dry run shows the change instead.
import { Fault } from '../base/errors.ts';
import { quote } from '../loader/contained.ts';
import { unifiedDiff } from './diff.ts';
import { applyEdits, type Edit } from './edit.ts';
import { decodeText, type FileContent, mustBeText, readNamed } from './open-text.ts';
import { type OpenParent, openParent, type World } from './path-guard.ts';
import { lookAt, replaceFile } from './replace-file.ts';
import { ATTEMPTS, changing, SIZE_LIMIT } from './write-file.ts';

export interface EditFileResult {
  readonly path: string;
  readonly changed: boolean;
  readonly created: boolean;
  /** How often the text of a single replacement stood in the file. */
  readonly places?: number;
  /** Of a dry run. */
  readonly diff?: string;
}

/** Only an edit that adds to the ends of a file makes one where there is none. */
export async function editFile(world: World, given: string, edits: readonly Edit[]): Promise<EditFileResult> {
  const parent = openParent(world, given, { create: makesFile(edits) });
  try {
    // Another edit of the same file may come in between; this one then starts again from what that one left.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = readTarget(parent, edits);
      const text = textOf(before);
      const edited = await applyEdits(text, edits);
      const found = { path: parent.path, ...countPlaces(text, edits) };
      if (before && edited === text) return { ...found, changed: false, created: false };
      if (replaceFile(parent, edited, before?.stats)) return { ...found, changed: true, created: before === undefined };
    }
    throw changing(parent.path);
  } finally {
    parent.close();
  }
}

/** The same without touching anything, as a diff. */
export async function previewEdit(world: World, given: string, edits: readonly Edit[]): Promise<EditFileResult> {
  const before = readForPreview(world, given, edits);
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

function readForPreview(world: World, given: string, edits: readonly Edit[]): FileContent | undefined {
  try {
    const parent = openParent(world, given);
    try {
      return readTarget(parent, edits);
    } finally {
      parent.close();
    }
  } catch (error) {
    if (makesFile(edits) && error instanceof Fault && error.type === 'DataNotFound') return undefined;
    throw error;
  }
}

function readTarget(parent: OpenParent, edits: readonly Edit[]): FileContent | undefined {
  if (lookAt(parent)) return readNamed(parent, SIZE_LIMIT);
  if (makesFile(edits)) return undefined;
  throw new Fault('DataNotFound', quote(parent.path, { en: 'is not there', zh: '不存在' }));
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
