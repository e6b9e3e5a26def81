// What a grant is for, read from the words of `grants add` and compared with what the skill really has.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { splitWords } from '../../base/text/split-words.ts';
import { visible } from '../../base/text.ts';
import { isOn, type OptionValues, textOption } from '../../cli/frame/command.ts';
import { AUTOMATIC_ACTIONS } from '../../door/kind/action.ts';
import { type GrantTarget, whyTooWide } from '../../policy/grant/grant.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { DigestFile } from '../../skill/digest.ts';
import { findTool, TOOLS } from '../../tools/tool.ts';

interface Wish {
  readonly skill: Pick<SkillEntry, 'name' | 'kind' | 'manifest'>;
  readonly files: readonly Pick<DigestFile, 'path'>[];
  readonly words: readonly string[];
  readonly options: OptionValues;
  /** The folder of worker scripts, where every file is one. */
  readonly isWorker?: boolean;
}

const WAYS = ['action', 'script', 'command', 'tool'] as const;
type Way = (typeof WAYS)[number];

/** Throws a Fault for what the skill does not have, and for what would be a permission for anything. */
export function readTarget(wish: Wish): GrantTarget {
  const way = chooseWay(wish.options);
  checkCompany(way, wish);
  const target = READERS[way](wish, textOption(wish.options, way) ?? '');
  const tooWide = whyTooWide(target);
  if (tooWide !== undefined) throw new Fault('InvalidArgs', visible(tooWide), { hint: NARROWER[way] });
  return target;
}

const MORE_WORDS: Text = {
  en: 'A grant is never a permission for anything: name more words, or add --exact.',
  zh: '授权不能是任意许可：请写明更多词，或加 --exact。',
};

const NARROWER: Record<Way, Text> = {
  action: MORE_WORDS,
  script: MORE_WORDS,
  command: MORE_WORDS,
  tool: {
    en: 'A grant is never a permission for anything: "notes/**" and "domain:example.org" are patterns, --command is for commands.',
    zh: '授权不能是任意许可：模式如 "notes/**"、"domain:example.org"；命令请用 --command。',
  },
};

function chooseWay(options: OptionValues): Way {
  const chosen = WAYS.filter((way) => options[way] !== undefined);
  const [way] = chosen;
  if (way !== undefined && chosen.length === 1) return way;
  const list = WAYS.map((one) => `--${one}`).join(', ');
  throw usage({ en: `say what is granted: one of ${list}`, zh: `请写明授权内容: ${list} 之一` });
}

/** Options and words that mean nothing beside the chosen way are mistakes, not decoration. */
function checkCompany(way: Way, { words, options }: Wish): void {
  const takesWords = way === 'script' || way === 'command';
  const [extra] = words;
  if (!takesWords && extra !== undefined)
    throw usage({ en: `--${way} takes no words: ${visible(extra)}`, zh: `--${way} 后不能有: ${visible(extra)}` });
  if (!takesWords && isOn(options, 'exact'))
    throw usage({ en: '--exact is for --script and --command', zh: '--exact 只用于 --script 与 --command' });
  if ((way === 'tool') !== (options.pattern !== undefined))
    throw usage({ en: '--tool and --pattern go together', zh: '--tool 与 --pattern 须一同使用' });
}

const READERS: Record<Way, (wish: Wish, value: string) => GrantTarget> = {
  action: readAction,
  script: readScript,
  command: ({ words, options }) => ({ kind: 'command', words, exact: isOn(options, 'exact') }),
  tool: readTool,
};

function readAction({ skill }: Wish, action: string): GrantTarget {
  if (skill.kind !== 'protocol')
    throw new Fault('UnknownAction', visible(action), {
      hint: {
        en: `${visible(skill.name)} has no actions; grant a script with --script.`,
        zh: `${visible(skill.name)} 没有操作；请用 --script 授权脚本。`,
      },
    });
  const declared = skill.manifest.actions ?? [];
  const found = declared.find(({ name }) => name === action);
  const isKnown = found !== undefined || declared.length === 0 || AUTOMATIC_ACTIONS.includes(action);
  const names = declared.map(({ name }) => name);
  if (!isKnown || action === '') throw missing('UnknownAction', action, names);
  return { kind: 'action', action, ...(found && found.params.length > 0 && { params: found.params }) };
}

function readScript(wish: Wish, written: string): GrantTarget {
  const { skill, files, words, options } = wish;
  if (wish.isWorker) return readWorkerScript(wish, written);
  const script = path.posix.normalize(written);
  const named = [skill.manifest.entry ?? '', ...(splitWords(skill.manifest.command ?? '') ?? [])];
  const allowed = new Set(named.map((word) => path.posix.normalize(word)));
  const scripts = files.map((file) => file.path).filter((file) => file.startsWith('scripts/') || allowed.has(file));
  if (!scripts.includes(script)) throw missing('ScriptNotFound', written, scripts);
  return { kind: 'script', script, words, exact: isOn(options, 'exact') };
}

/** Named below the project, as a task names it. */
function readWorkerScript({ files, words, options }: Wish, written: string): GrantTarget {
  const script = path.posix.normalize(written);
  const scripts = files.map((file) => `bin/${file.path}`);
  if (!scripts.includes(script)) throw missing('ScriptNotFound', written, scripts);
  return { kind: 'script', script, words, exact: isOn(options, 'exact') };
}

function readTool({ options }: Wish, name: string): GrantTarget {
  const tool = findTool(name);
  if (!tool) {
    const shown = visible(name);
    const list = { en: `There are ${TOOLS.join(', ')}.`, zh: `可用: ${TOOLS.join('、')}。` };
    throw new Fault('Usage', { en: `unknown tool: ${shown}`, zh: `未知工具: ${shown}` }, didYouMean(name, TOOLS, list));
  }
  return { kind: 'tool', tool, pattern: textOption(options, 'pattern') ?? '' };
}

function missing(type: 'UnknownAction' | 'ScriptNotFound', written: string, there: readonly string[]): Fault {
  const list = there.map(visible).join(', ');
  const otherwise = { en: `The skill has: ${list || 'none'}.`, zh: `该技能有: ${list || '无'}。` };
  return new Fault(type, visible(written), didYouMean(written, there, otherwise));
}

function usage(detail: Text): Fault {
  return new Fault('Usage', detail);
}
