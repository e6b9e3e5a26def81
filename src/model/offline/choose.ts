// Chooses the skill of a request: the one it names, else the router's first hit where it is clearly ahead; otherwise none.
import type { ListedSkill } from '../../registry/discover.ts';
import { splitExclusions } from '../../registry/rank/exclusion.ts';
import { foldText } from '../../registry/rank/fold.ts';
import { cutRequest } from '../../registry/rank/query.ts';
import { isCommonWord } from '../../registry/rank/tokenize.ts';
import { isForModels, type SearchHit, type SearchIndex, type SearchResult } from '../../registry/search/index.ts';
import { covers, isAmong, type Spoken, wordsIn } from './cover.ts';
import { type RequestIntent, readIntent } from './intent.ts';
import { findMentions, type SkillNames } from './mention.ts';
import { type Part, splitRequest, splitSteps } from './part.ts';
import { isOutside } from './scope.ts';
import { isAsking, kindOfVerb, verbKindsIn } from './verb.ts';

export type Choice =
  | { readonly kind: 'chosen'; readonly parts: readonly Part[]; readonly by: 'name' | 'fit' }
  | { readonly kind: 'unknown'; readonly name: string; readonly suggestions: readonly string[] }
  | { readonly kind: 'open'; readonly candidates: readonly SearchHit[] };

export interface Chooser {
  readonly names: SkillNames;
  readonly search: () => Promise<Pick<SearchIndex, 'search'>>;
  /** Whether a word of the request is a file of the project. */
  exists(written: string): boolean;
}

/** The minimum lead of the first hit over the second, as a share of its score; tuned on half of the routing data. */
export const MARGIN = 0.45;
/** The same where the first mentions the format of a file the request names, and the second does not. */
const MARGIN_WITH_FILE = 0.3;
const CANDIDATES = 3;

export async function chooseSkills(request: string, chooser: Chooser, margin = MARGIN): Promise<Choice> {
  return chooseByName(request, chooser.names) ?? (await chooseByFit(request, chooser, margin));
}

export function chooseByName(request: string, names: SkillNames): Choice | undefined {
  const { called, unknown } = findMentions(request, names);
  if (called.length > 0) return { kind: 'chosen', parts: splitRequest(request, called), by: 'name' };
  return unknown && { kind: 'unknown', ...unknown };
}

/** Of several steps each must be clear by itself; otherwise the request is treated as one. */
export async function chooseByFit(request: string, chooser: Chooser, margin = MARGIN): Promise<Choice> {
  const parts: Part[] = [];
  const steps = splitSteps(request);
  for (const step of steps.length > 1 ? steps : []) {
    const choice = await chooseOne(step, chooser, margin);
    if (choice.kind === 'chosen') parts.push(...choice.parts);
  }
  const skills = new Set(parts.map(({ skill }) => skill));
  if (parts.length > 1 && skills.size === steps.length) return { kind: 'chosen', parts, by: 'fit' };
  return await chooseOne(request, chooser, margin);
}

async function chooseOne(request: string, chooser: Chooser, margin: number): Promise<Choice> {
  const { refused, talksAbout } = findMentions(request, chooser.names);
  const { search } = await chooser.search();
  const { wish, formats } = withoutFileNames(cutRequest(request), chooser);
  const find = (text: string) =>
    search(text, { limit: CANDIDATES, accept: (skill) => isForModels(skill) && !refused.has(skill) });
  const asked: Asked = { wish, formats, intent: readIntent(wish), margin };
  const result = find(wish);
  const first =
    talksAbout || isQuestionOfMeaning(wish) ? undefined : (ordered(asked, find) ?? clearFirst(asked, result));
  if (first) return { kind: 'chosen', parts: [{ skill: first, text: request }], by: 'fit' };
  const { hits } = result;
  return { kind: 'open', candidates: hits.filter((hit) => hit.matched.length > 0 && !isOutsideOf(hit.skill, asked)) };
}

interface Asked {
  readonly wish: string;
  readonly formats: readonly string[];
  readonly intent: RequestIntent | undefined;
  readonly margin: number;
}

