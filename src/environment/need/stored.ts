// Whether a value that was stored is what a skill needs of packages: a cache can be cut short or written by another version.
import { isRecord, isTextList } from '../../base/json.ts';
import type { FoundPackages, NeededPackage } from './mention.ts';

export function isFoundPackages(value: unknown): value is FoundPackages {
  if (!isRecord(value)) return false;
  const { needs, development, conflicts, unread } = value;
  return (
    isListOf(needs, isNeed) &&
    isListOf(development, isNeed) &&
    isListOf(conflicts, isConflict) &&
    isListOf(unread, isUnread)
  );
}

function isListOf(value: unknown, isPart: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isPart);
}

function isNeed(value: unknown): value is NeededPackage {
  if (!isRecord(value)) return false;
  const { ecosystem, name, spec, marker, certainty, extras, imports, optional, foundIn } = value;
  return (
    (ecosystem === 'python' || ecosystem === 'node') &&
    [name, spec, marker, certainty].every((one) => typeof one === 'string') &&
    isTextList(extras) &&
    isTextList(imports) &&
    typeof optional === 'boolean' &&
    isListOf(foundIn, isPlace)
  );
}

function isPlace(value: unknown): boolean {
  return isRecord(value) && typeof value.file === 'string' && Number.isInteger(value.line);
}

function isConflict(value: unknown): boolean {
  const isSpec = (one: unknown) => isRecord(one) && typeof one.spec === 'string' && isPlace(one.foundIn);
  return isRecord(value) && typeof value.name === 'string' && isListOf(value.specs, isSpec);
}

function isUnread(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return isPlace(value) && [value.why, value.kind, value.what].every((one) => typeof one === 'string');
}
