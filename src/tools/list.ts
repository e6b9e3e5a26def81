// The tools there are. Whoever wants to know anything about one asks here.
import { deleteFile } from './delete-file.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { moveFile } from './move-file.ts';
import { networkRequest } from './network-request.ts';
import { readFile } from './read-file.ts';
import { runCommand } from './run-command.ts';
import { runScript } from './run-script.ts';
import { runShell } from './run-shell.ts';
import { readServerToolName, serverTool } from './server-tool.ts';
import type { Tool } from './tool.ts';
import type { FileEffect, Risk, ToolName } from './tool-name.ts';
import { writeFile } from './write-file.ts';

export const TOOLS = [
  readFile,
  listDir,
  grep,
  runScript,
  runCommand,
  writeFile,
  deleteFile,
  moveFile,
  networkRequest,
  runShell,
  serverTool,
] as const;

export const TOOL_NAMES: readonly ToolName[] = TOOLS.map(({ name }) => name);

// Maps, because a name such as "constructor" must not find anything.
const RECORDS = new Map<string, Tool<ToolName>>(TOOLS.map((tool) => [tool.name, tool]));
const NAMES = new Map<string, ToolName>(
  TOOLS.flatMap(({ name, aliases }) => [name, ...aliases].map((alias) => [plain(alias), name] as const)),
);

/** The tool a name stands for; an unknown name stands for none. */
export function findTool(name: string): ToolName | undefined {
  return /^[A-Za-z][\w -]*$/.test(name) ? NAMES.get(plain(name)) : undefined;
}

export function toolOf(name: ToolName): Tool<ToolName> {
  const tool = RECORDS.get(name);
  if (!tool) throw new Error(`no record of ${name}`);
  return tool;
}

export function riskOf(name: ToolName): Risk {
  return toolOf(name).risk;
}

/** Runs code of somebody else, so the strength of the sandbox matters. A name nobody knows runs nothing. */
export function isExecuting(name: string): boolean {
  const about = RECORDS.get(name)?.about;
  return about === 'script' || about === 'command' || about === 'shell';
}

/** The tool whose name settings use for this effect; reading has none, since each tool that reads is named itself. */
export function toolFor(effect: FileEffect | 'network'): ToolName | undefined {
  return TOOLS.find((tool) => tool.standsFor === effect)?.name;
}

/** The tools an entry of `allowed-tools` speaks of. */
export function toolsNamed(name: string): readonly ToolName[] {
  if (name === '*') return TOOL_NAMES;
  if (readServerToolName(name)) return [serverTool.name];
  const tool = findTool(name);
  const others = TOOLS.filter((other) => other.listedWith?.includes(name));
  return [...(tool ? [tool] : []), ...others.map((other) => other.name)];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_ -]/g, '');
}
