// The parts of a request besides its prose: assignments, quotations, addresses and files. Recognised parts are removed from the text.
import type { Language } from '../../base/language.ts';
import type { ProjectFiles } from './project.ts';

export interface FillSource {
  readonly text: string;
  /** The text after the name of the skill, where it was written as an address. */
  readonly behind?: string;
  readonly project: ProjectFiles;
  /** Files that the previous skill wrote. */
  readonly results: readonly string[];
  readonly language: Language;
}

export interface Piece {
  readonly text: string;
  /** The words before it, which may say what it is. */
  readonly before: string;
}

export interface FilePiece extends Piece {
  readonly isThere: boolean;
  /** An output: "to x", "save as x". */
  readonly isTarget: boolean;
}

export interface Material {
  readonly assigned: ReadonlyMap<string, string>;
  readonly quoted: readonly Piece[];
  readonly urls: readonly string[];
  readonly emails: readonly string[];
  readonly files: readonly FilePiece[];
  /** The request with spaces in place of removed parts. */
  readonly prose: string;
}

/** Beyond this a request is material itself. */
const LONGEST = 20_000;
const CONTEXT = 40;
const QUOTED = String.raw`"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|\x60[^\x60\n]*\x60|(?<![\w'])'[^'\n]*'(?!\w)`;
const URLS = /https?:\/\/[^\s"'<>“”「」，。；、）)\]]+/gi;
const EMAILS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const ASSIGNED = new RegExp(
  String.raw`(?<![\w./-])(?:--)?(?<key>[\p{L}_][\p{L}\p{N}_-]{0,63})=(?<value>${QUOTED}|\S+?(?=[,，;；。]?(?:\s|$)))`,
  'gu',
);
const OPTION = new RegExp(String.raw`(?<![\w-])--(?<key>[a-z][\w-]*)(?:\s+(?<value>${QUOTED}|[^\s-]\S*))?`, 'gi');
const FOLDER = /(?<name>[\p{L}\p{N}_.~/-]{1,255}?)\s*(?:\b(?:folder|directory)\b|目录|文件夹)/giu;
const FILE =
  /[\p{L}\p{N}_~@+][\p{L}\p{N}_~@+./-]{0,255}?\.[a-z][a-z0-9]{0,7}(?![a-z0-9_])|[\w.~@+-]{0,255}(?:\/[\w.~@+-]{1,255}){1,64}\/?|[\w.~@+-]{1,255}\//giu;
const TARGET =
  /(?:\b(?:to|into|as|saved? (?:it |them )?(?:to|in|as))|到|至|成|为|写入|存入)\s*(?:the\s+|a\s+)?(?:file|folder|文件|目录)?\s*["“'`「]?$/i;

/** "生成 x 的报告", "为 x 生成报告": what the work is about, although the same words also name a result. */
const ABOUT = [
  { before: /生成\s*["“'`「]?$/, after: /^["”'`」]?\s*的/ },
  {
    before: /(?<![转换存出改名变作写译件])为\s*["“'`「]?$/,
    after: /^["”'`」]?[^,，;；。\n]{0,20}?(?:生成|制作|创建|编|撰|写|做)/,
  },
];

export function readMaterial(request: string, { exists }: Pick<ProjectFiles, 'exists'>): Material {
  const text = request.slice(0, LONGEST);
  const textBefore = (at: number) => text.slice(Math.max(0, at - CONTEXT), at);
  const remaining = new Remainder(text);
  const urls = remaining.take(URLS, (match) => match[0].replace(/[.,;:!?]+$/, ''));
  const assigned = new Map<string, string>();
  for (const form of [ASSIGNED, OPTION])
    remaining.take(form, ({ groups }) => {
      assigned.set(groups?.key ?? '', unquote(groups?.value ?? 'true'));
      return groups?.key;
    });
  const emails = remaining.take(EMAILS, ([address]) => address);
  const quoted: Piece[] = [];
  const files: (FilePiece & { at: number })[] = [];
  const addFile = (written: string, at: number) => {
    const before = textBefore(at);
    const after = text.slice(text.indexOf(written, at) + written.length).slice(0, CONTEXT);
    const isAbout = ABOUT.some((form) => form.before.test(before) && form.after.test(after));
    files.push({ text: written, before, isThere: exists(written), isTarget: TARGET.test(before) && !isAbout, at });
  };
  remaining.take(new RegExp(QUOTED, 'gu'), (match) => {
    const inside = unquote(match[0]);
    if (exists(inside) || isFileName(inside)) addFile(inside, match.index);
    else quoted.push({ text: inside, before: textBefore(match.index) });
    return inside;
  });
  remaining.take(FILE, (match) => {
    const end = match.index + match[0].length;
    const found = withWordsBefore(text.slice(0, end), match[0], exists) ?? longestFile(match[0], exists);
    addFile(found, match.index + match[0].length - found.length);
    return exists(found) || TARGET.test(textBefore(match.index + match[0].length - found.length)) ? found : undefined;
  });
  remaining.take(FOLDER, ({ groups, index }) => {
    const name = groups?.name ?? '';
    if (exists(name)) addFile(name, index);
    return exists(name) ? name : undefined;
  });
  const inOrder = files.toSorted((a, b) => a.at - b.at).map(({ at: _place, ...file }) => file);
  return { assigned, quoted, urls, emails, files: inOrder, prose: remaining.text };
}

/** Text from which parts are taken, each at most once. */
class Remainder {
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What `read` recognises is replaced by spaces. */
  take<T>(pattern: RegExp, read: (match: RegExpExecArray) => T | undefined): T[] {
    const taken: T[] = [];
    for (const match of [...this.text.matchAll(pattern)]) {
      const value = read(match);
      if (value === undefined) continue;
      taken.push(value);
      const end = match.index + match[0].length;
      this.text = this.text.slice(0, match.index) + ' '.repeat(match[0].length) + this.text.slice(end);
    }
    return taken;
  }
}

/** Chinese puts no space before a file name: of the possible beginnings the first that names a file is used. */
function longestFile(written: string, exists: (written: string) => boolean): string {
  const run = written.replace(/\.+$/, '');
  const starts = [0, ...Array.from(run.matchAll(/[^\x20-\x7e]/g), ({ index }) => index + 1)];
  const found = starts.map((start) => run.slice(start)).find((candidate) => exists(candidate));
  const tail = /[\x21-\x7e]+$/.exec(run)?.[0];
  // What is left of 文档.md is no name.
  return found ?? (tail?.startsWith('.') && !tail.includes('/') ? run : (tail ?? run));
}

/** "my notes.md" without quotes: of the words before it as many as name a file together. */
function withWordsBefore(before: string, written: string, exists: (written: string) => boolean): string | undefined {
  if (exists(written)) return undefined;
  const words = /(?:[^\s"“”'`「」『』]+ ){1,4}$/.exec(before.slice(0, before.length - written.length))?.[0];
  if (words === undefined) return undefined;
  const starts = Array.from(words, (_, at) => at).filter((at) => at === 0 || /[^a-z0-9_-]/i.test(words[at - 1] ?? ''));
  return starts.map((at) => words.slice(at) + written).find((candidate) => exists(candidate));
}

function isFileName(text: string): boolean {
  return /^[\w.~@+/-]*\w\.[a-z][a-z0-9]{0,7}$/i.test(text);
}

function unquote(text: string): string {
  return /^["“「『`'].*["”」』`']$/s.test(text) ? text.slice(1, -1) : text;
}
