// Lines that install packages or run a program out of one: by pip, uv, pipx, poetry, npm, npx, yarn, pnpm, bun and deno.
import type { Requirement } from './mention.ts';
import type { Ecosystem } from './package-need.ts';
import { parseNpmWord, parseRequirement } from './requirement.ts';

export interface InstalledPackage extends Requirement {
  readonly ecosystem: Ecosystem;
}

/** `text` says nothing more than that line; `running` is whether what only runs a program out of a package counts too. */
export function packagesInLine(
  text: string,
  { running, prose }: { running: boolean; prose: boolean },
): InstalledPackage[] {
  const found: InstalledPackage[] = [];
  for (const { words: shape, ecosystem, one, runs } of COMMANDS) {
    if (runs && !running) continue;
    for (const match of firstOf(text, shape)) {
      if (runs && !startsCommand(text.slice(0, match.index))) continue;
      const behind = text.slice(match.index + match[0].length);
      const words = readWords(behind, { one, prose, ecosystem });
      // What `uv run` runs is a script, or a program of what is declared elsewhere.
      const { named, packages } = /^uv\s+run$/.test(match[0].trim()) ? { ...words, packages: [] } : words;
      // `uvx --from a b` and `npx -p a b` run a program that need not be called like its package.
      const creates = /\bcreate$|\binit$/.test(match[0].trim());
      const read = (word: string) => readPackage(creates ? createdBy(word) : word, ecosystem);
      found.push(...(named.length > 0 && one ? named : [...named, ...packages]).flatMap((word) => read(word) ?? []));
    }
  }
  return found;
}

const MOST_COMMANDS = 8;

function firstOf(text: string, shape: RegExp): RegExpExecArray[] {
  return [...text.matchAll(shape)].slice(0, MOST_COMMANDS);
}

interface Installer {
  readonly words: RegExp;
  readonly ecosystem: Ecosystem;
  /** Only the first word is a package; the others are for it. */
  readonly one: boolean;
  /** It installs nothing that stays. */
  readonly runs: boolean;
}

const AHEAD = String.raw`(?<![\w./@-])`;
const installer = (words: string, ecosystem: Ecosystem): Installer => ({
  words: new RegExp(`${AHEAD}(?:${words})(?=\\s)`, 'g'),
  ecosystem,
  one: false,
  runs: false,
});
const runner = (words: string, ecosystem: Ecosystem): Installer => ({
  ...installer(words, ecosystem),
  one: true,
  runs: true,
});

const NEAR = 60;

