// Compares two versions, as far as they are comparable.

/** Negative: a is earlier; undefined: one of them is not a dotted number. */
export function compareVersions(a: string | undefined, b: string | undefined): number | undefined {
  const left = parse(a);
  const right = parse(b);
  if (!left || !right) return undefined;
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

/** Whether it can be compared with others. */
export function isVersion(text: string | undefined): text is string {
  return parse(text) !== undefined;
}

interface Version {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

function parse(text: string | undefined): Version | undefined {
  const match = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]*)?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  return { numbers: (match[1] ?? '').split('.').map(Number), prerelease: match[2]?.split('.') ?? [] };
}

// A release comes after its pre-releases.
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [left, right] = [a[at], b[at]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    if (left === right) continue;
    const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
    if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
