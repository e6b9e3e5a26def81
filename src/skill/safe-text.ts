// Text that goes into every prompt: nothing in it may pass for somebody else's words or hide from a reader.
import { findHidden, type Hidden, truncate, visible } from '../base/text.ts';
import { type Findings, report } from './finding.ts';
import { findRoleTag } from './role-tag.ts';

const PLAIN = /^[\n\x20-\x7e]*$/;
const TAG = /<[/!?]?\p{L}[^<>]*>/u;
// Enough to find it again.
const QUOTED = 60;

/** Reports markup; refuses text that could be taken for somebody else's words, or that shows less than it says. */
export function isUnsafe(key: string, text: string, blocksTags: boolean, findings: Findings): boolean {
  const isRefused = blocksTags && hasRefusedTag(key, text, findings);
  const hidden = hiddenIn(key, text);
  if (hidden !== undefined) {
    const shown = `U+${hidden.toString(16).toUpperCase().padStart(4, '0')}`;
    const message = {
      en: `Remove the hidden character ${shown} from ${key}.`,
      zh: `请从 ${key} 中删除隐藏字符 ${shown}。`,
    };
    report(findings, 'error', `${key}-hidden`, message, { key });
  }
  return isRefused || hidden !== undefined;
}

/** Only what could pass for somebody else's words is refused in a description; a name needs no tag at all. */
function hasRefusedTag(key: string, text: string, findings: Findings): boolean {
  const role = findRoleTag(text);
  if (role !== undefined) {
    const quoted = quoteText(role.text);
    const message = {
      en: `Remove ${quoted} from ${key}: it ${role.reason.en}.`,
      zh: `请从 ${key} 中删除 ${quoted}: 它${role.reason.zh}。`,
    };
    report(findings, 'error', `${key}-tag`, message, { key });
    return true;
  }
  const tag = text.includes('<') ? TAG.exec(text)?.[0] : undefined;
  if (tag === undefined) return false;
  const quoted = quoteText(tag);
  if (key === 'name') {
    const message = { en: `Remove ${quoted} from name.`, zh: `请从 name 中删除 ${quoted}。` };
    report(findings, 'error', 'name-tag', message, { key });
    return true;
  }
  const message = {
    en: `Write {word} instead of ${quoted} in ${key}; it is shown as text, never as a tag.`,
    zh: `请在 ${key} 中用 {word} 代替 ${quoted}；它按文本显示，不作为标签。`,
  };
  report(findings, 'warning', `${key}-markup`, message, { key });
  return false;
}

function quoteText(text: string): string {
  return `"${truncate(visible(text), QUOTED)}"`;
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
