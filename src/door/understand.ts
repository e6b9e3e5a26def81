// From a call to the work it means; one file for each kind of call.
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import { understandAction } from './kind/action.ts';
import { understandInvoke } from './kind/command.ts';
import { understandProgram } from './kind/program.ts';
import { understandScript } from './kind/script.ts';
import { understandShell } from './kind/shell.ts';
import { type ToolWork, understandTool } from './kind/tool.ts';
import { understandWorker } from './kind/worker.ts';
import type { AnsweredCall, Work } from './work.ts';

export async function understand(call: Call, door: Door): Promise<Work | ToolWork | AnsweredCall> {
  switch (call.kind) {
    case 'run_script':
      return understandScript(call, door);
    case 'run_command':
      return understandProgram(call, door);
    case 'run_shell':
      return await understandShell(call, door);
    case 'invoke':
      return understandInvoke(call, door);
    case 'call':
      return await understandAction(call, door);
    case 'use_tool':
      return await understandTool(call, door);
    case 'use_server': {
      const { understandServer } = await import('./kind/server.ts');
      return await understandServer(call, door);
    }
    case 'prepare': {
      // Few calls are of this kind, and it brings a proxy and two installers along.
      const { understandPrepare } = await import('./kind/prepare.ts');
      return await understandPrepare(call, door);
    }
    case 'run_worker':
      return understandWorker(call, door);
  }
}
