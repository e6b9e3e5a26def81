// Patterns such as Bash(git:*) and Read(src/**), matched on argument words, path segments and hosts, never on joined text.
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import { splitWords } from '../base/text/split-words.ts';
import type { ToolRule } from '../skill/skill.ts';
import { findTool, toolOf, toolsNamed } from '../tools/list.ts';
import type { ToolName } from '../tools/tool-name.ts';
import { commonName } from './command/common-name.ts';
import { refuseStretch } from './command/guard.ts';
import type { Places } from './place.ts';
import { matchesPath, matchesWord } from './wildcard.ts';

/** One thing that a tool is used on, as patterns see it. */
export interface Subject {
  readonly tool: ToolName;
  readonly argv?: readonly string[];
  /** Of a file: relative to the project, or absolute. Of a script: relative to the skill. */
  readonly path?: string;
  /** Of a script: the common name of what runs it. */
  readonly interpreter?: string;
  readonly url?: string;
}

export type Cover = { readonly covers: true } | { readonly covers: false; readonly why: string };

/** Does this entry of a tool list speak of this call? */
export function coversCall(rule: ToolRule, subject: Subject, places: Places): Cover {
  if (!toolsNamed(rule.tool).includes(subject.tool)) return no('another tool');
  if (rule.pattern === undefined || rule.pattern.trim() === '*') return { covers: true };
  // A pattern speaks the language of the tool its name stands for: one of `Bash` is about command words.
  if (rule.tool !== '*' && findTool(rule.tool) !== subject.tool) return matchOwnScript(rule.pattern, subject);
  switch (toolOf(subject.tool).about) {
    case 'command':
      return matchCommand(rule.pattern, subject.argv ?? []);
    case 'address':
      return matchUrl(rule.pattern, subject.url);
    case 'script':
      return matchScript(rule.pattern, subject.path);
    case 'files':
      return matchFile(rule.pattern, subject.path, places);
  }
}

export interface CommandPattern {
  readonly words: readonly string[];
  /** Anything may follow the words. */
  readonly open: boolean;
}

/** `git:*` and `git *` leave the end open; `git status` is exactly that. */
export function parseCommandPattern(pattern: string): CommandPattern | undefined {
  const trimmed = pattern.trim();
  const open = /(:\*|\s\*)$/.test(trimmed);
  const words = splitWords(open ? trimmed.replace(/(:\*|\s\*)$/, '') : trimmed);
  if (!words || words.length === 0 || words[0] === '*' || words[0] === '**') return undefined;
  return { words, open };
}

export function matchCommand(pattern: string, argv: readonly string[]): Cover {
  const parsed = parseCommandPattern(pattern);
  if (!parsed) return no('the pattern names no program');
  const { words, open } = parsed;
  if (argv.length < words.length || (!open && argv.length > words.length)) return no('other words');
  if (!words.every((word, index) => matchesArgument(word, argv[index] ?? '', index))) return no('other words');
  const isExact = !open && !words.some((word) => word.includes('*'));
  const why = isExact ? undefined : refuseStretch(argv, spelledOut(words));
  return why === undefined ? { covers: true } : no(why);
}

function matchesArgument(word: string, argument: string, index: number): boolean {
  if (!word.includes('*')) return word === argument;
  const climbs = argument.split('/').includes('..');
  const leavesFolder = index === 0 && argument.split('/').length !== word.split('/').length;
  // A star may fill in a value, never turn an ordinary word into an option.
  const becomesOption = argument.startsWith('-') && !word.startsWith('-');
  return !climbs && !leavesFolder && !becomesOption && matchesWord(word, argument);
}

function spelledOut(words: readonly string[]): number {
  const star = words.findIndex((word) => word.includes('*'));
  return star === -1 ? words.length : star;
}

function matchScript(pattern: string, asked: string | undefined): Cover {
  if (asked === undefined || path.isAbsolute(asked) || asked.split('/').includes('..'))
    return no('no path in the skill');
  return matchesPath(pattern, asked) ? { covers: true } : no('another path');
}

/** The folder of the skill, as authors write it. */
const SKILL_FOLDER = /(^|\s)(?:\$\{(?:CLAUDE_)?SKILL_DIR\}|\$SKILL_DIR|\{baseDir\}|\.)\//g;
/** `uv run` starts the Python script it is given. */
const RUNS_PYTHON = ['uv', 'run'];

/** `python3:*`, `uv run:*`, `{baseDir}/x.sh:*`, `./scripts/*`: the command lines with which authors start their own scripts. */
function matchOwnScript(pattern: string, { path: script, interpreter, argv = [] }: Subject): Cover {
  const parsed = parseCommandPattern(pattern.replaceAll(SKILL_FOLDER, '$1'));
  if (!parsed || script === undefined || interpreter === undefined) return no('another tool');
  const [named, ...more] = asFile(afterInterpreter(parsed.words, interpreter), script);
  if (named === undefined) return parsed.open ? { covers: true } : no('other words');
  // A star at the end stands for the arguments, too.
  const takesArguments = parsed.open || named.endsWith('*');
  if (more.length > 0 || (argv.length > 0 && !takesArguments)) return no('other words');
  return matchScript(named, script);
}

/** `-m scripts.foo` as the file that it runs. */
function asFile([option, module, ...more]: readonly string[], script: string): readonly string[] {
  if (option !== '-m' || module === undefined) return [option, module, ...more].filter((word) => word !== undefined);
  const below = module.replaceAll('.', '/');
  return [[`${below}.py`, `${below}/__main__.py`].find((file) => file === script) ?? module, ...more];
}

function afterInterpreter(words: readonly string[], interpreter: string): readonly string[] {
  const [first = '', ...rest] = words;
  const isPython = interpreter === 'python' || interpreter === 'uv';
  if (isPython && RUNS_PYTHON.every((word, at) => word === words[at])) return words.slice(RUNS_PYTHON.length);
  const isNamed = commonName(first) === interpreter || (isPython && commonName(first) === 'python');
  return isNamed ? rest : words;
}

// `//` begins an absolute path, `~/` one under home; everything else is inside the project.
function matchFile(pattern: string, asked: string | undefined, places: Places): Cover {
  if (asked === undefined || asked.includes('\0')) return no('no path');
  const file = path.resolve(places.project, asked);
  const from = pattern.startsWith('~/') ? places.home : pattern.startsWith('//') ? '/' : places.project;
  if (!isInside(from, file)) return no('outside the folder of the pattern');
  const relative = path.relative(from, file).split(path.sep).join('/');
  return matchesPath(pattern.replace(/^(~\/|\/+|\.\/)/, ''), relative) ? { covers: true } : no('another path');
}

function matchUrl(pattern: string, asked: string | undefined): Cover {
  const url = asked === undefined ? null : URL.parse(asked);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return no('no plain web address');
  const host = url.hostname.replace(/\.$/, '');
  const domain = pattern.startsWith('domain:') ? pattern.slice('domain:'.length).trim().toLowerCase() : undefined;
  if (domain !== undefined) {
    const wanted = domain.replace(/^\*\./, '');
    const isBelow = domain.startsWith('*.') && host.endsWith(`.${wanted}`);
    return host === wanted || isBelow ? { covers: true } : no('another host');
  }
  const wanted = URL.parse(pattern.replace(/\*+$/, ''));
  if (!wanted || wanted.origin !== url.origin) return no('another host');
  const isOpen = pattern.endsWith('*') && url.pathname.startsWith(wanted.pathname) && wanted.pathname.endsWith('/');
  return isOpen || url.href === wanted.href ? { covers: true } : no('another address');
}

function no(why: string): Cover {
  return { covers: false, why };
}
