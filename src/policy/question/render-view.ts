// What a call will do, in lines for people: a write as its diff, a deletion with what is lost, a script with where it comes from.
import { sha256 } from '../../base/ids.ts';
import type { Text } from '../../base/language.ts';
import { counted } from '../../base/text/counted.ts';
import { findHidden, visible } from '../../base/text.ts';
import type {
  CallView,
  DeleteView,
  MoveView,
  RequestView,
  ScriptView,
  ServerView,
  TextHead,
  TextSize,
  WriteView,
} from '../../tools/call-view.ts';

type Say = (text: Text) => string;

/** As many lines as leave the question itself on a screen. */
const SHOWN_LINES = 20;
const SHOWN_OF_SCRIPT = 8;
const WORD_LIMIT = 2000;

export function viewLines(view: CallView, say: Say): string[] {
  switch (view.kind) {
    case 'write':
      return writeLines(view, say);
    case 'delete':
      return deleteLines(view, say);
    case 'move':
      return moveLines(view, say);
    case 'request':
      return requestLines(view, say);
    case 'script':
      return scriptLines(view, say);
    case 'shell':
      return [
        ...numbered(view.head.lines),
        ...moreLines({ lines: [], more: view.head.more }, 0, say),
        ...hiddenIn(view.head.lines.map(withoutTabs), say),
      ];
    case 'words':
      return wordLines(view.words, say);
    case 'server':
      return serverLines(view, say);
  }
}

/** What a server says of itself stands apart, so that nobody takes it for a word of ours. */
function serverLines({ server, tool, definition, head, annotations, words }: ServerView, say: Say): string[] {
  const name = visible(tool);
  const whose = {
    en: `tool ${name} of the server ${server}, which says of it:`,
    zh: `服务器 ${server} 的工具 ${name}，其自述:`,
  };
  return [
    `  ${say(whose)}`,
    ...block(prefixed(head, '| '), SHOWN_OF_SCRIPT, say),
    ...(annotations === undefined ? [] : [`    | ${annotations.slice(0, WORD_LIMIT)}`]),
    `  ${say({ en: 'as defined by', zh: '定义' })} ${definition.slice(0, 19)}`,
    ...wordLines(words, say),
  ];
}

function writeLines({ path, before, after, diff }: WriteView, say: Say): string[] {
  const name = visible(path);
  const size = sayText(say, after);
  const first = before
    ? say({
        en: `overwrites ${name} (${sayText(say, before)} → ${size})`,
        zh: `覆盖 ${name}（${sayText(say, before)} → ${size}）`,
      })
    : say({ en: `new file ${name} (${size})`, zh: `新文件 ${name}（${size}）` });
  if (!diff) return [`  ${first}`, `    ${say({ en: 'what is there now is no text', zh: '现有内容不是文本' })}`];
  if (before && diff.lines.length === 0)
    return [`  ${first}`, `    ${say({ en: 'nothing in it changes', zh: '内容没有变化' })}`];
  return [`  ${first}`, ...block(diff, SHOWN_LINES, say)];
}

function deleteLines({ path, size, head }: DeleteView, say: Say): string[] {
  const name = visible(path);
  const lost = sayText(say, size);
  const first = say({ en: `deletes ${name} (${lost}); this is lost:`, zh: `删除 ${name}（${lost}）；以下内容将丢失:` });
  return [`  ${first}`, ...block(prefixed(head, '-'), SHOWN_LINES, say)];
}

function moveLines({ from, to, size, replaces }: MoveView, say: Say): string[] {
  const lost = replaces && sayText(say, replaces);
  return [
    `  ${say({ en: 'moves', zh: '移动' })} ${visible(from)} (${sayText(say, size)})`,
    `  ${say({ en: 'to', zh: '到' })} ${visible(to)}`,
    ...(lost === undefined
      ? []
      : [`  ${say({ en: `overwrites what is there (${lost})`, zh: `覆盖已有的文件（${lost}）` })}`]),
  ];
}

