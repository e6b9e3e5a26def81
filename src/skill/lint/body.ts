// The text below the frontmatter: its length, hidden characters, links, and the sections the strict profile requires.
import { findHidden, type HiddenKind, visible } from '../../base/text.ts';
import { type Findings, report } from '../finding.ts';
import { splitLines } from '../read/entry.ts';
import { countLines } from '../read/fence.ts';
import type { Profile } from '../skill.ts';

interface Body {
  readonly body: string;
  /** The line of the file it begins on. */
  readonly line: number;
}

interface BodyOptions {
  readonly profile: Profile;
  readonly maxBodyLines: number;
  readonly files?: readonly string[];
}

export function lintBody(
  { body, line }: Body,
  { profile, maxBodyLines, files }: BodyOptions,
  findings: Findings,
): void {
  const lines = countLines(body.trim()) + 1;
  if (lines > maxBodyLines) {
    const message = {
      en: `Move parts of the body into files of their own: ${lines} lines, more than ${maxBodyLines}.`,
      zh: `请将部分正文移入单独的文件: 共 ${lines} 行，超过 ${maxBodyLines} 行。`,
    };
    report(findings, profile === 'strict' ? 'error' : 'warning', 'body-long', message, { line: line + maxBodyLines });
  }
  lintHidden(body, line, findings);
  lintCommands(body, line, findings);
  if (files !== undefined) lintReferences(body, line, withFolders(files), findings);
}

// Text that shows another order or none at all is never innocent; a stray joiner often is.
const BLOCKED: ReadonlySet<HiddenKind> = new Set(['bidi', 'tag']);

function lintHidden(body: string, line: number, findings: Findings): void {
  const seen = new Set<HiddenKind>();
  for (const { kind, index, codePoint } of findHidden(body)) {
    if (seen.has(kind)) continue;
    seen.add(kind);
    const first = `\\u{${codePoint.toString(16)}}`;
    const message = {
      en: `Remove the hidden characters (${kind}), the first one is ${first}.`,
      zh: `请删除隐藏字符（${kind}），第一个是 ${first}。`,
    };
    const place = { line: line + countLines(body.slice(0, index)), column: columnOf(body, index) };
    report(findings, BLOCKED.has(kind) ? 'error' : 'warning', 'body-hidden', message, place);
  }
}

// Other agents run such text before the model reads it.
const EMBEDDED = /(?<![\w!`])!`([^`\n]{1,200})`/;

function lintCommands(body: string, line: number, findings: Findings): void {
  const found = EMBEDDED.exec(body);
  if (!found) return;
  const shown = visible(found[1] ?? '');
  const message = {
    en: `Say in words what to run: the text !\`${shown}\` is shown as it is, never executed.`,
    zh: `请用文字说明要运行什么: !\`${shown}\` 原样显示，绝不执行。`,
  };
  report(findings, 'warning', 'body-command', message, { line: line + countLines(body.slice(0, found.index)) });
}

const REFERENCE = /\]\(([^()\s]{1,200})\)|`((?:\.\/)?(?:scripts|references?|assets)\/[^`\s]{1,200})`/g;
const REPORTED = 20;

function lintReferences(body: string, line: number, files: ReadonlySet<string>, findings: Findings): void {
  const missing = new Map<string, number>();
  for (const match of body.matchAll(REFERENCE)) {
    const file = toFile(match[1] ?? match[2] ?? '');
    if (file !== undefined && !files.has(file.replace(/\/$/, '')) && !missing.has(file)) missing.set(file, match.index);
  }
  for (const [file, index] of [...missing].slice(0, REPORTED)) {
    const shown = visible(file);
    const message = {
      en: `Add ${shown} or correct the path; the skill has no such file.`,
      zh: `请添加 ${shown} 或修正路径；技能中没有此文件。`,
    };
    report(findings, 'info', 'reference-missing', message, { line: line + countLines(body.slice(0, index)) });
  }
}

function toFile(reference: string): string | undefined {
  const file = reference.replace(/[#?].*$/, '').replace(/^\.\//, '');
  return file === '' || /^[a-z][a-z0-9+.-]*:|^[/~$]|^\.\.|[*{}<>]/i.test(file) ? undefined : file;
}

function withFolders(files: readonly string[]): Set<string> {
  const paths = new Set(files);
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) paths.add(file.slice(0, end));
  }
  return paths;
}

const SECTIONS: readonly (readonly [name: string, shape: RegExp])[] = [
  ['Goal', /^goals?\b|目标|目的/i],
  ['IO Contract', /^i\/?o\b|input.*output|输入.*输出/i],
  ['Steps', /^steps?\b|步骤/i],
  ['Failure Modes', /^failures?\b|失败|故障/i],
  ['Checklist', /^check ?list\b|自检|验收|检查清单/i],
  ['Resources', /^resources?\b|资源/i],
];

export function lintSections(body: string, findings: Findings): void {
  const headings = splitLines(body)
    .filter((line) => line.startsWith('#'))
    .map((line) => line.slice(0, 200).replace(/^#+[ \t]*(?:[\d.]+[.)、]?[ \t]*)?/, ''));
  const missing = SECTIONS.filter(([, shape]) => !headings.some((heading) => shape.test(heading)));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  // Advice: hardly any public skill has them all.
  const message = { en: `Add sections: ${names.join(', ')}.`, zh: `请添加章节: ${names.join('、')}。` };
  report(findings, 'info', 'section-missing', message);
}

function columnOf(text: string, index: number): number {
  return index - text.lastIndexOf('\n', index - 1);
}
