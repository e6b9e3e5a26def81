// What a call would start through a shell or another program; the parser is loaded only where there is something to judge.
import { unwrap } from '../policy/command/wrapper.ts';
import type { AskedCall } from '../policy/policy.ts';
import { findTool, toolOf } from '../tools/list.ts';

/** The call with its commands, as policy judges them. */
export async function judgedCall(asked: AskedCall): Promise<AskedCall> {
  const { shell, argv = [] } = asked;
  const tool = findTool(asked.tool);
  const startsOthers = tool && toolOf(tool).about === 'command' && argv.length > 0 && unwrap(argv).kind !== 'nothing';
  if (shell === undefined && !startsOthers) return asked;
  const { judgeArgv, judgeScript } = await import('../policy/shell/judge.ts');
  return { ...asked, judged: shell === undefined ? judgeArgv(argv) : judgeScript(shell) };
}
