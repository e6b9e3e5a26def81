// Reads the frontmatter of SKILL.md: strictly where it can, mended where it must, and always saying so.
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import { truncate, visible } from '../../base/text.ts';
import { type Findings, report, reportFence, type TextPosition } from '../finding.ts';
import { findLostBlock } from '../lost.ts';
import { restrictDoubtful } from './doubt.ts';
import { type Block, FRONTMATTER_LIMIT, findCleanBlock, findLooseBlock, isBeyondLimit } from './fence.ts';
import { repairBlock } from './repair.ts';
import type { Values } from './simple-yaml.ts';
import { parseYaml, type YamlProblem } from './yaml.ts';

const BLOCK_TOO_LARGE: Text = {
  en: 'Close the frontmatter with `---` within the first 64 KiB.',
  zh: '请在前 64 KiB 之内用 `---` 结束 frontmatter。',
};
const BLOCK_MISSING: Text = {
  en: 'Begin SKILL.md with a `---` block that has name and description.',
  zh: '请让 SKILL.md 以含有 name 和 description 的 `---` 块开头。',
};
export const FILE_LIMIT = 1024 * 1024;
export const TOO_LARGE: Text = {
  en: 'Shorten SKILL.md to at most 1 MiB.',
  zh: '请将 SKILL.md 缩短到 1 MiB 以内。',
};

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
    return refuse(findings, 'frontmatter-missing', BLOCK_MISSING);
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
const REFUSALS: ReadonlyMap<string, Text> = new Map([
  [
    'yaml-alias',
    {
      en: 'Write the value out: anchors, aliases and merge keys are not read.',
      zh: '请直接写出值: 不读取锚点、别名与合并键。',
    },
  ],
  [
    'yaml-depth',
    { en: 'Flatten the field: values may be nested at most 8 deep.', zh: '请减少字段的嵌套: 最多 8 层。' },
  ],
  [
    'yaml-keys',
    { en: 'Leave out what is not needed: at most 256 fields are read.', zh: '请删去不需要的字段: 最多读取 256 个。' },
  ],
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
  return refuse(findings, problem?.code ?? 'frontmatter-unclosed', notReadable(problem), place);
}

function notReadable(problem: YamlProblem | undefined): Text {
  if (!problem)
    return {
      en: 'The frontmatter is not readable: close it with a line `---` before the body.',
      zh: '无法读取 frontmatter: 请在正文之前用一行 `---` 结束它。',
    };
  const reason = truncate(visible(problem.reason), 120);
  return {
    en: `The frontmatter is not readable: ${reason}; mend this line.`,
    zh: `无法读取 frontmatter: ${reason}；请修正这一行。`,
  };
}

function refuse(findings: Findings, code: string, message: Text, place: TextPosition = { line: 1 }): Frontmatter {
  report(findings, 'error', code, message, place);
  const { block, diagnostics } = findings;
  return { diagnostics, ...(block && { block }) };
}

function reportPrototypeKeys(findings: Findings, keys: readonly string[]): void {
  for (const key of new Set(keys)) {
    const message = { en: `Rename the key ${key}; it was left out.`, zh: `请为键 ${key} 改名；它已被忽略。` };
    report(findings, 'warning', 'prototype-key', message, { key });
  }
}

function isLargerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}
