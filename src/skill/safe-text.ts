// Text that goes into every prompt: nothing in it may look like markup or hide from a reader.
import { findHidden, type Hidden } from '../base/text.ts';
import { type Findings, report } from './finding.ts';

const PLAIN = /^[\n\x20-\x7e]*$/;
const TAG = /<[/!?]?\p{L}[^<>]*>|<!--/u;

interface Blocks {
  readonly tags: boolean;
  readonly hidden: boolean;
}

/** Reports and refuses text that could be taken for markup, or that shows less than it says. */
export function isUnsafe(key: string, text: string, blocks: Blocks, findings: Findings): boolean {
  const tag = blocks.tags && text.includes('<') ? TAG.exec(text)?.[0] : undefined;
  if (tag !== undefined) {
    const message = `Remove the tag-shaped text from ${key}; write {word} for a placeholder.`;
    report(findings, 'error', `${key}-tag`, message, { key });
  }
  const hidden = blocks.hidden ? hiddenIn(key, text) : undefined;
  if (hidden !== undefined) {
    const message = `Remove the hidden character U+${hidden.toString(16).toUpperCase().padStart(4, '0')} from ${key}.`;
    report(findings, 'error', `${key}-hidden`, message, { key });
  }
  return tag !== undefined || hidden !== undefined;
}

function hiddenIn(key: string, text: string): number | undefined {
  // A name stands on one line.
  const lineBreak = key === 'name' ? text.search(/[\n\r\t]/) : -1;
  if (lineBreak !== -1) return text.charCodeAt(lineBreak);
  if (PLAIN.test(text)) return undefined;
  if (!text.isWellFormed()) return 0xfffd;
  return findHidden(text).find((hidden) => !joinsEmoji(text, hidden))?.codePoint;
}

// One picture made of several needs a joiner; that hides nothing.
function joinsEmoji(text: string, { codePoint, index }: Hidden): boolean {
  if (codePoint !== 0x200d) return false;
  const before = text.slice(Math.max(0, index - 4), index);
  return /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u.test(before) && isPicture(text.slice(index + 1));
}

function isPicture(text: string): boolean {
  return /^\p{Extended_Pictographic}/u.test(text);
}
