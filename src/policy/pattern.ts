// Patterns such as Bash(git:*) and Read(src/**), matched on argument words, path segments and hosts, never on joined text.
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import { splitWords } from '../base/text/split-words.ts';
import type { ToolRule } from '../skill/skill.ts';
import { findTool, toolFor, toolOf, toolsNamed } from '../tools/list.ts';
import { readServerToolName, remoteName } from '../tools/server-tool.ts';
import type { ToolName } from '../tools/tool-name.ts';
import { commonName } from './command/common-name.ts';
import { refuseStretch } from './command/guard.ts';
import type { Places } from './place.ts';
import { sayUnjudged } from './shell/reason.ts';
import { isOpen, type ShellWord, type Unjudged } from './shell/script.ts';
import { matchesPath, matchesWord } from './wildcard.ts';

/** One thing that a tool is used on, as patterns see it. */
export interface Subject {
  readonly tool: ToolName;
  readonly argv?: readonly ShellWord[];
  /** The text that a shell reads. */
  readonly shell?: string;
  /** Where no entry covers the whole, each of these has to be covered. */
  readonly parts?: readonly Subject[];
  /** Of a part: it comes behind a change of the folder. */
  readonly moved?: true;
  /** Of a part: a file that a redirection writes, and whether its name is known. */
  readonly written?: string;
  readonly isOpen?: true;
  /** Of a part: what cannot be judged. */
  readonly unjudged?: Unjudged;
  /** Of a part: nothing is started but the shell. */
  readonly isIdle?: true;
  /** Of a file: relative to the project, or absolute. Of a script: relative to the skill. */
  readonly path?: string;
  /** Of a script: the common name of what runs it. */
  readonly interpreter?: string;
  readonly url?: string;
  /** A tool of a server: `server/tool`. */
  readonly remote?: string;
}

/** `unsure`: the entry speaks of it, but what it would run cannot be told. */
export type Cover =
  | { readonly covers: true }
  | { readonly covers: false; readonly why: string; readonly unsure?: true };

/** Does this entry of a tool list speak of this call? */
export function coversCall(rule: ToolRule, subject: Subject, places: Places): Cover {
  if (subject.written !== undefined && toolsNamed(rule.tool).some((tool) => tool === toolFor('write')))
    return matchWritten(rule.pattern, subject, places);
  if (!toolsNamed(rule.tool).includes(subject.tool)) return no('another tool');
  const named = readServerToolName(rule.tool);
  if (named) return matchServerTool(remoteName(named), subject.remote);
  if (rule.pattern === undefined || rule.pattern.trim() === '*') return { covers: true };
  // A pattern speaks the language of the tool its name stands for: one of `Bash` is about command words.
  const { about } = toolOf(subject.tool);
  if (about === 'script' && rule.tool !== '*' && findTool(rule.tool) !== subject.tool)
    return matchOwnScript(rule.pattern, subject);
  switch (about) {
    case 'shell':
      return matchShell(rule.pattern, subject, places);
    case 'command':
      return matchPart(rule.pattern, subject) ?? matchCommand(rule.pattern, subject.argv ?? []);
    case 'address':
      return matchUrl(rule.pattern, subject.url);
    case 'script':
      return matchScript(rule.pattern, subject.path);
    case 'files':
      return matchFile(rule.pattern, subject.path, places);
    case 'server':
      return matchServerTool(rule.pattern, subject.remote);
  }
}

function matchServerTool(pattern: string, remote: string | undefined): Cover {
  return remote !== undefined && matchesWord(pattern.trim(), remote)
    ? { covers: true }
    : no('another tool of a server');
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

export function matchCommand(pattern: string, argv: readonly ShellWord[], moved = false): Cover {
  const parsed = parseCommandPattern(pattern);
  if (!parsed) return no('the pattern names no program');
  const { words, open } = parsed;
  const given = argv.slice(0, words.length);
  const isLonger = argv.slice(words.length).some((word) => !open && (!isOpen(word) || word.single));
  if (argv.length < words.length || isLonger) return no('other words');
  if (!words.every((word, index) => mayMatch(word, given[index] ?? '', index))) return no('other words');
  if (given.some(isOpen) || (!open && argv.length > words.length)) return unsure('words known only at run time');
  if (moved && words.some(namesFile)) return unsure('the folder was changed before');
  const isExact = !open && !words.some((word) => word.includes('*'));
  const why = isExact ? undefined : refuseStretch(argv, spelledOut(words));
  return why === undefined ? { covers: true } : unsure(why);
}

function mayMatch(word: string, argument: ShellWord, index: number): boolean {
  return isOpen(argument) || matchesArgument(word, argument, index);
}

/** A relative name, which means another file in another folder. */
function namesFile(word: string): boolean {
  return !word.startsWith('-') && !path.isAbsolute(word) && /[/]|\.\w+$/.test(word);
}

/** Undefined where the subject is a command. */
function matchPart(pattern: string, { unjudged, written, isIdle }: Subject): Cover | undefined {
  if (unjudged) return unsure(`${sayUnjudged(unjudged.why).en}`);
  if (written !== undefined) return unsure(`${pattern} says nothing about writing ${written}`);
  return isIdle && { covers: true };
}

/** Of a script, its very text; of one of its commands, as of any command, and as authors name their own scripts. */
function matchShell(pattern: string, subject: Subject, { skill }: Places): Cover {
  const { argv, shell, moved } = subject;
  if (shell !== undefined) return pattern.trim() === shell.trim() ? { covers: true } : no('other words');
  const part = matchPart(pattern, subject);
  if (part) return part;
  const asked = isFolderOfPrograms(pattern) ? `${pattern.trim()} *` : pattern;
  const plain = matchCommand(asked, argv ?? [], moved);
  const inFolder = asked.replaceAll(SKILL_FOLDER, `$1${skill}/`);
  return plain.covers || skill === undefined || inFolder === asked ? plain : matchCommand(inFolder, argv ?? []);
}

/** `./scripts/*`: a star at the end stands for the arguments, too. */
function isFolderOfPrograms(pattern: string): boolean {
  return /^\S+\/\S*\*$/.test(pattern.trim()) && !pattern.trim().endsWith(':*');
}

function matchWritten(pattern: string | undefined, { written, isOpen: open }: Subject, places: Places): Cover {
  if (pattern === undefined || pattern.trim() === '*') return { covers: true };
  return open ? unsure('a file known only at run time') : matchFile(pattern, written, places);
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

function unsure(why: string): Cover {
  return { covers: false, why, unsure: true };
}

function no(why: string): Cover {
  return { covers: false, why };
}
