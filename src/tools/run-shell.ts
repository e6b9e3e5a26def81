// `run_shell`: a script of shell commands, read by one shell that the door starts in the sandbox.
import type { Tool } from './tool.ts';

/** As long as one argument of a program may be, with room for the rest. */
const SCRIPT_LIMIT = 64 * 1024;

export const runShell: Tool<'run_shell'> = {
  name: 'run_shell',
  aliases: ['run_bash', 'shell_script'],
  // Agents that know these run pipelines and lists of commands with them.
  listedWith: ['Bash', 'bash', 'Shell', 'shell', 'Terminal', 'terminal', 'run_shell_command', 'execute_bash'],
  risk: 'high',
  about: 'shell',
  asksWith: 'run_command',
  deniedWith: 'run_command',
  paths: [],
  remark: 'bash reads the script in the project folder; pipes, loops and redirections work, and each command is judged',
  schema: (zod) =>
    zod.strictObject({
      script: zod.string().min(1).max(SCRIPT_LIMIT),
      timeout: zod.number().positive().describe('seconds').optional(),
    }),
  view: ({ script }) => (typeof script === 'string' ? script.replace(/\n$/, '').split('\n') : []),
};
