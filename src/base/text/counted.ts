// A number with its noun: one finding, two findings.

/** `many` where it is not made by an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
