// Installs locked Python packages into a virtual environment of their own: wheels with the locked hashes, and nothing else.
import type { Interpreter } from '../../process/interpreter.ts';
import type { PythonMachine } from '../build/machine.ts';
import type { InstalledTree, Workshop } from '../build/workshop.ts';
import type { IndexPlace } from '../index-place.ts';
import type { LockEntry } from '../lock/lock-entry.ts';
import { runPip } from './pip.ts';
import { refuseTakeover } from './takeover.ts';
import { freeScripts, writeConfig } from './virtual.ts';

export interface PythonBuild {
  readonly entry: LockEntry;
  readonly interpreter: Interpreter;
  readonly machine: PythonMachine;
  readonly index: IndexPlace;
  readonly isolated: boolean;
}

const WORDS = ['--require-hashes', '--no-deps', '--no-compile', '--no-cache-dir', '--no-warn-script-location'];

/** Returns the folder of the environment, and what was left out of it. */
export async function buildPython(
  { entry, interpreter, machine, index, isolated }: PythonBuild,
  workshop: Workshop,
): Promise<InstalledTree> {
  const requirements = entry.packages.map(({ name, version, hashes }) =>
    [`${name}==${version}`, ...hashes.map((hash) => `--hash=${hash}`)].join(' '),
  );
  const { tree } = await runPip({ interpreter, machine, index, words: WORDS, requirements }, workshop);
  const leftOut = refuseTakeover(tree, machine);
  freeScripts(tree);
  if (isolated) writeConfig(tree, machine, true);
  return { tree, leftOut };
}
