// The Python that scripts are run by, on this machine.
import path from 'node:path';
import { type Interpreter, resolveInterpreter } from '../../process/interpreter.ts';
import type { Runtime } from '../runtime.ts';

export async function pythonHere({ env, home, project }: Runtime): Promise<Interpreter> {
  const cacheFolder = path.join(home, '.agent', 'cache', 'process');
  return await resolveInterpreter('python', { path: env.PATH ?? '', home, project, cacheFolder });
}
