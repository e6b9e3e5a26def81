// The tools there are, how risky each is, and what other agents call them.
export const TOOLS = [
  'read_file',
  'list_dir',
  'grep',
  'run_script',
  'run_command',
  'write_file',
  'delete_file',
  'network_request',
] as const;
export type Tool = (typeof TOOLS)[number];
export type Risk = 'low' | 'medium' | 'high';

const RISKS: Record<Tool, Risk> = {
  read_file: 'low',
  list_dir: 'low',
  grep: 'low',
  run_script: 'medium',
  run_command: 'high',
  write_file: 'high',
  delete_file: 'high',
  network_request: 'high',
};

const ALIASES: Record<Tool, string> = {
  read_file: 'read view cat open_file view_file notebook_read read_many_files',
  list_dir: 'ls glob list list_directory list_files find_files file_search',
  grep: 'search ripgrep rg grep_search search_files search_file_content',
  run_script: 'execute_script script',
  run_command:
    'bash shell exec execute terminal powershell local_shell shell_exec execute_command execute_bash run_shell_command run_terminal_cmd run_in_terminal',
  write_file:
    'write edit multi_edit edit_file create_file update_file replace str_replace str_replace_editor str_replace_based_edit_tool apply_patch notebook_edit',
  delete_file: 'delete remove remove_file rm',
  network_request: 'network fetch http http_request fetch_url browse web_fetch web_search google_web_search',
};

// A Map, because a name such as "constructor" must not find anything.
const NAMES = new Map<string, Tool>(
  TOOLS.flatMap((tool) => [tool, ...ALIASES[tool].split(' ')].map((name) => [plain(name), tool] as const)),
);

export function riskOf(tool: Tool): Risk {
  return RISKS[tool];
}

/** Runs code of somebody else, so the strength of the sandbox matters. */
export function isExecuting(tool: Tool): boolean {
  return tool === 'run_script' || tool === 'run_command';
}

/** The tool a name stands for; an unknown name stands for none. */
export function findTool(name: string): Tool | undefined {
  return /^[A-Za-z][\w -]*$/.test(name) ? NAMES.get(plain(name)) : undefined;
}

/** The tools an entry of `allowed-tools` speaks of. */
export function toolsNamed(name: string): readonly Tool[] {
  if (name === '*') return TOOLS;
  // Agents that know `Bash` run a skill's own scripts with it too.
  if (name === 'Bash') return ['run_command', 'run_script'];
  const tool = findTool(name);
  return tool ? [tool] : [];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_ -]/g, '');
}
