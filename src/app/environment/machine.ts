// The machine as the lock names it: which interpreter and platform packages are chosen for.
import path from 'node:path';
import { nodeMachine, type PackageMachine, pythonMachine } from '../../environment/build/machine.ts';
import type { Ecosystem } from '../../environment/need/package-need.ts';
import { resolveInterpreter } from '../../process/interpreter.ts';
import type { Runtime } from '../runtime.ts';

export async function machineFor(ecosystem: Ecosystem, runtime: Runtime): Promise<PackageMachine> {
  return ecosystem === 'node' ? nodeMachine() : await pythonMachine(await pythonHere(runtime));
}

/** The Python that scripts are run by. */
export async function pythonHere({ env, home, project }: Runtime) {
  const cacheFolder = path.join(home, '.agent', 'cache', 'process');
  return await resolveInterpreter('python', { path: env.PATH ?? '', home, project, cacheFolder });
}
