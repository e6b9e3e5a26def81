// Level 2 of disclosure: the body of a chosen skill, without its frontmatter, cleaned and bounded.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { readFrontmatter } from '../skill/read/frontmatter.ts';
import type { Source } from '../skill/skill.ts';
import type { SkillArguments } from './argument.ts';
import type { Section } from './heading.ts';
import { fold, toLines } from './outline.ts';
import { fillPlaceholders } from './placeholder.ts';
import { type CleanText, clean, type ReadOptions, readBytes } from './read-text.ts';
import { listResources, type ResourceList } from './resource-list.ts';

/** What the loader needs to know about a skill. */
export interface SkillPlace {
  readonly name: string;
  readonly source: Source;
  readonly folder: string;
  /** The real path of the folder, when it was reached through a link. */
  readonly realFolder?: string;
  readonly file: string;
}

export interface BodyOptions extends ReadOptions {
  readonly maxLines?: number;
  readonly arguments?: SkillArguments;
}

export interface Body {
  readonly name: string;
  readonly source: Source;
  readonly folder: string;
  readonly text: string;
  readonly truncated: boolean;
  readonly totalLines: number;
  /** What was left out; each part can be read by its title. */
  readonly outline: readonly Section[];
  readonly resources: ResourceList;
  /** The number of invisible characters removed. */
  readonly removed: number;
}

export const BODY_LINES = 500;

export function loadBody(skill: SkillPlace, options: BodyOptions = {}): Body {
  const { text, removed } = readBodyText(skill, options);
  const lines = toLines(text, true);
  const folded = fold(lines, options.maxLines ?? BODY_LINES);
  return {
    name: skill.name,
    source: skill.source,
    folder: skill.folder,
    ...folded,
    text: fillFor(skill, folded.text, options),
    totalLines: lines.lines.length,
    resources: listResources(skill, options),
    removed,
  };
}

/** The whole body, with the line numbers used in outlines. */
export function readBodyText(skill: SkillPlace, options: ReadOptions): CleanText {
  const bytes = readBytes(realFolderOf(skill), skillFileName(skill), options);
  // Invalid bytes become replacement characters: the instructions around them are still worth reading.
  const body = withoutFrontmatter(new TextDecoder().decode(bytes));
  return clean(body);
}

/** As the index read it, so that both agree on where a repaired frontmatter ends. */
export function withoutFrontmatter(text: string): string {
  const { block } = readFrontmatter(text, '');
  return text.slice(block?.bodyOffset ?? 0).replace(/^(?:[ \t]*\r?\n)+/, '');
}

export function realFolderOf(skill: Pick<SkillPlace, 'folder' | 'realFolder'>): string {
  return skill.realFolder ?? skill.folder;
}

/** SKILL.md may be a link to another file of the skill; its target is checked like any other path. */
function skillFileName(skill: SkillPlace): string {
  const folder = realPath(realFolderOf(skill));
  const file = realPath(skill.file);
  if (folder === undefined || file === undefined) throw new Fault('MetadataMissing', visible(skill.file));
  return path.relative(folder, file).replaceAll(path.sep, '/');
}

/** The text of a skill with its folder and what was written behind its name. */
export function fillFor({ folder }: SkillPlace, text: string, options: Pick<BodyOptions, 'arguments'>): string {
  return fillPlaceholders(text, { skillFolder: folder, ...(options.arguments && { arguments: options.arguments }) });
}
