// Frontmatter that is not valid YAML: what the author most likely meant, field by field.
import { visible } from '../../base/text.ts';
import { RESTRICTIVE, restrict } from '../field.ts';
import { type Findings, report, reportFence, reportRestricted } from '../finding.ts';
import { cutAtBody } from './cut.ts';
import { restrictDoubtful } from './doubt.ts';
import { type FieldEntry, splitEntries, splitLines } from './entry.ts';
import { type Block, countLines, isBeyondLimit } from './fence.ts';
import { type Requoted, requote } from './requote.ts';
import type { Values } from './simple-yaml.ts';
import { KEY_LIMIT, type ParsedYaml, PROTOTYPE_KEYS, parseYaml } from './yaml.ts';

// Every broken field costs a parse of its own; real files have a few dozen lines.
const LINE_LIMIT = 2000;

export interface Repaired {
  readonly block: Block;
  readonly values: Values;
  readonly droppedKeys: readonly string[];
  readonly fixed: string;
}

/** A reading of the block that has a description, with everything doubtful restricted; undefined if there is none. */
export function repairBlock(block: Block, findings: Findings): Repaired | undefined {
  const cut = cutAtBody(block);
  const mended = (cut && (readCut(cut) ?? mend(cut))) ?? (isBeyondLimit(block) ? undefined : mend(block));
  if (mended === undefined) return undefined;
  reportFence({ ...findings, block: mended.block }, mended.block.repairs);
  for (const change of mended.changes) reportChange(change, findings);
  restrictDoubtful(block, mended, findings);
  return mended;
}

type Change =
  | { readonly how: 'requoted'; readonly entry: FieldEntry; readonly quoted: Requoted }
  | { readonly how: 'salvaged' | 'restricted' | 'duplicate' | 'dropped'; readonly entry: FieldEntry };

interface Reading {
  readonly values: Values;
  readonly changes: Change[];
  readonly droppedKeys: string[];
  /** Fields that were read from lines of their own. */
  readonly clean: Set<string>;
}

interface Mended extends Repaired, Reading {
  readonly droppedKeys: string[];
  /** The parser could read it once quotes were added; the structure is the author's. */
  readonly certain: boolean;
}

function readCut(block: Block): Mended | undefined {
  const parsed = parseYaml(block.text);
  return 'values' in parsed ? whole(block, parsed, { changes: [], fixed: block.text }) : undefined;
}

function mend(block: Block): Mended | undefined {
  if (countLines(block.text) > LINE_LIMIT) return undefined;
  const entries = splitEntries(block.text);
  if (entries.length > KEY_LIMIT) return undefined;
  const reading: Reading = { values: Object.create(null), changes: [], droppedKeys: [], clean: new Set() };
  for (const entry of entries) readEntry(entry, reading);
  const { changes } = reading;
  const fixed = writeFixed(block.text, changes);
  const parsed = changes.every(({ how }) => how === 'requoted') ? parseYaml(fixed) : undefined;
  if (parsed && 'values' in parsed) return whole(block, parsed, { changes, fixed });
  return 'description' in reading.values ? { ...reading, block, fixed, certain: false } : undefined;
}

function whole(block: Block, parsed: ParsedYaml, { changes, fixed }: { changes: Change[]; fixed: string }) {
  if (!('description' in parsed.values)) return undefined;
  return { block, ...parsed, changes, fixed, clean: new Set(Object.keys(parsed.values)), certain: true };
}

function readEntry(entry: FieldEntry, { values, changes, droppedKeys, clean }: Reading): void {
  const { key } = entry;
  const guards = RESTRICTIVE.has(key);
  const parsed = parseYaml(entry.text);
  if (clean.has(key) || key in values) {
    changes.push({ how: guards ? 'restricted' : 'duplicate', entry });
    if (guards) restrict(values, key);
  } else if ('values' in parsed && Object.keys(parsed.values).every((found) => found === key)) {
    Object.assign(values, parsed.values);
    droppedKeys.push(...parsed.droppedKeys);
    clean.add(key);
  } else if (guards) {
    changes.push({ how: 'restricted', entry });
    restrict(values, key);
  } else changes.push(mendText(entry, values));
}

function mendText(entry: FieldEntry, values: Values): Change {
  const { key } = entry;
  const quoted = requote(entry);
  const raw = quoted?.value ?? entry.text.slice(entry.text.indexOf(':') + 1).trim();
  if (key === '' || raw === '' || PROTOTYPE_KEYS.has(key)) return { how: 'dropped', entry };
  values[key] = raw;
  return quoted === undefined ? { how: 'salvaged', entry } : { how: 'requoted', entry, quoted };
}

// Only quotes are surely right; every other change is left to the author.
function writeFixed(text: string, changes: readonly Change[]): string {
  const lines = splitLines(text);
  for (const change of changes.toReversed()) {
    if (change.how === 'requoted') lines.splice(change.entry.line, change.quoted.lines, change.quoted.text);
  }
  return lines.join('\n');
}

function reportChange(change: Change, findings: Findings): void {
  const { line } = change.entry;
  const key = visible(change.entry.key);
  const place = { line: (findings.block?.startLine ?? 1) + line, column: 1 };
  if (change.how === 'requoted') {
    const message = { en: `Put the value of ${key} in quotes.`, zh: `请将 ${key} 的值放入引号。` };
    report(findings, 'warning', 'yaml-requoted', message, { ...place, fix: change.quoted.text });
  } else if (change.how === 'duplicate') {
    const message = {
      en: `Remove the second ${key}; the first one counts.`,
      zh: `请删除第二个 ${key}；以第一个为准。`,
    };
    report(findings, 'warning', 'yaml-duplicate-key', message, place);
  } else if (change.how === 'salvaged') {
    const message = {
      en: `Mend the YAML of ${key}; it was kept as plain text.`,
      zh: `请修正 ${key} 的 YAML；目前按纯文本保留。`,
    };
    report(findings, 'warning', 'yaml-salvaged', message, place);
  } else if (change.how === 'dropped') {
    const message = {
      en: 'Mend or remove this line; it belongs to no field.',
      zh: '请修正或删除这一行；它不属于任何字段。',
    };
    report(findings, 'warning', 'yaml-salvaged', message, place);
  } else reportRestricted(findings, key, place);
}
