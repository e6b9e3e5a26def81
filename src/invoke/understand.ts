// From a call to the work it means; one file for each kind of call.
import { understandAction } from './action.ts';
import type { Call } from './call.ts';
import { understandInvoke } from './command.ts';
import type { Door } from './door.ts';
import { understandProgram } from './program.ts';
import { understandScript } from './script.ts';
import type { Answer, Work } from './work.ts';

export async function understand(call: Call, door: Door): Promise<Work | Answer> {
  switch (call.kind) {
    case 'run_script':
      return understandScript(call, door);
    case 'run_command':
      return understandProgram(call, door);
    case 'invoke':
      return understandInvoke(call, door);
    case 'call':
      return await understandAction(call, door);
  }
}
