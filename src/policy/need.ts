// What a call needs to be allowed: each path, word and address that it names, and each effect that it has.
import type { Obeyed } from '../base/guarded-path.ts';
import { toolFor, toolOf } from '../tools/list.ts';
import type { FileEffect, ToolName } from '../tools/tool-name.ts';
import type { Subject } from './pattern.ts';
import { isOpen, type JudgedScript, spellWord } from './shell/script.ts';

/** What a tool is used on. */
export interface ToolUse {
  readonly argv?: readonly string[];
  /** The text that a shell reads. */
  readonly shell?: string;
  /** What a shell, or a program that starts others, would run. */
  readonly judged?: JudgedScript;
  /** Relative to the skill. */
  readonly script?: string;
  /** Files by the names of the arguments that are paths: relative to the project, or absolute. */
  readonly paths?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** A tool of a server: `server/tool`. */
  readonly remote?: string;
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
  const { argv, shell, script, url, remote, program } = usage;
  const files = filesOf(tool, usage);
  if (files.length > 0) return files.map(({ path }) => ({ tool, path }));
  return [
    {
      tool,
      ...(argv && { argv }),
      ...(shell !== undefined && { shell }),
      ...(usage.judged && { parts: partsOf(tool, usage.judged) }),
      ...(script !== undefined && { path: script, ...(program !== undefined && { interpreter: program }) }),
      ...(url !== undefined && { url }),
      ...(remote !== undefined && { remote }),
    },
  ];
}

/** Each command that is started, each file that is written, and each piece that nobody can judge. */
function partsOf(tool: ToolName, { commands, writes, unjudged, moves }: JudgedScript): Subject[] {
  const moved = moves && { moved: true as const };
  const started = commands.filter(({ kind }) => kind === 'program');
  const written = [...writes, ...commands.flatMap((command) => command.writes)];
  const parts: Subject[] = [
    ...started.map(({ words }) => ({ tool, argv: words, ...moved })),
    ...written.map((file) => ({ tool, written: spellWord(file), ...(isOpen(file) && { isOpen: true as const }) })),
    ...unjudged.map((piece) => ({ tool, unjudged: piece })),
  ];
  return parts.length > 0 ? parts : [{ tool, isIdle: true }];
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
