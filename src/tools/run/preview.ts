// What a file tool would do to the files that are there now, without touching them.
import { Fault } from '../../base/errors.ts';
import { type CallView, headOf, linesIn, sizeOf } from '../call-view.ts';
import { SIZE_LIMIT } from '../change.ts';
import { unifiedDiff } from '../diff.ts';
import { applyEdits, type Edit } from '../edit.ts';
import { decodeText } from '../file/decode-text.ts';
import type { FilePort } from '../file/files.ts';

interface Found {
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
}

export async function previewWrite(
  files: FilePort,
  asked: {
    readonly path: string;
    readonly content?: string | undefined;
    readonly edits?: readonly Edit[] | undefined;
  },
  most?: number,
): Promise<CallView> {
  const { path, content = '', edits } = asked;
  const before = findFile(files, path);
  const after = edits ? await applyEdits(before?.text ?? '', edits) : content;
  const isText = before === undefined || before.text !== undefined;
  // A bare return would move what follows to another line of the diff than it has in the file.
  const [old, fresh] = [before?.text ?? '', after].map((text) => text.replaceAll('\r', '\\r'));
  const [, , ...hunks] = isText ? unifiedDiff(old ?? '', fresh ?? '', path).split('\n') : [];
  return {
    kind: 'write',
    path,
    ...(before && { before: sizeOf(before.bytes, before.text) }),
    after: sizeOf(Buffer.from(after), after),
    ...(isText && { diff: headOf(hunks, most) }),
  };
}

export function previewDelete(files: FilePort, path: string, most?: number): CallView {
  const { bytes, text } = need(files, path);
  return {
    kind: 'delete',
    path,
    size: sizeOf(bytes, text),
    head: headOf(text === undefined ? [] : linesIn(text), most),
  };
}

export function previewMove(files: FilePort, from: string, to: string): CallView {
  const { bytes, text } = need(files, from);
  const replaced = findFile(files, to);
  const replaces = replaced && { replaces: sizeOf(replaced.bytes, replaced.text) };
  return { kind: 'move', from, to, size: sizeOf(bytes, text), ...replaces };
}

function need(files: FilePort, path: string): Found {
  const { bytes } = files.readWhole(path, SIZE_LIMIT);
  return { bytes, text: decodeText(bytes) };
}

/** Undefined where there is nothing; whatever else cannot be read is no case for a preview. */
function findFile(files: FilePort, path: string): Found | undefined {
  try {
    return need(files, path);
  } catch (error) {
    if (error instanceof Fault && error.type === 'DataNotFound') return undefined;
    throw error;
  }
}
