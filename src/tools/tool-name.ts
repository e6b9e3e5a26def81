// What a decision knows of a tool: its name, how much it can do, and to what. Types alone, so that the library's need no other.
export type ToolName =
  | 'read_file'
  | 'list_dir'
  | 'grep'
  | 'run_script'
  | 'run_command'
  | 'write_file'
  | 'delete_file'
  | 'move_file'
  | 'network_request'
  | 'run_shell'
  | 'server_tool';

export type Risk = 'low' | 'medium' | 'high';

/** What happens to a file that an argument names. */
export type FileEffect = 'read' | 'write' | 'delete';
