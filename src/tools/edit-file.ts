// Applies edits to a file of the project, all or none; a dry run shows the change instead.
import type { Stats } from 'node:fs';
import { Fault } from '../base/errors.ts';
import { quote } from '../loader/contained.ts';
import { unifiedDiff } from './diff.ts';
import { applyEdits, type Edit } from './edit.ts';
import { decodeText, mustBeText, readWhole } from './open-text.ts';
import { type OpenParent, openParent, type World } from './path-guard.ts';
import { lookAt, replaceFile } from './replace-file.ts';
import { changing } from './write-file.ts';

export interface EditFileOptions {
  readonly dryRun?: boolean;
}

export interface EditFileResult {
  readonly path: string;
  readonly changed: boolean;
  readonly created: boolean;
  /** Of a dry run. */
  readonly diff?: string;
}

const SIZE_LIMIT = 16 * 1024 * 1024;
const ATTEMPTS = 5;

export async function editFile(
  world: World,
  given: string,
  edits: readonly Edit[],
  { dryRun = false }: EditFileOptions = {},
): Promise<EditFileResult> {
  const parent = openParentFor(world, given, edits, dryRun);
  try {
    // Another edit of the same file may come in between; this one then starts again from what that one left.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const result = await editOnce(world, given, edits, parent, dryRun);
      if (result) return result;
    }
    throw changing(parent.path);
  } finally {
    parent.close();
  }
}
