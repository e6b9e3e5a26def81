// `run_script`: a script of a skill, started by the door in the sandbox; an action of its own for the model.
import { namedWords, type Tool } from './tool.ts';

export const runScript: Tool<'run_script'> = {
  name: 'run_script',
  aliases: ['execute_script', 'script'],
  // Agents that know `Bash` run a skill's own scripts with it too.
  listedWith: ['Bash'],
  risk: 'medium',
  about: 'script',
  paths: [],
  view: namedWords,
};
