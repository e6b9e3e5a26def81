// Reads the frontmatter of SKILL.md: strictly where it can, mended where it must, and always saying so.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { truncate, visible } from '../../base/text.ts';
import { type Findings, report, reportFence, type TextPosition } from '../finding.ts';
import { findLostBlock } from '../lost.ts';
import { restrictDoubtful } from './doubt.ts';
import { type Block, FRONTMATTER_LIMIT, findCleanBlock, findLooseBlock, isBeyondLimit } from './fence.ts';
import { repairBlock } from './repair.ts';
import type { Values } from './simple-yaml.ts';
import { parseYaml, type YamlProblem } from './yaml.ts';

const BLOCK_TOO_LARGE = 'Close the frontmatter with `---` within the first 64 KiB.';
export const FILE_LIMIT = 1024 * 1024;
export const TOO_LARGE = 'Shorten SKILL.md to at most 1 MiB.';

export interface Frontmatter {
  /** Without prototype; absent when nothing could be read. */
  readonly values?: Values;
  readonly diagnostics: Diagnostic[];
  readonly block?: Block;
  /** The text of the block with its repairs written in, where there were any. */
  readonly fixed?: string;
}

/** Where the frontmatter stands; `closed: false` asks a reader of the file's beginning to read on. */
export function findFrontmatter(text: string): Block | undefined {
  return findCleanBlock(text) ?? findLooseBlock(text, false) ?? findLostBlock(text);
}

/** Never throws; what could not be read strictly is named in the diagnostics. */
export function readFrontmatter(text: string, path: string): Frontmatter {
  const block = findCleanBlock(text) ?? findLooseBlock(text, true);
  const findings: Findings = { path, block, diagnostics: [] };
  if (isLargerThan(text, FILE_LIMIT)) return refuse(findings, 'file-too-large', TOO_LARGE);
  if (block === undefined) {
    const lost = readLost(text, path);
    if (lost) return lost;
    return refuse(findings, 'frontmatter-missing', 'Begin SKILL.md with a `---` block that has name and description.');
  }
  if (isLargerThan(block.text, FRONTMATTER_LIMIT)) {
    return refuse(findings, 'frontmatter-too-large', BLOCK_TOO_LARGE);
  }
  const parsed = block.closed ? parseYaml(block.text) : undefined;
  if (parsed === undefined || 'problem' in parsed) return readBroken(block, findings, parsed?.problem);
  if (block.repairs.length > 0) reportFence(findings, block.repairs);
  reportPrototypeKeys(findings, parsed.droppedKeys);
  return { values: parsed.values, diagnostics: findings.diagnostics, block };
}

/** Nobody can be sure what such a text was meant to be: it gives the skill nothing, and whatever takes something away counts. */
function readLost(text: string, path: string): Frontmatter | undefined {
  const block = findLostBlock(text);
  if (block === undefined) return undefined;
  const findings: Findings = { path, block, diagnostics: [] };
  const parsed = parseYaml(block.text);
  const isMendable = 'problem' in parsed && !REFUSALS.has(parsed.problem.code);
  const read = isMendable ? repairBlock(block, findings) : parsed;
  if (read === undefined || 'problem' in read) return undefined;
  const { values } = read;
  if (!isMendable) reportFence(findings, block.repairs);
  if (block.repairs.includes('fence-late')) values['disable-model-invocation'] = true;
  const clean = new Set(Object.keys(values));
  restrictDoubtful({ ...block, text: block.around }, { values, clean, certain: false, changes: [] }, findings);
  return { values, diagnostics: findings.diagnostics, block };
}

/** The text below the frontmatter, and the line it begins on. */
export function findBody(text: string, block: Block | undefined): { body: string; line: number } {
  if (block === undefined) return { body: text, line: 1 };
  const head = text.slice(0, block.bodyOffset);
  return { body: text.slice(block.bodyOffset), line: head.split('\n').length };
}

// What is wrong by intent, not by slip, is never mended.
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['yaml-alias', 'Write the value out: anchors, aliases and merge keys are not read.'],
  ['yaml-depth', 'Flatten the field: values may be nested at most 8 deep.'],
  ['yaml-keys', 'Leave out what is not needed: at most 256 fields are read.'],
]);

function readBroken(block: Block, findings: Findings, problem: YamlProblem | undefined): Frontmatter {
  const { diagnostics } = findings;
  const place = { line: block.startLine + (problem?.line ?? 0), column: (problem?.column ?? 0) + 1 };
  const refusal = problem && REFUSALS.get(problem.code);
  if (problem && refusal) return refuse(findings, problem.code, refusal, place);
  const repaired = repairBlock(block, findings);
  if (repaired !== undefined) {
    reportPrototypeKeys(findings, repaired.droppedKeys);
    return { values: repaired.values, diagnostics, block: repaired.block, fixed: repaired.fixed };
  }
  if (isBeyondLimit(block)) return refuse(findings, 'frontmatter-too-large', BLOCK_TOO_LARGE);
  const reason = problem
    ? `${truncate(visible(problem.reason), 120)}; mend this line`
    : 'close it with a line `---` before the body';
  return refuse(
    findings,
    problem?.code ?? 'frontmatter-unclosed',
    `The frontmatter is not readable: ${reason}.`,
    place,
  );
}

function refuse(findings: Findings, code: string, message: string, place: TextPosition = { line: 1 }): Frontmatter {
  report(findings, 'error', code, message, place);
  const { block, diagnostics } = findings;
  return { diagnostics, ...(block && { block }) };
}

function reportPrototypeKeys(findings: Findings, keys: readonly string[]): void {
  for (const key of new Set(keys)) {
    report(findings, 'warning', 'prototype-key', `Rename the key ${key}; it was left out.`, { key });
  }
}

function isLargerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}
