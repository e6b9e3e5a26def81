// The oldest Node this runs on, the sentence for an older one, and what only says that it is Node. It imports nothing, so
// that any Node can load it.
export const OLDEST_NODE = 24;

/** Undefined where this Node is new enough. */
export function tooOldNode(): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return undefined;
  return `skillwright needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`;
}

/** Its name and version where this is another runtime, which has `node:` modules of its own making. */
export function foreignRuntime(): string | undefined {
  const { bun, deno } = process.versions;
  if (bun !== undefined) return `Bun ${bun}`;
  return deno === undefined ? undefined : `Deno ${deno}`;
}
