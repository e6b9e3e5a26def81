// Loaded before the product: keeps the stack of our own functions across awaits, and writes it down at each effect.
import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withProbes } from './walk-probe.ts';

/** One function that is under way, and who called it. */
interface Frame {
  readonly place: string;
  readonly caller: Frame | undefined;
}

/** One line of the file that WALK_TO names. */
export interface Effect {
  readonly kind: 'program started' | 'folder moved';
  /** The program, or where the folder lies now. */
  readonly what: string;
  /** `src/file.ts function`, the outermost first. */
  readonly stack: readonly string[];
}

declare global {
  var walkProbe: <Value>(place: string, body: () => Value) => Value;
}

const root = path.dirname(import.meta.dirname);
const frames = new AsyncLocalStorage<Frame>();

globalThis.walkProbe = (place, body) => frames.run({ place, caller: frames.getStore() }, body);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = url.startsWith('file:') ? path.relative(root, fileURLToPath(url)) : '';
    if (!file.startsWith(`src${path.sep}`) || loaded.format !== 'module-typescript') return loaded;
    return { ...loaded, source: withProbes(file, String(loaded.source)) };
  },
});

const { spawn } = childProcess;
const { renameSync, appendFileSync } = fs;
// As both modules write it: what they are given is passed on untouched.
childProcess.spawn = ((...given: Parameters<typeof spawn>) => {
  note('program started', given[0]);
  return spawn(...given);
}) as typeof spawn;
fs.renameSync = (from, to) => {
  note('folder moved', String(to));
  renameSync(from, to);
};
syncBuiltinESMExports();

function note(kind: Effect['kind'], what: string): void {
  const stack: string[] = [];
  for (let frame = frames.getStore(); frame; frame = frame.caller) stack.unshift(frame.place);
  appendFileSync(process.env.WALK_TO ?? '', `${JSON.stringify({ kind, what, stack } satisfies Effect)}\n`);
}
