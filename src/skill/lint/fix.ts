// Writes into a SKILL.md what its diagnostics suggest: clean fences, quotes, the right spelling of a field, a missing name.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { correctSpelling, WIDENING } from '../field.ts';
import { parseSkill, type Where } from '../manifest.ts';
import { keyOf, splitLines } from '../read/entry.ts';
import type { Block } from '../read/fence.ts';
import { findBody, readFrontmatter } from '../read/frontmatter.ts';

export interface Fixed {
  readonly text: string;
  readonly applied: readonly Diagnostic[];
}

const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  'bom',
  'line-endings',
  'fence-loose',
  'fence-comment',
  'fence-code-block',
  'frontmatter-unclosed',
  'yaml-requoted',
]);

// A fix can bring another one to light: a respelt field may need quotes.
const ROUNDS = 5;

/** Applies every fix that is surely right; what is left needs its author. Applying it twice changes nothing more. */
export function fixSkill(text: string, where: Where): Fixed {
  const applied: Diagnostic[] = [];
  let current = text;
  for (let round = 0; round < ROUNDS; round++) {
    const fixed = fixOnce(current, where);
    if (fixed.text === current) break;
    applied.push(...fixed.applied);
    current = fixed.text;
  }
  return { text: current, applied };
}

function fixOnce(text: string, where: Where): Fixed {
  const { block, fixed, values, diagnostics } = readFrontmatter(text, where.path);
  if (block === undefined || values === undefined || isLost(block)) return { text, applied: [] };
  const applied = diagnostics.filter(({ code }) => OF_THE_WHOLE.has(code));
  return applied.length === 0
    ? fixLines(text, block, where)
    : { text: rewrite(text, block, fixed ?? block.text), applied };
}

/** Where it belongs and what it may say is the author's to decide. */
function isLost({ repairs }: Block): boolean {
  return repairs.includes('fence-missing') || repairs.includes('fence-late');
}

function rewrite(text: string, block: Block, frontmatter: string): string {
  const { body } = findBody(text, block);
  const comments = (text.slice(0, block.offset).match(/<!--[\s\S]*?-->/g) ?? []).map((comment) => `${comment}\n`);
  const fields = withLineFeeds(frontmatter).trim();
  const rest = block.repairs.includes('fence-code-block') ? withoutLastFence(body) : body;
  return `---\n${fields}\n---\n${withLineFeeds(comments.join('') + rest)}`;
}

// The code fence that was opened above the frontmatter is closed at the end of the file.
function withoutLastFence(body: string): string {
  const fences = body.match(/^```/gm)?.length ?? 0;
  const last = body.startsWith('```') && fences === 1 ? 0 : body.lastIndexOf('\n```') + 1;
  const end = body.indexOf('\n', last);
  return fences % 2 === 1 ? body.slice(0, last) + (end === -1 ? '' : body.slice(end + 1)) : body;
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function fixLines(text: string, block: Block, where: Where): Fixed {
  const { diagnostics } = parseSkill(text, where);
  // A text that only the ladder can read may hold other things than its lines seem to.
  if (diagnostics.some(({ code }) => code.startsWith('yaml-'))) return { text, applied: [] };
  const applied: Diagnostic[] = [];
  const lines = splitLines(block.text);
  const nameless = diagnostics.find(({ code }) => code === 'name-missing');
  for (const diagnostic of diagnostics) {
    const at = (diagnostic.line ?? 0) - block.startLine;
    const line = lines[at];
    const better = line === undefined ? undefined : fixLine(line, diagnostic, lines);
    if (better === undefined) continue;
    lines[at] = better;
    applied.push(diagnostic);
  }
  if (nameless?.fix !== undefined && !lines.some((line) => keyOf(line) === 'name')) {
    lines.unshift(nameless.fix);
    applied.push(nameless);
  }
  const before = text.slice(0, block.offset);
  const after = text.slice(block.offset + block.text.length);
  return { text: applied.length === 0 ? text : before + lines.join('\n') + after, applied };
}

function fixLine(line: string, { code, fix }: Diagnostic, lines: readonly string[]): string | undefined {
  const key = keyOf(line);
  if (key === undefined || fix === undefined) return undefined;
  const value = line.slice(line.indexOf(':', line.indexOf(key)) + 1);
  // The line may be a guess where a key is written in an unusual way.
  if (code === 'field-type') return value.trim() !== '' && fix.startsWith(`${key}: `) ? fix : undefined;
  if (code !== 'field-spelling' || correctSpelling(key) !== fix) return undefined;
  // A field that gives the skill something is the author's to write.
  const isFree = !lines.some((other) => keyOf(other) === fix) && !WIDENING.some((field) => field === fix);
  return isFree ? `${fix}:${value}` : undefined;
}
