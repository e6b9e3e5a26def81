// A call of a tool that is done in this process: its arguments are checked, the ports opened, and plain data comes back.
import { z } from 'zod';
import { openFiles } from './file/files.ts';
import type { World } from './file/path-guard.ts';
import { toolOf } from './list.ts';
import { type NetworkPolicy, openNetwork } from './network.ts';
import { checkArguments } from './tool.ts';
import type { ToolName } from './tool-name.ts';

export interface ToolContext extends World {
  readonly network: NetworkPolicy;
}

/** Throws a Fault for arguments the tool does not take. */
export function requireArguments(name: ToolName, args: unknown): void {
  const schema = schemaOf(name);
  if (schema) checkArguments(schema, args);
}

/** Throws a Fault for bad arguments and for whatever the tool refuses. */
export async function runTool(name: ToolName, args: unknown, context: ToolContext): Promise<Record<string, unknown>> {
  const schema = schemaOf(name);
  const { run } = toolOf(name);
  if (!schema || !run) throw new Error(`${name} is started in the sandbox`);
  const ports = { files: openFiles(context), network: openNetwork(context.network) };
  return { ...(await run(checkArguments(schema, args), ports)) };
}

// Making a schema costs more than checking a call with it.
const schemas = new Map<ToolName, z.ZodType>();

function schemaOf(name: ToolName): z.ZodType | undefined {
  const schema = schemas.get(name) ?? toolOf(name).schema?.(z);
  if (schema) schemas.set(name, schema);
  return schema;
}
