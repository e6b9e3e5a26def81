// Level 1 of disclosure: the list of skills a model always sees, within a budget, and what had to be left out.
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { Manifest, Source } from '../skill/skill.ts';
import type { SkillId } from '../skill/skill-id.ts';
import { estimateTokens, weigh } from './tokens.ts';

/** What the catalog needs to know about a skill of the index. */
export interface CatalogEntry {
  readonly skillId: SkillId;
  readonly name: string;
  readonly source: Source;
  readonly state: 'visible' | 'shadowed';
  readonly manifest: Pick<Manifest, 'description' | 'disableModelInvocation'>;
}

export interface CatalogOptions {
  readonly tokenBudget?: number;
  /** The router's choice for this request, best first, as skill ids; called only when not everything fits. */
  readonly shortlist?: () => readonly SkillId[];
}

export interface Cut {
  readonly skillId: SkillId;
  /** What the model still sees of it. */
  readonly shown: 'shortened' | 'name' | 'nothing';
  readonly why: 'budget' | 'not-for-models' | 'shadowed';
}

export interface Catalog {
  readonly text: string;
  readonly tokens: number;
  readonly full: number;
  readonly cut: readonly Cut[];
  /** The skill ids it shows, and whether with a description. */
  readonly shown: ReadonlyMap<SkillId, 'described' | 'name'>;
}

interface Line {
  readonly entry: CatalogEntry;
  readonly whole: string;
  readonly short: string;
  readonly name: string;
}

type Shown = 'whole' | 'short' | 'name';

export const CATALOG_TOKENS = 2000;
/** Above the budget, no single description takes more than this. */
const DESCRIPTION_TOKENS = 200;
const OPENING = '<skills>\n';
const CLOSING = '</skills>\n';

export function renderCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  const budget = options.tokenBudget ?? CATALOG_TOKENS;
  const offered = entries.filter((entry) => withheld(entry) === undefined);
  const lines = offered.map(toLine);
  const plan = planAll(lines, budget) ?? planWithin(lines, budget, options.shortlist?.() ?? []);
  const text = lines.length === 0 ? '' : render(lines, plan);
  return {
    text,
    tokens: estimateTokens(text),
    full: lines.filter((line) => plan.get(line) === 'whole').length,
    cut: [...entries.flatMap(reportWithheld), ...lines.flatMap((line) => reportCut(line, plan.get(line)))],
    shown: new Map([...plan].map(([{ entry }, how]) => [entry.skillId, how === 'name' ? 'name' : 'described'])),
  };
}

/** One sentence for people; undefined when the model sees everything. */
export function describeCut(catalog: Catalog, budget = CATALOG_TOKENS): Text | undefined {
  const byBudget = catalog.cut.filter(({ why }) => why === 'budget');
  if (byBudget.length === 0) return undefined;
  const total = (shown: Cut['shown']) => byBudget.filter((cut) => cut.shown === shown).length;
  const [short, name, nothing] = [total('shortened'), total('name'), total('nothing')];
  return {
    en: `catalog of ${budget} tokens: ${catalog.full} skills in full, ${short} shortened, ${name} by name, ${nothing} only by search`,
    zh: `目录上限 ${budget} 词元: 完整 ${catalog.full} 个, 缩短 ${short} 个, 仅名称 ${name} 个, 仅可搜索 ${nothing} 个`,
  };
}

function planAll(lines: readonly Line[], budget: number): Map<Line, Shown> | undefined {
  const weight = lines.reduce((sum, line) => sum + weigh(line.whole), weigh(OPENING + CLOSING));
  return weight <= budget ? new Map(lines.map((line) => [line, 'whole'])) : undefined;
}

/** Descriptions of the shortlist first, then as many names as fit, then more descriptions where something is left. */
function planWithin(lines: readonly Line[], budget: number, shortlist: readonly SkillId[]): Map<Line, Shown> {
  const plan = new Map<Line, Shown>();
  let left = budget - weigh(OPENING + CLOSING + moreLine(lines.length)) - namesOverhead(lines);
  const show = (line: Line, shown: Shown, saved = 0) => {
    const cost = weigh(line[shown]) - saved;
    if (cost > left) return;
    left -= cost;
    plan.set(line, shown);
  };
  const byId = new Map(lines.map((line) => [line.entry.skillId, line]));
  const chosen = new Set(shortlist.map((id) => byId.get(id)).filter((line) => line !== undefined));
  for (const line of chosen) show(line, 'short');
  const rest = lines.filter((line) => !plan.has(line));
  for (const line of rest) show(line, 'name');
  for (const line of rest) if (plan.has(line)) show(line, 'short', weigh(line.name));
  for (const line of lines) if (plan.get(line) === 'short' && line.short === line.whole) plan.set(line, 'whole');
  return plan;
}

function render(lines: readonly Line[], plan: ReadonlyMap<Line, Shown>): string {
  const described = [...plan].filter(([, shown]) => shown !== 'name').map(([line, shown]) => line[shown]);
  const named = Map.groupBy(
    [...plan].filter(([, shown]) => shown === 'name').map(([line]) => line),
    (line) => line.entry.source,
  );
  const names = [...named].map(([source, group]) => namesBlock(source, group.map((line) => line.name).join('')));
  const missing = lines.length - plan.size;
  return [OPENING, ...described, ...names, ...(missing > 0 ? [moreLine(missing)] : []), CLOSING].join('');
}

function toLine(entry: CatalogEntry): Line {
  const { description } = entry.manifest;
  const name = escapeText(entry.name);
  const element = (text: string) => `<skill name="${name}" source="${entry.source}">${escapeText(text)}</skill>\n`;
  return { entry, whole: element(description), short: element(shorten(description)), name: `${name}\n` };
}

function shorten(description: string): string {
  if (weigh(description) <= DESCRIPTION_TOKENS) return description;
  let weight = 1;
  let taken = '';
  for (const character of description) {
    weight += weigh(character);
    if (weight > DESCRIPTION_TOKENS) break;
    taken += character;
  }
  return `${taken.trimEnd()}…`;
}

/** One line, no tag, nothing hidden: a description cannot be mistaken for anything but a description. */
function escapeText(text: string): string {
  const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return visible(text.replace(/\s+/g, ' ').trim()).replace(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}

function namesBlock(source: Source, names: string): string {
  return `<names source="${source}">\n${names}</names>\n`;
}

function namesOverhead(lines: readonly Line[]): number {
  const sources = new Set(lines.map((line) => line.entry.source));
  return [...sources].reduce((sum, source) => sum + weigh(namesBlock(source, '')), 0);
}

function moreLine(missing: number): string {
  return `<more count="${missing}">search_skills finds them</more>\n`;
}

function withheld(entry: CatalogEntry): Cut['why'] | undefined {
  if (entry.state === 'shadowed') return 'shadowed';
  return entry.manifest.disableModelInvocation ? 'not-for-models' : undefined;
}

function reportWithheld(entry: CatalogEntry): Cut[] {
  const why = withheld(entry);
  return why ? [{ skillId: entry.skillId, shown: 'nothing', why }] : [];
}

function reportCut({ entry: { skillId } }: Line, shown: Shown | undefined): Cut[] {
  if (shown === 'whole') return [];
  return [{ skillId, shown: shown === 'short' ? 'shortened' : (shown ?? 'nothing'), why: 'budget' }];
}
