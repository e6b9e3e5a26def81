// Where texts of a skill say what to install: code blocks, inline code and prose of instructions, shell scripts, and command lines in code.
import type { ScriptKind } from '../../skill/need/script-kind.ts';
import { packagesInLine } from './install-line.ts';
import { MOST_MENTIONS, type PackageMention } from './mention.ts';

const LONGEST = 4000;

/** Everything found so is `stated`. */
export function readInstallLines(file: string, kind: ScriptKind, text: string): PackageMention[] {
  const lines = linesOf(kind, text);
  const seen = new Set<string>();
  return lines.flatMap(({ text: line, line: at, running, prose }) => {
    return packagesInLine(line, { running, prose }).flatMap((found): PackageMention[] => {
      const key = `${found.ecosystem} ${found.name} ${found.spec}`;
      if (seen.has(key) || seen.size === MOST_MENTIONS) return [];
      seen.add(key);
      return [{ ...found, certainty: 'stated', use: kind === 'reference' ? 'optional' : 'needed', file, line: at }];
    });
  });
}

interface InstallLine {
  readonly text: string;
  readonly line: number;
  readonly running: boolean;
  readonly prose: boolean;
}

function linesOf(kind: ScriptKind, text: string): InstallLine[] {
  switch (kind) {
    case 'instructions':
    case 'reference':
      return linesOfMarkdown(text);
    case 'shell':
      return linesOfShell(text);
    case 'python':
    case 'javascript':
      return linesOfCode(text);
    default:
      return [];
  }
}

function linesOfMarkdown(text: string): InstallLine[] {
  const found: InstallLine[] = [];
  let fence = '';
  for (const { text: line, line: at } of joined(text)) {
    const [, mark = ''] = /^[\s>]*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
      else found.push({ text: line, line: at, running: true, prose: false });
    } else if (mark !== '') fence = mark;
    else {
      for (const [, , inline = ''] of line.matchAll(/(`{1,3})([^`]+)\1/g))
        found.push({ text: inline, line: at, running: true, prose: false });
      found.push({ text: line.replace(/(`{1,3})[^`]+\1/g, ' ` '), line: at, running: false, prose: true });
    }
  }
  return found;
}

/** What a here-document holds is written somewhere, not run; what a comment or a message says to install is needed all the same. */
function linesOfShell(text: string): InstallLine[] {
  let end: string | undefined;
  return joined(text).flatMap(({ text: line, line: at }) => {
    const isInside = end !== undefined;
    if (isInside && line.trim() === end) end = undefined;
    const [, , word] = isInside ? [] : (/<<-?\s*(["']?)(\w+)\1/.exec(line) ?? []);
    if (word !== undefined) end = word;
    const said = isInside || /^\s*#(?!!)/.test(line) ? line : [...line.matchAll(SAYS)].join(' ');
    const run = said === line ? '' : line.replace(SAYS, '');
    return [
      { text: run, line: at, running: true, prose: false },
      { text: said, line: at, running: false, prose: true },
    ].filter((one) => one.text !== '');
  });
}

/** What is printed, up to the end of its command. */
const SAYS = /\b(?:echo|printf|log|info|warn|error|die|fail|print)\b[^;&|]*/g;
const LISTED = /["'`]\s*,\s*(?:\[\s*)?["'`]/g;
/** A call that starts a program, or its words one by one. */
const STARTS =
  /\b(?:run|Popen|call|check_call|check_output|spawn|spawnSync|exec\w*|system|execa)\s*\(|\$`|["'](?:npx|uvx|uv|bunx|pipx|npm|pnpm|yarn|bun)["']\s*,/;

/** `["pip", "install", "x"]` is read as the line it makes. */
function linesOfCode(text: string): InstallLine[] {
  return joined(text).flatMap(({ text: raw, line: at }) => {
    const line = raw.replace(LISTED, ' ');
    const runs = STARTS.test(raw) || raw.startsWith('#!');
    const said = runs ? [...line.matchAll(PRINTS)].join(' ') : line;
    return [
      { text: runs ? line.replace(PRINTS, '') : '', line: at, running: true, prose: false },
      { text: said, line: at, running: false, prose: true },
    ].filter((one) => one.text !== '');
  });
}

const PRINTS = /\b(?:console\.\w+|print|log\w*|warn|\w*Error|fail|die)\([^)]*/g;

/** A line that ends in a backslash goes on in the next. */
function joined(text: string): { readonly text: string; readonly line: number }[] {
  const found: { text: string; line: number }[] = [];
  let open = '';
  let start = 0;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (open === '') start = at + 1;
    if (line.endsWith('\\') && open.length < LONGEST) open += `${line.slice(0, -1)} `;
    else {
      found.push({ text: open + line, line: start });
      open = '';
    }
  }
  const all = open === '' ? found : [...found, { text: open, line: start }];
  return all.map((one) => (one.text.length > LONGEST ? { ...one, text: '' } : one));
}
