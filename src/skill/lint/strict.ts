// The seed's rules taken literally, for those who publish: no angle brackets, no nesting, a plain name.
import { isRecord } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import { type Findings, report } from '../finding.ts';
import { splitLines } from '../read/entry.ts';
import type { Values } from '../read/simple-yaml.ts';

const NAME = /^[a-z0-9-]{1,64}$/;
// The format itself gives these two an inner structure.
const MAY_NEST: ReadonlySet<string> = new Set(['params', 'actions']);

export function lintSeed(values: Values, blockAngleBrackets: boolean, findings: Findings): void {
  const { name } = values;
  if (typeof name === 'string' && !NAME.test(name.trim())) {
    const message = { en: 'Use 1 to 64 of a-z, 0-9 and - as name.', zh: '名称请使用 1 至 64 个 a-z、0-9 和 -。' };
    report(findings, 'error', 'strict-name', message, { key: 'name' });
  }
  for (const [key, value] of Object.entries(values)) {
    if (MAY_NEST.has(key) || !isNested(value)) continue;
    const shown = visible(key);
    const message = { en: `Flatten ${shown} to a text or a list of texts.`, zh: `请将 ${shown} 改为文本或文本列表。` };
    report(findings, 'error', 'strict-nesting', message, { key });
  }
  if (blockAngleBrackets) lintAngleBrackets(findings);
}

function isNested(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null));
}

function lintAngleBrackets(findings: Findings): void {
  const { block } = findings;
  for (const [index, line] of withoutBlockSigns(splitLines(block?.text ?? '')).entries()) {
    const column = line.search(/[<>]/);
    if (column === -1) continue;
    const place = { line: (block?.startLine ?? 1) + index, column: column + 1 };
    const message = { en: 'Remove < and > from the frontmatter.', zh: '请从 frontmatter 中删除 < 和 >。' };
    report(findings, 'error', 'strict-angle-bracket', message, place);
  }
}

const BLOCK_SIGN = /^((?:[ \t]*(?:- +)?[^\s#-][^:#]*:|[ \t]*-)[ \t]+)[|>][-+1-9]{0,2}[ \t]*(?:#.*)?$/;

/** The `>` that begins a text of several lines is a sign of YAML, no part of a value; inside of that text it is one. */
function withoutBlockSigns(lines: readonly string[]): string[] {
  let textBelow = Number.POSITIVE_INFINITY;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (indent === -1 || indent > textBelow) return line;
    const key = BLOCK_SIGN.exec(line)?.[1];
    textBelow = key === undefined ? Number.POSITIVE_INFINITY : indent;
    return key ?? line;
  });
}