function requestLines({ method, host, url, headers, body }: RequestView, say: Say): string[] {
  const sent = body && sayText(say, body.size);
  return [
    `  ${visible(method)} ${say({ en: 'to', zh: '发往' })} ${visible(host)}`,
    `  ${visible(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  ${visible(`${name}: ${value}`)}`),
    sent === undefined
      ? `  ${say({ en: 'sends nothing but the address', zh: '除地址外不发送内容' })}`
      : `  ${say({ en: `sends ${sent}:`, zh: `发送 ${sent}:` })}`,
    ...(body ? block(body.head, SHOWN_LINES, say) : []),
  ];
}

function scriptLines({ path, source, folder, sha256: hash, size, head, words }: ScriptView, say: Say): string[] {
  const from = say({ en: `${source}, in ${folder}`, zh: `${source}，位于 ${folder}` });
  return [
    ...wordLines(words, say),
    `  ${say({ en: 'from', zh: '来自' })} ${visible(from)}`,
    `  ${visible(path)}: ${sayText(say, size)}, sha256 ${hash.slice(0, 12)}`,
    ...block(head, SHOWN_OF_SCRIPT, say),
  ];
}

/** One word a line, so that nothing can look like the next one. */
export function wordLines(words: readonly string[], say: Say): string[] {
  return [...words.map((word, index) => `  ${index + 1}: ${showWord(word, say)}`), ...hiddenIn(words, say)];
}

/** Says how many characters stand there as escapes. */
function hiddenIn(texts: readonly string[], say: Say): string[] {
  const hidden = texts.reduce((sum, text) => sum + findHidden(text).length + (text.match(/[\n\r\t]/g)?.length ?? 0), 0);
  const notice = {
    en: `${counted(hidden, 'hidden character')}, shown as \\n or \\u{…}`,
    zh: `${hidden} 个隐藏字符，以 \\n 或 \\u{…} 显示`,
  };
  return hidden === 0 ? [] : [`  ${say(notice)}`];
}

// A long word is cut in sight of the reader, and named by its hash so that two can be told apart.
function showWord(word: string, say: Say): string {
  if (word.length <= WORD_LIMIT) return visible(word) === '' ? "''" : visible(word);
  const rest = word.length - WORD_LIMIT;
  const more = { en: counted(rest, 'more character'), zh: `另有 ${rest} 个字符` };
  return `${visible(word.slice(0, WORD_LIMIT))}… [${say(more)}, sha256 ${sha256(word).slice(0, 12)}]`;
}

/** Indented further than any fact, so that no line of a file can pass for one. */
function block(head: TextHead, most: number, say: Say): string[] {
  return [...head.lines.slice(0, most).map((line) => `    ${showLine(line)}`), ...moreLines(head, most, say)];
}

function moreLines({ lines, more }: TextHead, most: number, say: Say): string[] {
  const left = Math.max(0, lines.length - most) + more;
  return left === 0 ? [] : [`    ${say({ en: `… ${counted(left, 'more line')}`, zh: `… 另有 ${left} 行` })}`];
}

function numbered(lines: readonly string[]): string[] {
  const width = String(lines.length).length;
  return lines.map((line, at) => `  ${String(at + 1).padStart(width)} | ${showLine(line)}`);
}

function prefixed({ lines, more }: TextHead, sign: string): TextHead {
  return { lines: lines.map((line) => `${sign}${line}`), more };
}

/** Tabs are blanks to whoever reads code; everything else that a terminal obeys is shown. */
function showLine(line: string): string {
  return visible(withoutTabs(line));
}

function withoutTabs(line: string): string {
  return line.replaceAll('\t', '    ');
}

function sayText(say: Say, { bytes, lines }: TextSize): string {
  const size = bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
  if (lines === undefined) return size;
  return say({ en: `${counted(lines, 'line')}, ${size}`, zh: `${lines} 行，${size}` });
}
