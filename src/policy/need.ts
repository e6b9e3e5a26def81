// What a call needs to be allowed: each path, word and address that it names, and each effect that it has.
import type { Obeyed } from '../base/guarded-path.ts';
import { toolFor, toolOf } from '../tools/list.ts';
import type { FileEffect, ToolName } from '../tools/tool-name.ts';
import type { Subject } from './pattern.ts';

/** What a tool is used on. */
export interface ToolUse {
  readonly argv?: readonly string[];
  /** Relative to the skill. */
  readonly script?: string;
  /** Files by the names of the arguments that are paths: relative to the project, or absolute. */
  readonly paths?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** What is started, by its common name: a program, or the interpreter of a script; unknown where no list asks for it. */
  readonly program?: string;
}

/** A file that a call changes, and who obeys it. */
export interface ObeyedFile {
  /** As it is shown. */
  readonly path: string;
  readonly by: Obeyed;
}

/** A tool, and the file that makes it necessary, where it is one. */
export interface ToolNeed {
  readonly tool: ToolName;
  readonly path?: string;
}

interface UsedFile {
  readonly path: string;
  readonly does: readonly FileEffect[];
}

const EVERYTHING: readonly FileEffect[] = ['read', 'write', 'delete'];

/** Every file that the call names; whatever an unknown argument may do to its file, it is judged as if it did it. */
export function filesOf(tool: ToolName, { paths = {} }: ToolUse): UsedFile[] {
  const known = toolOf(tool).paths;
  return Object.entries(paths).map(([name, path]) => ({
    path,
    does: known.find((argument) => argument.name === name)?.does ?? EVERYTHING,
  }));
}

/** What a list of tools, or a grant, has to cover: each of them. */
export function subjectsOf(tool: ToolName, usage: ToolUse): Subject[] {
  const { argv, script, url, program } = usage;
  const files = filesOf(tool, usage);
  if (files.length > 0) return files.map(({ path }) => ({ tool, path }));
  return [
    {
      tool,
      ...(argv && { argv }),
      ...(script !== undefined && { path: script, ...(program !== undefined && { interpreter: program }) }),
      ...(url !== undefined && { url }),
    },
  ];
}

/** What settings have to allow: the tool, and the tools that stand for what it does to files. */
export function needsOf(tool: ToolName, usage: ToolUse): ToolNeed[] {
  const files = filesOf(tool, usage);
  const effects = files.flatMap(({ path, does }) => does.flatMap((effect) => needFor(effect, path) ?? []));
  const own = effects.filter((need) => need.tool === tool);
  return [...(own.length > 0 ? own : [{ tool }]), ...effects.filter((need) => need.tool !== tool)];
}

function needFor(effect: FileEffect, path: string): ToolNeed | undefined {
  const tool = toolFor(effect);
  return tool && { tool, path };
}
