// Packages that a package.json declares: those it needs, its peers, those it may do without, and those only its author needs.
import { isRecord, parseJson } from '../../base/json.ts';
import {
  LONGEST_SPEC,
  lineFinder,
  MOST_MENTIONS,
  type PackageMention,
  type PackageUse,
  type UnreadPackages,
  unread,
} from './mention.ts';
import type { ReadManifest } from './pyproject.ts';
import { isNpmName } from './requirement.ts';

const FIELDS: readonly (readonly [string, PackageUse])[] = [
  ['dependencies', 'needed'],
  ['peerDependencies', 'needed'],
  ['optionalDependencies', 'optional'],
  ['devDependencies', 'development'],
];
/** A package of the skill itself or of one workspace with it. */
const OWN = /^(?:file|link|workspace|portal|catalog):|^\.{0,2}\//;
const ADDRESS = /^(?:git|github|gitlab|bitbucket|https?|git\+\w+):|^[\w.-]+\/[\w.-]+(?:#.*)?$/;

export function readPackageJson(file: string, text: string): ReadManifest {
  const manifest = jsonOf(text);
  if (!manifest) return { mentions: [], unread: [unread(file, 1, 'not-understood', 'JSON')], own: [] };
  const mentions: PackageMention[] = [];
  const left: UnreadPackages[] = [];
  const own = typeof manifest.name === 'string' ? [manifest.name] : [];
  const lineOf = lineFinder(text);
  const meta = isRecord(manifest.peerDependenciesMeta) ? manifest.peerDependenciesMeta : {};
  for (const [field, use] of FIELDS)
    for (const [name, spec] of Object.entries(isRecord(manifest[field]) ? manifest[field] : {}).slice(
      0,
      MOST_MENTIONS,
    )) {
      // The name behind its field: it may stand in several.
      const line = lineOf(JSON.stringify(name), Math.max(0, text.indexOf(`"${field}"`)));
      if (typeof spec !== 'string' || spec.length > LONGEST_SPEC || !isNpmName(name))
        left.push(unread(file, line, 'not-understood', name.slice(0, 120)));
      else if (OWN.test(spec)) own.push(name);
      else {
        if (ADDRESS.test(spec)) left.push(unread(file, line, 'not-from-index', name));
        const isOptional = field === 'peerDependencies' && isRecord(meta[name]) && meta[name].optional === true;
        mentions.push({
          ecosystem: 'node',
          name,
          spec: spec === '*' || spec === 'latest' ? '' : spec.trim(),
          extras: [],
          marker: '',
          certainty: 'declared',
          use: isOptional ? 'optional' : use,
          file,
          line,
        });
      }
    }
  return { mentions, unread: left, own };
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
