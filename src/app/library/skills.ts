// Which skills there are, which fit a request, and what they say: the three layers of disclosure, for a model of one's own.
import type { Source } from '../../skill/skill.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';
import type { Handle } from './handle.ts';
import type {
  SkillCatalog,
  SkillInfo,
  SkillInstructions,
  SkillResource,
  SkillSearch,
  SkillsWish,
} from './public/skills.ts';
import { requireText } from './wrong-use.ts';

export async function listAll(handle: Handle, wish: SkillsWish = {}): Promise<SkillInfo[]> {
  const runtime = handle.begin();
  const { listWithRoles } = await import('../skill/list.ts');
  const { skills, nameOf } = await listWithRoles(runtime, wish);
  return skills.map((skill): SkillInfo => {
    const { source, kind, description, manifest, folder } = skill;
    const { version, actions = [] } = manifest;
    return {
      ...{ name: nameOf(skill), source, kind, description, folder },
      ...(version !== undefined && { version }),
      actions: actions.map(({ name }) => name),
    };
  });
}

export async function searchFor(
  handle: Handle,
  text: string,
  wish: { readonly limit?: number; readonly source?: Source } = {},
): Promise<SkillSearch> {
  requireText('text', text);
  const runtime = handle.begin();
  const { searchSkills } = await import('../skill/search.ts');
  const { hits, abstained } = await searchSkills(runtime, { query: text, ...wish });
  return { hits: hits.map(({ matched, ...hit }) => ({ ...hit, matched: [...matched] })), abstained };
}

/** Skills that are for people alone are left out. */
export async function catalogFor(
  handle: Handle,
  request: string | undefined,
  { tokens }: { readonly tokens?: number } = {},
): Promise<SkillCatalog> {
  const runtime = handle.begin();
  const { renderCatalog } = await import('../../loader/catalog.ts');
  const { skills } = runtime.index();
  const tokenBudget = tokens ?? runtime.config.budgets.catalogTokens;
  const all = renderCatalog(skills, { tokenBudget });
  const isWhole = !all.cut.some(({ why }) => why === 'budget');
  const shortlist = isWhole || request === undefined ? [] : await bestFor(request, runtime);
  const catalog = shortlist.length === 0 ? all : renderCatalog(skills, { tokenBudget, shortlist: () => shortlist });
  const left = catalog.cut.filter(({ why, shown }) => why === 'budget' && shown !== 'shortened');
  const nameOf = new Map(skills.map(({ skillId, name }) => [skillId, name]));
  return {
    text: catalog.text,
    tokens: catalog.tokens,
    left: left.map(({ skillId }) => nameOf.get(skillId) ?? skillId),
  };
}

async function bestFor(request: string, runtime: Runtime) {
  const search = await runtime.searchIndex(runtime.index(), 'remembered');
  return search.shortlist(request);
}

/** Throws a Fault with near names where there is no such skill. */
export async function readInstructions(
  handle: Handle,
  name: string,
  { source }: { readonly source?: Source } = {},
): Promise<SkillInstructions> {
  requireText('name', name);
  const runtime = handle.begin();
  const { loadBody } = await import('../../loader/body.ts');
  const skill = findSkill(runtime.index(), name, source);
  const body = loadBody(skill, { maxLines: runtime.config.security.maxSkillBodyLines });
  return {
    ...{ name: skill.name, source: skill.source, folder: skill.folder },
    ...{ text: body.text, truncated: body.truncated, outline: body.outline.map(({ title }) => title) },
    resources: body.resources.items.map(({ path }) => path),
  };
}

/** Throws a Fault with near names where there is no such skill or file. */
export async function readOneResource(
  handle: Handle,
  name: string,
  path: string,
  section?: string,
): Promise<SkillResource> {
  requireText('name', name);
  requireText('path', path);
  const runtime = handle.begin();
  const { loadResource } = await import('../../loader/resource.ts');
  const skill = findSkill(runtime.index(), name);
  const maxLines = runtime.config.security.maxSkillBodyLines;
  const loaded = loadResource(skill, path, { maxLines, ...(section !== undefined && { section }) });
  const { text, truncated, outline, unknownSection } = loaded;
  return {
    ...{ path: loaded.path, text, truncated, outline: outline.map(({ title }) => title) },
    ...(unknownSection !== undefined && { unknownSection }),
  };
}
