// The three tools that only read: which skills fit, what one says, and one of its files. Policy decides like for any read.
import path from 'node:path';
import { Fault } from '../../../base/errors.ts';
import { isHiddenIn } from '../../../base/hidden-files.ts';
import type { Text } from '../../../base/language.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { permitReading } from '../../../door/perform.ts';
import { loadBody, realFolderOf } from '../../../loader/body.ts';
import { loadResource } from '../../../loader/resource.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import { resolveSkill } from '../../../registry/resolve.ts';
import { isForModels } from '../../../registry/search/index.ts';
import type { Param } from '../../../skill/skill.ts';
import type { OpenDoor } from '../../open-door.ts';
import type { Runtime } from '../../runtime.ts';
import { type ToolInput, textIn } from './input.ts';

export interface Ground {
  readonly runtime: Runtime;
  readonly door: OpenDoor;
  /** Only these; all unless given. */
  readonly names: ReadonlySet<string> | undefined;
}

type Read = Readonly<Record<string, unknown>>;

const HITS = 8;
const SPEAKER = { agent: 'skills', surface: 'invoke' } as const;

/** The skills that a model may choose by itself. */
export function offeredSkills({ runtime, names }: Pick<Ground, 'runtime' | 'names'>): SkillEntry[] {
  return runtime.index().skills.filter((skill) => isForModels(skill) && (names?.has(skill.name) ?? true));
}

export async function searchSkills(input: ToolInput, { runtime, names }: Ground): Promise<Read> {
  const { limit = HITS } = input;
  const search = await runtime.searchIndex(runtime.index(), 'remembered');
  const accept = (skill: SkillEntry) => isForModels(skill) && (names?.has(skill.name) ?? true);
  const found = search.search(textIn(input, 'query') ?? '', { limit: Number(limit), accept });
  const skills = found.hits.map(({ skill, score }) => ({ name: skill.name, description: skill.description, score }));
  return { skills, abstained: found.abstained };
}

export async function loadSkill(input: ToolInput, ground: Ground): Promise<Read | Outcome> {
  const skill = findOffered(textIn(input, 'name') ?? '', ground);
  const file = path.basename(skill.file);
  const refused = await mayRead(skill, file, ground);
  if (refused) return refused;
  const body = loadBody(skill, { maxLines: ground.runtime.config.security.maxSkillBodyLines });
  const { kind, manifest, name, source } = skill;
  const { actions = [], params = [] } = manifest;
  return {
    ...{ name, source, kind, instructions: body.text, truncated: body.truncated },
    outline: body.outline.map(({ title }) => title),
    resources: body.resources.items.map((one) => one.path),
    ...(kind === 'protocol' && {
      actions: actions.map((one) => ({
        name: one.name,
        description: one.description ?? '',
        params: one.params.map(say),
      })),
    }),
    ...(kind === 'command' && { params: params.map(say) }),
  };
}

export async function readResource(input: ToolInput, ground: Ground): Promise<Read | Outcome> {
  const skill = findOffered(textIn(input, 'skill') ?? '', ground);
  const [file, section] = [textIn(input, 'path') ?? '', textIn(input, 'section')];
  refuseHidden(skill, file);
  const refused = await mayRead(skill, file, ground);
  if (refused) return refused;
  const maxLines = ground.runtime.config.security.maxSkillBodyLines;
  const loaded = loadResource(skill, file, { maxLines, ...(section !== undefined && { section }) });
  const { text, truncated, unknownSection } = loaded;
  return {
    ...{ path: loaded.path, text, truncated, outline: loaded.outline.map(({ title }) => title) },
    ...(unknownSection !== undefined && { unknownSection }),
  };
}

/** Throws a Fault with near names; what only people may choose is unknown here. */
export function findOffered(name: string, ground: Pick<Ground, 'runtime' | 'names'>): SkillEntry {
  const resolved = resolveSkill(ground.runtime.index(), name, {});
  if ('found' in resolved && isOffered(resolved.found, ground)) return resolved.found;
  const suggestions = 'missing' in resolved ? resolved.suggestions : [];
  throw new Fault('SkillNotFound', visible(name), {
    details: { suggestions },
    hint: unknownSkill(suggestions),
  });
}

/** The result of a tool carries the hint, not the details. */
function unknownSkill(near: readonly string[]): Text {
  const search = { en: '`search_skills` finds the skills there are.', zh: '`search_skills` 可查找现有技能。' };
  if (near.length === 0) return search;
  const names = near.map(visible).join(', ');
  return { en: `Did you mean ${names}? ${search.en}`, zh: `您是否想用 ${names}？${search.zh}` };
}

function isOffered({ manifest, name }: SkillEntry, { names }: Pick<Ground, 'names'>): boolean {
  return !manifest.disableModelInvocation && (names?.has(name) ?? true);
}

/** Secrets that somebody keeps beside a skill are not handed on, by this tool as little as by the Skills extension. */
function refuseHidden(skill: SkillEntry, file: string): void {
  if (!isHiddenIn(realFolderOf(skill), path.posix.normalize(file))) return;
  const shown = visible(file);
  throw new Fault('PathBlocked', { en: `${shown} is hidden`, zh: `${shown} 是隐藏文件` });
}

async function mayRead(skill: SkillEntry, file: string, { door }: Ground): Promise<Outcome | undefined> {
  door.requireUnchanged(skill, { file });
  return await permitReading(skill, file, door.context, door, SPEAKER);
}

function say({ name, type, required, description, enum: choices }: Param): Read {
  return {
    ...{ name, type, required },
    ...(description !== undefined && { description }),
    ...(choices && { enum: choices }),
  };
}
