// Watches what a call writes into its layer while it runs: beyond the bounds the call is ended.
import { type Dirent, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { isNotFound } from '../base/read-file.ts';
import type { LayerBounds } from './bounds.ts';

export interface LayerWatch extends Disposable {
  /** Aborted when there is too much in it; the reason is a Fault that says so. */
  readonly signal: AbortSignal;
}

export interface WatchOrder {
  /** What the call writes into, as it lies on disk. */
  readonly root: string;
  /** Other folders it writes into. */
  readonly more?: readonly string[];
  readonly bounds: Pick<LayerBounds, 'layerFiles' | 'layerBytes'>;
  /** What may lie there beside what calls write. */
  readonly beside?: LayerAmount;
  /** Which folder it is, where that is not the layer. */
  readonly where?: Text;
  onExceeded?(fault: Fault): void;
}

/** Between two looks a call can write on: by so much it may exceed the bounds. */
const PAUSE_MS = 500;
/** A large layer is looked at less often, so that looking never takes more than a part of the time. */
const PAUSES_PER_LOOK = 5;

/** A folder of one call that counts like its layer, and what lay in it before. */
export interface WatchedBeside {
  readonly root: string;
  readonly amount: LayerAmount;
}

export function watchedWith<Order extends Omit<WatchOrder, 'onExceeded'>>(order: Order, more?: WatchedBeside): Order {
  if (!more) return order;
  const { files, bytes } = order.beside ?? NOTHING;
  const beside = { files: files + more.amount.files, bytes: bytes + more.amount.bytes };
  return { ...order, more: [more.root], beside };
}

export function watchLayer(order: WatchOrder): LayerWatch {
  const { root, more = [], bounds, beside = NOTHING, where, onExceeded } = order;
  const most = { files: bounds.layerFiles + beside.files, bytes: bounds.layerBytes + beside.bytes };
  const stop = new AbortController();
  const began = usedOn(root);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    const startedAt = performance.now();
    const fault = excessOf(await measure([root, ...more], began, most, () => isOver), most, { ...bounds, where });
    if (isOver) return;
    if (fault) {
      onExceeded?.(fault);
      stop.abort(fault);
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

function excessOf(
  { files, bytes }: LayerAmount,
  most: LayerAmount,
  { layerFiles, layerBytes, where = LAYER }: WatchOrder['bounds'] & { readonly where: Text | undefined },
): Fault | undefined {
  if (files > most.files)
    return new Fault('LIMIT_LAYER_FILES', {
      en: `more than ${layerFiles}${where.en}`,
      zh: `超过 ${layerFiles} 个${where.zh}`,
    });
  if (bytes <= most.bytes) return undefined;
  const mib = Math.floor(layerBytes / 1024 ** 2);
  return new Fault('LIMIT_LAYER_SIZE', { en: `more than ${mib} MiB${where.en}`, zh: `超过 ${mib} MiB${where.zh}` });
}

const LAYER: Text = { en: '', zh: '' };

const ENTRIES_PER_TURN = 1_000;

/** Stops as soon as it is too much. What a call has closed to us is told by what the disk has less since it began. */
async function measure(
  roots: readonly [string, ...string[]],
  began: LayerAmount,
  most: LayerAmount,
  isOver: () => boolean,
): Promise<LayerAmount> {
  let [files, bytes, isClosed] = [0, 0, false];
  const folders: string[] = [...roots];
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
  const now = usedOn(roots[0]);
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
