// Which skill a request means: the one it names, else the router's first where it is clearly meant; otherwise none.
import { foldText } from '../../registry/fold.ts';
import { splitExclusions } from '../../registry/rank-exclusion.ts';
import { isForModels, type SearchHit, type SearchIndex, type SearchResult } from '../../registry/search-index.ts';
import { isCommonWord, tokenize } from '../../registry/tokenize.ts';
import { findMentions, type SkillNames } from './mention.ts';
import { type Part, splitRequest, splitSteps } from './part.ts';

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

/** How far the first must be ahead of the second, as a share of its score; fixed on half of the routing data. */
export const MARGIN = 0.45;
/** The same where the first speaks of the format of a file the request names, and the second does not. */
const MARGIN_WITH_FILE = 0.3;
/** How much of what the request asks must be found in the skill: so large a share, or so many words and a smaller one. */
const SHARE = 0.5;
const MANY = 8;
const SHARE_OF_MANY = 0.25;
const FEWEST = 2;
const CANDIDATES = 3;

export async function chooseSkills(request: string, chooser: Chooser, margin = MARGIN): Promise<Choice> {
  return chooseByName(request, chooser.names) ?? (await chooseByFit(request, chooser, margin));
}

export function chooseByName(request: string, names: SkillNames): Choice | undefined {
  const { called, unknown } = findMentions(request, names);
  if (called.length > 0) return { kind: 'chosen', parts: splitRequest(request, called), by: 'name' };
  return unknown && { kind: 'unknown', ...unknown };
}

/** Of several steps each must be clear by itself; otherwise the request is taken as one. */
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
  const { wish, formats } = withoutFileNames(request, chooser);
  const result = search(wish, { limit: CANDIDATES, accept: (skill) => isForModels(skill) && !refused.has(skill) });
  const [first] = result.hits;
  if (first && !talksAbout && isClear(wish, result, formats, margin))
    return { kind: 'chosen', parts: [{ skill: first.skill, text: request }], by: 'fit' };
  return { kind: 'open', candidates: result.hits.filter((hit) => hit.matched.length > 0 && !isExcluded(wish, hit)) };
}

/** In a small catalog every first hit is far ahead, so it must also cover what was asked. */
function isClear(wish: string, result: SearchResult, formats: readonly string[], margin: number): boolean {
  const { hits, abstained } = result;
  const [first, second] = hits;
  if (!first || abstained) return false;
  const lead = (first.score - (second?.score ?? 0)) / first.score;
  const hasFile = formats.some((format) => isAmong(format, first.matched) && !isAmong(format, second?.matched ?? []));
  const isAhead = lead >= (hasFile ? Math.min(MARGIN_WITH_FILE, margin) : margin);
  return isAhead && covers(wish, first.matched) && asksNothingElse(wish, first) && !isExcluded(wish, first);
}

function covers(wish: string, matched: readonly string[]): boolean {
  const words = tellingWords(wish);
  const found = words.filter((word) => isAmong(word, matched)).length;
  if (found < FEWEST) return false;
  return found >= SHARE * words.length || (found >= MANY && found >= SHARE_OF_MANY * words.length);
}

const TARGET = /(?:\b(?:to|into|as)\s+(?:an?\s+|the\s+)?|(?:成|为)\s*)([\w.-]+|\p{Script=Han}{2,4})/giu;

/** A converter of Markdown that speaks of PDF only to say that it makes none is not meant by "to PDF". */
function isExcluded(wish: string, { skill }: SearchHit): boolean {
  const { included, excluded } = splitExclusions(skill.manifest.description);
  const targets = tellingWords([...wish.matchAll(TARGET)].map(([, target]) => target).join(' '));
  const [does, refuses] = [included, excluded].map(tellingWords);
  return targets.some((target) => refuses?.includes(target) && !does?.includes(target));
}

/** Words of any Chinese sentence, which pairs of characters would count. */
const CHINESE_FILLER =
  /为什么|什么|怎么样?|如何|一下|帮我|给我|我们?的?|你|请|这个|那个|一个|可以|需要|想要?|进行|先|最近|今天|把|的|了|吗|呢/g;

/** What nearly every skill and every request speaks of. */
const ANYWHERE = new Set(['file', 'files', 'folder', 'folders', 'directory', '文件', '目录']);

/** Without everyday words and numbers. */
function tellingWords(text: string): string[] {
  const words = tokenize(text.replace(CHINESE_FILLER, ' '))
    .filter(({ kind, surface }) => kind === 'pair' || (kind === 'word' && !isCommonWord(surface.toLowerCase())))
    .map(({ surface }) => surface.toLowerCase());
  return [...new Set(words)].filter((word) => !ANYWHERE.has(word));
}

/** Pairs of Chinese characters count where they stand in a longer word that was found. */
function isAmong(word: string, matched: readonly string[]): boolean {
  const found = matched.map((one) => foldText(one).toLowerCase());
  return /^[\x20-\x7e]+$/.test(word) ? found.includes(word) : found.some((one) => one.includes(word));
}

const DEEDS =
  /\b(?:delete|remove|rename|move|copy|send|e?mail|upload|download|push|commit|install|uninstall|fix|repair|refactor|translate|encrypt|deploy|publish|merge|edit|rewrite|buy|order)\b|删除|移除|重命名|移动|复制|发送|发给|上传|下载|推送|提交|安装|卸载|修复|重构|翻译|加密|部署|发布|合并|修改|改写|购买/gi;

/** A deed the request asks for must be one the skill speaks of: a converter is not meant by "rename the file". */
function asksNothingElse(wish: string, { matched }: SearchHit): boolean {
  const deeds = [...foldText(wish).matchAll(DEEDS)].map(([deed]) => deed.toLowerCase());
  return deeds.every((deed) => isAmong(deed, matched));
}

/** A file is what to work on; of its name only the extension says what is wanted. */
function withoutFileNames(request: string, { exists }: Chooser): { wish: string; formats: string[] } {
  const formats: string[] = [];
  const wish = request.replace(/[\w~@+./-]*\w\.(\w{1,8})\b/g, (written, extension: string) => {
    if (!exists(written)) return written;
    formats.push(extension.toLowerCase());
    return ` .${extension} `;
  });
  return { wish, formats };
}
