// Level 3 of disclosure: exactly one named text file of a skill, or one section of it.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { nearest, visible } from '../base/text.ts';
import type { SkillArguments } from './argument.ts';
import { BODY_LINES, fillFor, readBodyText, realFolderOf, type SkillPlace, withoutFrontmatter } from './body.ts';
import type { Section } from './heading.ts';
import { fold, readSection, toLines } from './outline.ts';
import { type CleanText, clean, decodeText, type ReadOptions, readBytes } from './read-text.ts';
import { listResources, type ResourceKind, resourceKind } from './resource-list.ts';

export interface ResourceOptions extends ReadOptions {
  readonly section?: string;
  readonly maxLines?: number;
  readonly arguments?: SkillArguments;
}

export interface LoadedResource {
  readonly path: string;
  readonly kind: ResourceKind;
  /** Empty when the section is unknown: then the outline lists what there is. */
  readonly text: string;
  readonly section?: Section;
  readonly unknownSection?: string;
  readonly truncated: boolean;
  readonly totalLines: number;
  /** Parts that were left out, each readable by its title. */
  readonly outline: readonly Section[];
  readonly removed: number;
}

export function loadResource(skill: SkillPlace, relativePath: string, options: ResourceOptions = {}): LoadedResource {
  const { text, removed } = readText(skill, relativePath, options);
  const lines = toLines(text, isMarkdown(relativePath));
  const common = { path: relativePath, kind: resourceKind(relativePath), totalLines: lines.lines.length, removed };
  const maxLines = options.maxLines ?? BODY_LINES;
  const fill = (folded: ReturnType<typeof fold>) => ({ ...folded, text: fillFor(skill, folded.text, options) });
  // Only texts for a reader have placeholders: `$1` in a script is the script's own.
  const shown = isForReader(relativePath) ? fill : (folded: ReturnType<typeof fold>) => folded;
  if (options.section === undefined) return { ...common, ...shown(fold(lines, maxLines)) };
  const found = readSection(lines, options.section);
  if ('section' in found) return { ...common, section: found.section, ...shown(fold(lines, maxLines, found.section)) };
  return { ...common, text: '', unknownSection: options.section, truncated: true, outline: found.outline };
}

function readText(skill: SkillPlace, relativePath: string, options: ResourceOptions): CleanText {
  const name = relativePath.replace(/^(?:\.\/)+/, '');
  // Frontmatter holds fields a model never sees, so a SKILL.md is read as a body here too.
  if (name === path.basename(skill.file)) return readBodyText(skill, options);
  try {
    const text = decodeText(readBytes(realFolderOf(skill), relativePath, options), relativePath);
    return clean(/(?:^|\/)skill\.md$/i.test(name) ? withoutFrontmatter(text) : text);
  } catch (error) {
    throw withSuggestions(error, skill, relativePath);
  }
}

export function isMarkdown(relativePath: string): boolean {
  return /\.(?:md|mdx|markdown|mkd)$/i.test(relativePath);
}

function isForReader(relativePath: string): boolean {
  return isMarkdown(relativePath) || /\.(?:txt|rst|adoc|org)$/i.test(relativePath);
}

/** For a file that does not exist: names similar ones. */
function withSuggestions(error: unknown, skill: SkillPlace, relativePath: string): unknown {
  if (!(error instanceof Fault) || error.type !== 'DataNotFound') return error;
  const names = listResources(skill).items.map((item) => item.path);
  const near = nearest(relativePath, names);
  const suggestions = (near.length > 0 ? near : names.slice(0, 10)).map(visible);
  if (suggestions.length === 0) return error;
  const list = suggestions.join(', ');
  const hint = { en: `The skill has: ${list}`, zh: `该技能有: ${list}` };
  return new Fault('DataNotFound', error.detail, { hint, details: { suggestions }, cause: error.cause });
}