/** Whether what follows is a command of its own: at the beginning of a line, behind a sign or word of the shell, or in quotes. */
function startsCommand(before: string): boolean {
  const near = before.slice(-NEAR).trimEnd();
  if (near === '') return true;
  const isLine = near === before.trim();
  if (isLine && /^(?:[$>%!*-]|\d+\.|#!\S+(?:\s+-S)?)$/.test(near)) return true;
  return /(?:&&|[|;("'\x60]|(?:^|[\s;])(?:then|do|else|if|exec|sudo|time|!|[A-Z_]+=\S*))$/.test(near);
}

const COMMANDS: readonly Installer[] = [
  installer(String.raw`(?:uv\s+)?pip[\d.]*\s+install|(?:uv|poetry|pdm|rye)\s+add`, 'python'),
  { ...installer(String.raw`pipx\s+(?:install|inject)|uv\s+tool\s+install`, 'python'), one: true },
  installer(
    String.raw`npm\s+(?:-g\s+|--global\s+)?(?:i|install|add)|yarn\s+(?:global\s+)?add|pnpm\s+(?:add|i|install)|bun\s+(?:add|i|install)|deno\s+(?:add|install)`,
    'node',
  ),
  runner(String.raw`uvx|pipx\s+run|uv\s+tool\s+run`, 'python'),
  runner(
    String.raw`npx|bunx|npm\s+exec|yarn\s+dlx|pnpm\s+dlx|bun\s+x|(?:npm|pnpm|yarn|bun)\s+create|npm\s+init`,
    'node',
  ),
  { ...runner(String.raw`uv\s+run`, 'python'), one: true },
];

/** Options whose next word is a value. */
const VALUED: Readonly<Record<Ecosystem, RegExp>> = {
  python:
    /^(?:-[rcifteo]|--(?:requirement|constraint|index-url|extra-index-url|find-links|target|prefix|root|python|python-version|platform|only-binary|no-binary|trusted-host|proxy|cache-dir|timeout|retries|upgrade-strategy|editable|project|directory|group|extra|with-requirements|index|suffix|pip-args|env-file))$/,
  node: /^(?:-[wcC]|--(?:registry|prefix|tag|workspace|loglevel|cwd|dir|filter|call|config|userconfig))$/,
};
/** Options whose next word is a package. */
const PACKAGED = /^(?:--with|--from|--package|-p)$/;

interface ReadWords {
  readonly packages: string[];
  /** By an option. */
  readonly named: string[];
}

function readWords(
  behind: string,
  { one, prose, ecosystem }: { one: boolean; prose: boolean; ecosystem: Ecosystem },
): ReadWords {
  const packages: string[] = [];
  const named: string[] = [];
  const words = splitWords(behind, prose);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, option = '', value] = /^(--[a-z-]+)=(.+)$/.exec(word) ?? [];
    if (PACKAGED.test(option) && value !== undefined) named.push(...value.split(','));
    else if (PACKAGED.test(word) && !(ecosystem === 'python' && word === '-p'))
      named.push(...(words[++at] ?? '').split(','));
    else if (VALUED[ecosystem].test(word) || word === '-p') at++;
    else if (word.startsWith('-')) continue;
    else if (isFile(word)) {
      if (one) break;
    } else {
      if (STOPS.has(word.toLowerCase())) break;
      packages.push(word);
      if (one) break;
    }
  }
  return { packages, named };
}

/** What `uv run` runs, and what is installed from a folder. */
function isFile(word: string): boolean {
  return /^[./~]|^[a-z+]+:\/\/|\.(?:py|txt|whl|tgz|zip|tar\.gz|[cm]?[jt]sx?)$|\/\//i.test(word) && !/^npm:/.test(word);
}

const STOPS: ReadonlySet<string> = new Set(
  `a an and as at before by could else first followed for from globally if in instead into is it locally manually must need
  needed not of on or otherwise required run running separately should that the then they this to unless until used using via when
  where which will with within without you your once any all first command failed fails works error may`.split(/\s+/),
);

const MOST = 60;

/** As a shell parts them, up to what ends the command; prose ends at a mark of punctuation as well. */
function splitWords(text: string, prose: boolean): string[] {
  const words: string[] = [];
  const shape = /\s*(?:"([^"\n]*)"|'([^'\n]*)'|((?:\\[^\n]|[^\s"'\x60;|&()<>#\\]|(?<=\S)[#<>](?=[=\w]))+))/y;
  let at = 0;
  while (words.length < MOST) {
    shape.lastIndex = at;
    const found = shape.exec(text);
    if (!found) break;
    at = shape.lastIndex;
    const [whole, double, single, bare] = found;
    const word = double ?? single ?? bare ?? '';
    // A quote behind a word closes a string around all of it.
    const isClosing = bare === undefined && words.length > 0 && !/^\s/.test(whole);
    if (/^\s*\n/.test(whole) || isClosing || word.startsWith(' ')) break;
    words.push(word.replace(/[.,:;!?]+$/, ''));
    if (prose && /[.,:;!?]$/.test(word)) break;
  }
  return words;
}

/** Words that stand for a name. */
const PLACEHOLDER =
  /^(?:<.*>|\[.*\]|\{.*\}|\.+|(?:your|my|some|the|a|an|any|other|example|new)[-_]?(?:package|module|lib|library|tool|pkg|name|app|project)?s?|packages?|package[-_]?names?|pkg|name|foo|bar|baz|x|y|modules?|library|libraries|lib|tools?|command|cmd|deps?|dependency|dependencies|requirements|missing[-_]package|not|found|is|are|was|will|can|to|or|and|it|for|the)$/i;

/** A program that has another name than its package. */
const PACKAGE_OF: Readonly<Record<string, string>> = {
  tsc: 'typescript',
  mmdc: '@mermaid-js/mermaid-cli',
  remotion: '@remotion/cli',
  ng: '@angular/cli',
  nest: '@nestjs/cli',
  cap: '@capacitor/cli',
  mcp: 'mcp',
};

function readPackage(word: string, ecosystem: Ecosystem): InstalledPackage | undefined {
  const [plain = word] = word.split(/[[=<>~!@](?!$)/);
  if (
    PLACEHOLDER.test(word) ||
    PLACEHOLDER.test(plain) ||
    /[<>{}]\w|\$\(|^\$|^[A-Z_]+$/.test(word.replace(/[<>]=?\d/g, ''))
  )
    return undefined;
  if (ecosystem === 'node') {
    const found = parseNpmWord(PACKAGE_OF[word] ?? word.replace(/^npm:/, ''));
    return found && /[a-z]/i.test(found.name) ? { ...found, ecosystem } : undefined;
  }
  // `tool@1.2`, as uvx has it.
  const [, name = word, version] = /^([\w.-]+(?:\[[^\]]*\])?)@([\w.+-]+)$/.exec(word) ?? [];
  const spec = version !== undefined && /^\d/.test(version) ? `==${version}` : '';
  const found = parseRequirement(`${name}${spec}`);
  return found && /[a-z]/.test(found.name) && !found.spec.startsWith('@') ? { ...found, ecosystem } : undefined;
}

/** `npm create vite` runs `create-vite`, `npm init @scope/x` runs `@scope/create-x`. */
function createdBy(word: string): string {
  const [, scope, name] = /^(@[^/@]+)(?:\/([^@]+))?/.exec(word) ?? [];
  if (scope !== undefined) return `${scope}/create${name === undefined ? '' : `-${name}`}`;
  return `create-${word}`;
}
