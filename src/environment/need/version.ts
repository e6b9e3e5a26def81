// Whether several demands on the version of one package can be met by one version: numbers of releases, no more of PEP 440 and semver than that.
import type { Ecosystem } from './package-need.ts';

type Release = readonly number[];
type Test = (version: Release) => boolean;

/** Farther than this no release is compared. */
const PARTS = 6;
const MOST_SPECS = 12;
const MOST_CANDIDATES = 200;

/** Demands that are not understood, such as an address, exclude nothing. */
export function canAllHold(specs: readonly string[], ecosystem: Ecosystem): boolean {
  const known = [...new Set(specs)].slice(0, MOST_SPECS);
  const tests = known.flatMap((spec) => readSpec(spec, ecosystem) ?? []);
  if (tests.length < 2) return true;
  return candidates(known).some((version) => tests.every((test) => test(version)));
}

/** Whether this version meets the demand; true where one of them is not understood. */
export function satisfies(version: string, spec: string, ecosystem: Ecosystem): boolean {
  const release = releaseOf(version);
  return !release || (readSpec(spec, ecosystem)?.(release) ?? true);
}

/** Names exactly one version. */
export function isExact(spec: string, ecosystem: Ecosystem): boolean {
  return ecosystem === 'python' ? /^={2,3}[^*,]+$/.test(spec) : /^[=v]*\d+\.\d+\.\d+[\w.+-]*$/.test(spec);
}

function readSpec(spec: string, ecosystem: Ecosystem): Test | undefined {
  if (spec === '' || spec === '*') return undefined;
  return ecosystem === 'python' ? readPython(spec) : readNode(spec);
}

function readPython(spec: string): Test | undefined {
  const tests = spec.split(',').map((one) => {
    const [, sign = '', version = ''] = /^(===|==|~=|!=|<=|>=|<|>)(.+)$/.exec(one.trim()) ?? [];
    const release = releaseOf(version);
    return release && pythonTest(sign, release, version.endsWith('.*'));
  });
  return tests.every((test) => test !== undefined) ? (version) => tests.every((test) => test(version)) : undefined;
}

function pythonTest(sign: string, release: Release, isPrefix: boolean): Test {
  const isBelow = (version: Release) => release.every((part, at) => (version[at] ?? 0) === part);
  switch (sign) {
    case '~=':
      return (version) => compare(version, release) >= 0 && compare(version, raised(release, release.length - 2)) < 0;
    case '!=':
      return (version) => !(isPrefix ? isBelow(version) : compare(version, release) === 0);
    case '==':
      return isPrefix ? isBelow : (version) => compare(version, release) === 0;
    default:
      return plainTest(sign, release);
  }
}

function plainTest(sign: string, release: Release): Test {
  switch (sign) {
    case '<':
      return (version) => compare(version, release) < 0;
    case '<=':
      return (version) => compare(version, release) <= 0;
    case '>':
      return (version) => compare(version, release) > 0;
    case '>=':
      return (version) => compare(version, release) >= 0;
    default:
      return (version) => compare(version, release) === 0;
  }
}

/** `^1.2 || >=3 <4`, `1 - 2`, `1.x`. */
function readNode(spec: string): Test | undefined {
  const choices = spec.split('||').map((choice) => {
    const between = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(choice);
    const words = between ? [`>=${between[1]}`, `<=${between[2]}`] : choice.replace(/([<>=^~])\s+/g, '$1').split(/\s+/);
    const tests = words.filter(Boolean).map(nodeTest);
    return tests.every((test) => test !== undefined)
      ? (version: Release) => tests.every((test) => test(version))
      : undefined;
  });
  return choices.every((test) => test !== undefined) ? (version) => choices.some((test) => test(version)) : undefined;
}

function nodeTest(word: string): Test | undefined {
  const [, sign = '', version = ''] = /^(\^|~|<=|>=|<|>|=)?v?([\dxX*].*)$/.exec(word) ?? [];
  if (/^[xX*]/.test(version)) return () => true;
  const release = releaseOf(version.replace(/\.[xX*].*$/, ''));
  if (!release) return undefined;
  const atLeast = (version: Release, end: Release) => compare(version, release) >= 0 && compare(version, end) < 0;
  if (sign === '^') return (one) => atLeast(one, raised(release, firstOf(release)));
  if (sign === '~') return (one) => atLeast(one, raised(release, Math.min(1, release.length - 1)));
  if ((sign === '' || sign === '=') && release.length < 3)
    return (one) => atLeast(one, raised(release, release.length - 1));
  return plainTest(sign === '' ? '=' : sign, release);
}

/** The part that `^` holds: the first that is not zero. */
function firstOf(release: Release): number {
  const at = release.findIndex((part) => part > 0);
  return at < 0 ? release.length - 1 : at;
}

function releaseOf(version: string): Release | undefined {
  const [, numbers] = /^\s*[v=]*(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version) ?? [];
  return numbers?.split('.').slice(0, PARTS).map(Number);
}

function raised(release: Release, at: number): Release {
  return release.slice(0, Math.max(0, at) + 1).map((part, index) => (index === Math.max(0, at) ? part + 1 : part));
}

function compare(a: Release, b: Release): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Every release that is named, and one just above and just below each. */
function candidates(specs: readonly string[]): Release[] {
  const named = specs.flatMap((spec) => (spec.match(/\d+(?:\.\d+)*/g) ?? []).flatMap((one) => [releaseOf(one) ?? []]));
  return named
    .slice(0, MOST_CANDIDATES / 4)
    .flatMap((release) => [release, [...pad(release), 1], below(release), [(release[0] ?? 0) + 1]]);
}

function pad(release: Release): Release {
  return [...release, 0, 0, 0, 0, 0, 0].slice(0, PARTS);
}

function below(release: Release): Release {
  const at = release.findLastIndex((part) => part > 0);
  if (at < 0) return release;
  const most = Number.MAX_SAFE_INTEGER;
  return [...release.slice(0, at), (release[at] ?? 1) - 1, most, most, most, most, most];
}
