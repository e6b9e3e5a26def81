// What a tool is: one record. Policy, prompt, grants, explain, settings, docs and audit read it; nothing else names a tool.
// Most commands read only its facts, so a record imports no more than this; what is long it loads when it runs.
import type { z } from 'zod';
import { Fault } from '../base/errors.ts';
import type { CallView } from './call-view.ts';
import type { FilePort } from './file/files.ts';
import type { NetworkPort } from './network.ts';
import type { FileEffect, Risk } from './tool-name.ts';

/** Handed in: whoever only describes a schema does not load it. */
export type Zod = typeof z;

export interface PathArgument {
  readonly name: string;
  readonly does: readonly FileEffect[];
  /** The path that is meant where the argument is left out. */
  readonly otherwise?: string;
}

/** What a tool reaches, and only through these: each path is guarded, each address is judged. */
export interface Ports {
  readonly files: FilePort;
  readonly network: NetworkPort;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

interface ToolFacts<Name extends string> {
  readonly name: Name;
  /** What other agents call it. */
  readonly aliases: readonly string[];
  /** Names that stand for another tool and, in a list of tools, for this one as well. */
  readonly listedWith?: readonly string[];
  readonly risk: Risk;
  /** What patterns speak of. Scripts and commands are started in the sandbox, the rest is done in this process. */
  readonly about: 'files' | 'address' | 'script' | 'command' | 'shell' | 'server';
  /** Every argument that is a path: policy, grants and the path guard see all of them. */
  readonly paths: readonly PathArgument[];
  /** The argument that is the address. */
  readonly address?: string;
  /** Settings that name this tool decide on the effect, whichever tool has it. */
  readonly standsFor?: FileEffect | 'network';
  /** Where the settings say that this milder tool asks, this one asks too. */
  readonly asksWith?: string;
  /** Where the settings refuse that tool, this one is refused too: it can do the same. */
  readonly deniedWith?: string;
  /** For the model: what the names of the arguments do not say. */
  readonly remark?: string;
  /** One entry is one word, as a person is shown it before saying yes. */
  view(args: ToolArguments): readonly string[];
}

export interface Tool<Name extends string = string> extends ToolFacts<Name> {
  /** Absent for what is no tool call, but an action of its own. */
  schema?(zod: Zod): z.ZodType;
  /** Absent for what is started in the sandbox. Its arguments fit the schema. Throws a Fault for whatever it refuses. */
  run?(args: unknown, ports: Ports): object | Promise<object>;
  /** What it would do, for the question before it, with `most` lines; where it is absent or fails, the words of `view` are shown. */
  preview?(args: unknown, files: FilePort, most?: number): CallView | Promise<CallView>;
}

interface Definition<Name extends string, Schema extends z.ZodType> extends ToolFacts<Name> {
  schema(zod: Zod): Schema;
  run(args: z.infer<Schema>, ports: Ports): object | Promise<object>;
  preview?(args: z.infer<Schema>, files: FilePort, most?: number): CallView | Promise<CallView>;
}

/** A tool that is done in this process, with arguments that were checked. */
export function defineTool<const Name extends string, Schema extends z.ZodType>(
  definition: Definition<Name, Schema>,
): Tool<Name> {
  return definition;
}

export function checkArguments<Schema extends z.ZodType>(schema: Schema, args: unknown): z.infer<Schema> {
  const checked = schema.safeParse(args);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => [...issue.path, issue.message].join(': '));
  throw new Fault('ParamInvalid', issues.join('; '), { details: { issues } });
}

/** The usual view: each argument by its name. */
export function namedWords(args: ToolArguments): string[] {
  return Object.entries(args).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

/** The path of each path argument, by the name of the argument. */
export function pathsIn({ paths }: Pick<Tool, 'paths'>, args: ToolArguments): Record<string, string> {
  const given = paths.flatMap(({ name, otherwise }): [string, string][] => {
    const path = args[name] ?? otherwise;
    return typeof path === 'string' ? [[name, path]] : [];
  });
  return Object.fromEntries(given);
}

/** Whether the file is not only read. */
export function isChange(does: readonly FileEffect[]): boolean {
  return does.some((effect) => effect !== 'read');
}

/** The schema of an argument that is a path. */
export function pathSchema(zod: Zod, meaning = 'a file of the project, relative to it') {
  return zod.string().min(1).max(4096).describe(meaning);
}
