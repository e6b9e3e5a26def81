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
    report(findings, 'error', 'strict-name', 'Use 1 to 64 of a-z, 0-9 and - as name.', { key: 'name' });
  }
  for (const [key, value] of Object.entries(values)) {
    if (MAY_NEST.has(key) || !isNested(value)) continue;
    const message = `Flatten ${visible(key)} to a text or a list of texts.`;
    report(findings, 'error', 'strict-nesting', message, { key });
  }
  if (blockAngleBrackets) lintAngleBrackets(findings);
}

function isNested(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null));
}

function lintAngleBrackets(findings: Findings): void {
  const { block } = findings;
  for (const [index, line] of splitLines(block?.text ?? '').entries()) {
    const column = line.search(/[<>]/);
    if (column === -1) continue;
    const place = { line: (block?.startLine ?? 1) + index, column: column + 1 };
    report(findings, 'error', 'strict-angle-bracket', 'Remove < and > from the frontmatter.', place);
  }
}
