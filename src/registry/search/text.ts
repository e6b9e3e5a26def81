// Text of a skill besides its name and description, for the search index only: headings, first lines, example prompts.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isInside, realPath } from '../../base/paths.ts';
import { findFrontmatter } from '../../skill/read/frontmatter.ts';
import type { SkillAction } from '../../skill/skill.ts';
import { exampleFiles, readExamples } from './example.ts';

/** Where the files of a skill lie. */
export interface SearchPlace {
  readonly folder: string;
  readonly realFolder?: string;
  readonly file: string;
}

export interface SearchText {
  readonly headings: readonly string[];
  readonly bodyStart: string;
  readonly examples: readonly string[];
}

const FILE_LIMIT = 1024 * 1024;
const BODY_START = 2000;
const HEADINGS = 25;
const HEADING_LENGTH = 300;
const EXAMPLES = 50;
const EXAMPLE_LENGTH = 500;
// A pipe must not block us, and a link is checked before it is followed.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
// Comment lines at the start of a script, and the text in quotes or the block comment behind them.
const OPENING = /^(?:\s*(?:#|\/\/)[^\n]*\n)*\s*(?:("{3}|'{3})[\s\S]*?\1|\/\*[\s\S]*?\*\/)?/;
// A line that opens or closes a code block, or a heading; and the characters such a line can start with.
const MARK = /^ {0,3}(?:(`{3,}|~{3,})[^`]*|#{1,6}[ \t]+(\S[^\n]*))$/;
const BEGINNING = new Set(Array.from(' `~#', (character) => character.charCodeAt(0)));

/** Never throws: an unreadable file adds nothing. */
export function readSearchText(skill: SearchPlace): SearchText {
  const body = withoutFrontmatter(readInside(skill, skill.file) ?? '');
  const files = exampleFiles(skill.realFolder ?? skill.folder);
  const examples = files.flatMap((file) => readExamples(readInside(skill, file) ?? ''));
  return {
    headings: findHeadings(body),
    bodyStart: body.slice(0, BODY_START),
    examples: examples.slice(0, EXAMPLES).map((example) => example.slice(0, EXAMPLE_LENGTH)),
  };
}

/** Of a single script of a role: its opening comment, and what agent.yaml says of its actions. */
export function readScriptText(skill: SearchPlace, actions: readonly SkillAction[] = []): SearchText {
  const [opening = ''] = OPENING.exec((readInside(skill, skill.file) ?? '').slice(0, BODY_START)) ?? [];
  const said = actions.map(({ description = '' }) => description);
  return { headings: actions.map(({ name }) => name), bodyStart: [opening, ...said].join('\n'), examples: [] };
}

function withoutFrontmatter(text: string): string {
  return text.slice(findFrontmatter(text)?.bodyOffset ?? 0).trimStart();
}

function findHeadings(body: string): string[] {
  const headings: string[] = [];
  let fence = '';
  for (let start = 0, end = 0; start < body.length && headings.length < HEADINGS; start = end + 1) {
    end = body.indexOf('\n', start);
    if (end < 0) end = body.length;
    if (!BEGINNING.has(body.charCodeAt(start)) || end - start > HEADING_LENGTH) continue;
    const [, mark = '', title = ''] = MARK.exec(body.slice(start, end)) ?? [];
    if (fence !== '') fence = mark !== '' && mark.startsWith(fence) ? '' : fence;
    else if (mark !== '') fence = mark;
    else if (title !== '') headings.push(title.replace(/[ \t#\r]+$/, ''));
  }
  return headings;
}

const buffer = Buffer.allocUnsafe(FILE_LIMIT);

/** The text of a regular file in the skill's folder; one buffer serves all files. */
function readInside(skill: SearchPlace, file: string): string | undefined {
  const descriptor = openInside(skill.realFolder ?? skill.folder, file);
  if (descriptor === undefined) return undefined;
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    let length = 0;
    for (let read = -1; read !== 0 && length < FILE_LIMIT; length += read) {
      read = readSync(descriptor, buffer, length, FILE_LIMIT - length, null);
    }
    return buffer.toString('utf8', 0, length);
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function openInside(folder: string, file: string): number | undefined {
  return tryOpen(file) ?? openLinked(folder, file);
}

/** The link was checked when the skill was found; it is checked again, as its target may have changed. */
function openLinked(folder: string, file: string): number | undefined {
  const target = realPath(file);
  const real = realPath(folder);
  return target !== undefined && real !== undefined && isInside(real, target) ? tryOpen(target) : undefined;
}

function tryOpen(file: string): number | undefined {
  try {
    return openSync(file, OPEN_FLAGS);
  } catch {
    return undefined;
  }
}