/** "a skill that turns YAML into JSON" asks for the skill, where one is named after such things, not for the conversion. */
function ordered({ intent, ...asked }: Asked, find: (text: string) => SearchResult): ListedSkill | undefined {
  if (!intent?.makes || intent.order === asked.wish) return undefined;
  const first = clearFirst({ ...asked, wish: intent.order, intent }, find(intent.thing));
  const named = first ? wordsIn(intent.order, { name: first.name, description: '' }) : [];
  return intent.noun !== undefined && isAmong(intent.noun, named) ? first : undefined;
}

/** In a small catalog every first hit is far ahead, so it must also cover the request. */
function clearFirst(asked: Asked, { hits, abstained }: SearchResult): ListedSkill | undefined {
  const { formats, margin } = asked;
  const [first, second] = hits;
  if (!first || abstained) return undefined;
  const lead = (first.score - (second?.score ?? 0)) / first.score;
  const hasFile = formats.some((format) => isAmong(format, first.matched) && !isAmong(format, second?.matched ?? []));
  const isAhead = lead >= (hasFile ? Math.min(MARGIN_WITH_FILE, margin) : margin);
  return isAhead && fits(asked, first) ? first.skill : undefined;
}

/** The skill covers the request, every verb in it and what is to be made, and does not exclude it. */
function fits(asked: Asked, { skill, matched }: SearchHit): boolean {
  const { wish, intent } = asked;
  const { name, manifest } = skill;
  const promised = wordsIn(wish, { name, description: manifest.description });
  const known = [...promised, ...matched];
  const verbs = verbKindsIn(splitExclusions(manifest.description).included);
  if (intent && !does({ promised, known, verbs }, intent)) return false;
  return covers(wish, { promised, known, verbs }) && asksNothingElse(wish, promised) && !isOutsideOf(skill, asked);
}

/** Whether the skill performs the intent: makes such a thing, or has such a verb; common and asking verbs match any skill. */
function does({ promised, known, verbs }: Spoken, { word, noun, makes }: RequestIntent): boolean {
  if (makes) return noun === undefined || isCommonWord(noun) || isAmong(noun, known);
  const kind = kindOfVerb(word);
  return isCommonWord(word) || isAsking(word) || isAmong(word, promised) || (kind !== undefined && verbs.has(kind));
}

function isOutsideOf(skill: ListedSkill, { wish, intent }: Asked): boolean {
  return isOutside(wish, intent, skill.manifest.description);
}

/** "What does CSV stand for?" asks for knowledge, not for work. */
const MEANING =
  /^(?:what\s+(?:is|are)\s+(?:an?\s+|the\s+)?[\w.+#-]+|what\s+(?:does|do)\b.*\b(?:mean|stand\s+for)|(?:explain\s+)?how\s+(?:(?:do|does)\s+)?.*\bworks?)\s*[?.]*$/i;

function isQuestionOfMeaning(wish: string): boolean {
  return MEANING.test(wish.trim());
}

const INTENT_VERBS =
  /\b(?:delete|remove|rename|move|copy|send|e?mail|upload|download|push|commit|install|uninstall|fix|repair|refactor|implement|debug|import|translate|encrypt|deploy|publish|merge|edit|rewrite|buy|order)\b|删除|移除|重命名|移动|复制|发送|发给|上传|下载|推送|提交|安装|卸载|修复|重构|翻译|加密|部署|发布|合并|修改|改写|购买/gi;

/** What someone may do later with the result is not requested. */
const PURPOSE = /\bso\s+(?:that|(?:i|we|you|they|others)\b)[^.!?\n]*|\b(?:i|we|you|they)\s+can\b[^.!?\n]*/gi;

/** Every verb of the request must be one the skill mentions: a converter does not match "rename the file". */
function asksNothingElse(wish: string, spoken: readonly string[]): boolean {
  const verbs = [...foldText(wish).replace(PURPOSE, ' ').matchAll(INTENT_VERBS)].map(([intent]) =>
    intent.toLowerCase(),
  );
  return verbs.every((verb) => isAmong(verb, spoken));
}

/** A file is what to work on; of its name only the extension says what is wanted. */
function withoutFileNames(request: string, { exists }: Chooser): { wish: string; formats: string[] } {
  const formats: string[] = [];
  const wish = request.replace(/(?<![\w~@+./-])[\w~@+./-]*\w\.(\w{1,8})\b/g, (written, extension: string) => {
    if (!exists(written)) return written;
    formats.push(extension.toLowerCase());
    return ` .${extension} `;
  });
  return { wish, formats };
}
