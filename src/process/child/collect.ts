// The output of a process, kept in memory up to a limit: many tiny writes cost no more than one large one.
import type { Readable } from 'node:stream';
import { OUTPUT_LIMIT } from '../limits.ts';
import { type Progress, ProgressReader } from '../progress.ts';

const FIRST_SIZE = 4 * 1024;
const LARGE = 256 * 1024;
const ROOM_FOR_LARGE = 16 * 1024 * 1024;

export class Collector {
  readonly #limit: number;
  #kept = Buffer.alloc(0);
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Keeps what fits; false once there was more than that. */
  add(chunk: Buffer): boolean {
    const fitting = chunk.subarray(0, this.#limit - this.#used);
    if (this.#used + fitting.length > this.#kept.length) this.#grow(this.#used + fitting.length);
    this.#used += fitting.copy(this.#kept, this.#used);
    return fitting.length === chunk.length;
  }

  /** Everything that was kept; the collector is empty afterwards. */
  take(): Buffer {
    const whole = this.#kept.subarray(0, this.#used);
    this.#kept = Buffer.alloc(0);
    this.#used = 0;
    return whole;
  }

  // Doubles the buffer, so that copying stays rare; a large output allocates much at once, as untouched pages are free.
  #grow(needed: number): void {
    const doubled = Math.max(FIRST_SIZE, this.#kept.length * 2, needed > LARGE ? ROOM_FOR_LARGE : 0);
    const size = Math.max(needed, Math.min(this.#limit, doubled));
    const grown = Buffer.allocUnsafeSlow(size);
    this.#kept.copy(grown, 0, 0, this.#used);
    this.#kept = grown;
  }
}

export interface Streams {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

export interface CollectOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Bytes of each stream. */
  readonly outputLimit?: number;
}

export interface Output {
  /** Both streams have ended. */
  readonly ended: Promise<unknown>;
  take(): { stdout: Uint8Array; stderr: Uint8Array };
  close(): void;
}

export function collectOutput(streams: Streams, options: CollectOptions, onLimit: () => void): Output {
  const { outputLimit = OUTPUT_LIMIT, onProgress } = options;
  const progress = onProgress && new ProgressReader(onProgress);
  const stdout = collect(streams.stdout, outputLimit, onLimit);
  const stderr = collect(streams.stderr, outputLimit, onLimit, (chunk) => progress?.read(chunk));
  return {
    ended: Promise.all([stdout.ended, stderr.ended]),
    take: () => ({ stdout: stdout.kept.take(), stderr: stderr.kept.take() }),
    close: () => {
      streams.stdout?.destroy();
      streams.stderr?.destroy();
    },
  };
}

function collect(stream: Readable | null, limit: number, onLimit: () => void, also?: (chunk: Buffer) => void) {
  const kept = new Collector(limit);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  stream?.once('close', resolve);
  stream?.on('error', resolve);
  stream?.on('data', (chunk: Buffer) => {
    if (!kept.add(chunk)) {
      stream.destroy();
      onLimit();
    }
    also?.(chunk);
  });
  return { kept, ended };
}
