// The oldest Node this runs on, and the sentence for an older one. It imports nothing, so that any Node can load it.
export const OLDEST_NODE = 24;

/** Undefined where this Node is new enough. */
export function tooOldNode(): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return undefined;
  return `skillwright needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`;
}
