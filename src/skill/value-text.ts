// The text of a value that YAML gave: what a parsed map or list says, without ever asking it to become a string.

/** A list or a map; parsed maps have no prototype, so that `String` would throw for one. */
export function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A single value as it is, a list with commas between its items, a map as JSON. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return isCollection(value) ? JSON.stringify(value) : String(value);
}
