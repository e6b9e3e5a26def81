// Watches what a call writes into its layer while it runs: beyond the bounds the call is ended.
import { type Dirent, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Fault } from '../base/errors.ts';
import { isNotFound } from '../base/read-file.ts';
import type { LayerBounds } from './bounds.ts';

export interface LayerWatch extends Disposable {
  /** Aborted when there is too much in the layer. */
  readonly signal: AbortSignal;
}

export interface WatchOrder {
  /** What the call writes into, as it lies on disk. */
  readonly root: string;
  readonly bounds: Pick<LayerBounds, 'layerFiles' | 'layerBytes'>;
  /** What may lie there beside what calls write. */
  readonly beside?: LayerAmount;
  onExceeded(fault: Fault): void;
}

/** Between two looks a call can write on: by so much it may exceed the bounds. */
const PAUSE_MS = 500;
/** A large layer is looked at less often, so that looking never takes more than a part of the time. */
const PAUSES_PER_LOOK = 5;

export function watchLayer({ root, bounds, beside = NOTHING, onExceeded }: WatchOrder): LayerWatch {
  const most = { files: bounds.layerFiles + beside.files, bytes: bounds.layerBytes + beside.bytes };
  const stop = new AbortController();
  const began = usedOn(root);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    const startedAt = performance.now();
    const fault = excessOf(await measure(root, began, most, () => isOver), most, bounds);
    if (isOver) return;
    if (fault) {
      onExceeded(fault);
      stop.abort();
    } else wait(Math.max(PAUSE_MS, (performance.now() - startedAt) * PAUSES_PER_LOOK));
  };
  const wait = (pause: number) => {
    timer = setTimeout(() => void look(), pause).unref();
  };
  wait(PAUSE_MS);
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

export interface LayerAmount {
  readonly files: number;
  readonly bytes: number;
}

const NOTHING: LayerAmount = { files: 0, bytes: 0 };

function excessOf({ files, bytes }: LayerAmount, most: LayerAmount, bounds: WatchOrder['bounds']): Fault | undefined {
  const { layerFiles, layerBytes } = bounds;
  if (files > most.files)
    return new Fault('LIMIT_LAYER_FILES', { en: `more than ${layerFiles}`, zh: `超过 ${layerFiles} 个` });
  if (bytes <= most.bytes) return undefined;
  const mib = Math.floor(layerBytes / 1024 ** 2);
  return new Fault('LIMIT_LAYER_SIZE', { en: `more than ${mib} MiB`, zh: `超过 ${mib} MiB` });
}

const ENTRIES_PER_TURN = 1_000;

/** Stops as soon as it is too much. What a call has closed to us is told by what the disk has less since it began. */
async function measure(
  root: string,
  began: LayerAmount,
  most: LayerAmount,
  isOver: () => boolean,
): Promise<LayerAmount> {
  let [files, bytes, isClosed] = [0, 0, false];
  const folders = [root];
  for (const folder of folders) {
    const entries = entriesOf(folder);
    isClosed ||= entries === undefined;
    for (const entry of entries ?? []) {
      files++;
      const at = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(at);
      else if (entry.isFile()) {
        const blocks = blocksOf(at);
        isClosed ||= blocks === undefined;
        bytes += (blocks ?? 0) * BLOCK;
      }
      if (files > most.files || bytes > most.bytes || isOver()) return { files, bytes };
      if (files % ENTRIES_PER_TURN === 0) await nextTurn();
    }
  }
  if (!isClosed) return { files, bytes };
  const now = usedOn(root);
  return { files: Math.max(files, now.files - began.files), bytes: Math.max(bytes, now.bytes - began.bytes) };
}

/** In which the kernel counts what a file takes up, whatever the disk does. */
const BLOCK = 512;

/** Undefined where its folder may not be entered. */
function blocksOf(file: string): number | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.blocks ?? 0;
  } catch {
    return undefined;
  }
}

function usedOn(root: string): LayerAmount {
  const { bsize, blocks, bfree, files, ffree } = statfsSync(root);
  return { files: files - ffree, bytes: (blocks - bfree) * bsize };
}

/** Undefined where it may not be looked into; a folder that is gone is empty. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return isNotFound(error) ? [] : undefined;
  }
}
