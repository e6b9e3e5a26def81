// The machine as the lock names it: which interpreter and platform packages are chosen for.
import { nodeMachine, type PackageMachine, pythonMachine } from '../../environment/build/machine.ts';
import type { Ecosystem } from '../../environment/need/package-need.ts';
import type { Runtime } from '../runtime.ts';
import { pythonHere } from './python-here.ts';

export async function machineFor(ecosystem: Ecosystem, runtime: Runtime): Promise<PackageMachine> {
  return ecosystem === 'node' ? nodeMachine() : await pythonMachine(await pythonHere(runtime));
}
