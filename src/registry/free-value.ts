// Serializes free-form values of authors to a file and back: nothing lost, no inherited keys.

/** Whether JSON returns it unchanged. */
export function survivesJson(value: unknown): boolean {
  if (typeof value === 'string' || value === undefined) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && typeof value !== 'symbol';
  return Object.values(value).every(survivesJson);
}

/** Without inherited keys, whether freshly parsed or from the cache. */
export function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) dropPrototypes(part);
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
}
