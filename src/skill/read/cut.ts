// A frontmatter without its closing fence swallows the body; this finds where the body begins.
import { keyOf } from './entry.ts';
import type { Block } from './fence.ts';

/** The block up to its body; undefined where no body shows. */
export function cutAtBody(block: Block): Block | undefined {
  const lines = block.text.split(/(?<=\n)/);
  const at = lines.findIndex((line, index) => index > 0 && beginsBody(lines, line, index, block.closed));
  if (at === -1) return undefined;
  const text = lines.slice(0, at).join('');
  const repairs = new Set([...block.repairs, 'frontmatter-unclosed'] as const);
  return { ...block, text, bodyOffset: block.offset + text.length, repairs: [...repairs] };
}

function beginsBody(lines: readonly string[], line: string, index: number, closed: boolean): boolean {
  const isProse = !/^[\s#\]}"'-]/.test(line) && keyOf(line.trimEnd()) === undefined;
  // Inside closed fences only a blank line makes the difference between text that goes on and a body.
  if (isProse && !closed) return true;
  const isHeading = /^#{1,6} /.test(line);
  return (isHeading || isProse) && (lines[index - 1] ?? '').trim() === '';
}
