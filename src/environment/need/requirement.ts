// One requirement of Python as PEP 508 writes it, and package names as the index of Python and that of npm spell them.
import { LONGEST_SPEC, type Requirement } from './mention.ts';

const LONGEST = 1000;
const NAME = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*/;
const VERSION = String.raw`(?:===|==|~=|!=|<=|>=|<|>)\s*[\w.*+!-]+`;
const SPEC = new RegExp(`^\\(?\\s*(${VERSION}(?:\\s*,\\s*${VERSION})*)?\\s*,?\\s*\\)?\\s*$`);

/** PEP 503: `Foo_Bar.x` is `foo-bar-x`. */
export function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Undefined for what is none; a spec that starts with `@` is an address. */
export function parseRequirement(written: string): Requirement | undefined {
  const text = written.trim();
  if (text.length > LONGEST) return undefined;
  const [head, name = '', extras = ''] = NAME.exec(text) ?? [];
  if (head === undefined) return undefined;
  const rest = text.slice(head.length);
  const isAddress = rest.startsWith('@');
  const at = isAddress ? rest.search(/\s;/) : rest.indexOf(';');
  const [said, marker] = at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(rest.indexOf(';', at) + 1)];
  const spec = isAddress ? said.trim() : SPEC.exec(said)?.[1];
  if ((!isAddress && spec === undefined && !SPEC.test(said)) || said.length > LONGEST_SPEC) return undefined;
  return {
    name: normalName(name),
    spec: isAddress ? said.trim() : (spec ?? '').replace(/\s+/g, ''),
    extras: [...new Set(extras.split(',').map((one) => normalName(one.trim())))].filter(Boolean).sort(),
    marker: marker.trim(),
  };
}

const NPM_NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

export function isNpmName(name: string): boolean {
  return name.length <= 214 && NPM_NAME.test(name);
}

/** `@scope/name@^1`; undefined for a path, an address or what is computed. */
export function parseNpmWord(word: string): Requirement | undefined {
  const at = word.indexOf('@', 1);
  const [name, spec] = at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
  if (!isNpmName(name) || /\.(?:tgz|tar\.gz|[cm]?[jt]sx?)$/.test(name)) return undefined;
  return { name, spec: isRange(spec) ? spec : '', extras: [], marker: '' };
}

/** A tag such as `latest` says nothing that a lock could hold to. */
function isRange(spec: string): boolean {
  return spec.length <= LONGEST_SPEC && /^[\^~<>=v\d*x]/i.test(spec) && /\d|\*|x/i.test(spec) && !/[$`]/.test(spec);
}
