// `run_command`: a program with its words, started by the door in the sandbox.
import type { Tool } from './tool.ts';

export const runCommand: Tool<'run_command'> = {
  name: 'run_command',
  aliases: [
    'bash',
    'shell',
    'exec',
    'execute',
    'terminal',
    'powershell',
    'local_shell',
    'shell_exec',
    'execute_command',
    'execute_bash',
    'run_shell_command',
    'run_terminal_cmd',
    'run_in_terminal',
  ],
  risk: 'high',
  about: 'command',
  asksWith: 'run_script',
  paths: [],
  remark: 'each word of argv is one argument; there is no shell',
  schema: (zod) => zod.strictObject({ argv: zod.array(zod.string()).min(1) }),
  view: ({ argv }) => (Array.isArray(argv) ? argv.map(String) : []),
};
