// Needs in instructions: blocks of code as code, names of variables in prose, and files that list variables.
import type { FoundNeed } from './code-host.ts';
import type { CodeLanguage } from './lex.ts';
import { shoutedNames, variablesInText } from './variable.ts';

/** Code between two fences. */
export interface CodeBlock {
  readonly language: CodeLanguage | 'shell';
  readonly text: string;
  /** Of its first line. */
  readonly line: number;
}

export interface Instructions {
  readonly blocks: readonly CodeBlock[];
  readonly needs: readonly FoundNeed[];
}

const LANGUAGES: Readonly<Record<string, CodeBlock['language']>> = {
  bash: 'shell',
  sh: 'shell',
  shell: 'shell',
  zsh: 'shell',
  console: 'shell',
  python: 'python',
  py: 'python',
  javascript: 'javascript',
  js: 'javascript',
  typescript: 'javascript',
  ts: 'javascript',
};

const SPEAKS_OF_VARIABLES =
  /environment variable|env(?:ironment)? vars?\b|\bexport\b|\bset\b|api[ -]key|\.env\b|环境变量/i;
const MEANT_AS_EXAMPLE = /^(?:YOUR|MY|EXAMPLE|SOME|FOO|BAR|XXX|INSERT|REPLACE)_/;

export function readInstructions(text: string): Instructions {
  const blocks: CodeBlock[] = [];
  const needs: FoundNeed[] = [];
  let open: { fence: string; language: CodeBlock['language'] | undefined; line: number; lines: string[] } | undefined;
  text.split('\n').forEach((line, at) => {
    const [, fence = '', info = ''] = /^\s{0,8}(`{3,}|~{3,})\s*([\w+-]*)/.exec(line) ?? [];
    if (open) {
      if (fence.startsWith(open.fence)) {
        if (open.language) blocks.push({ language: open.language, text: open.lines.join('\n'), line: open.line });
        open = undefined;
      } else open.lines.push(line.replace(/^\s*\$ /, ''));
    } else if (fence !== '') open = { fence, language: LANGUAGES[info.toLowerCase()], line: at + 2, lines: [] };
    else needs.push(...inProse(line, at + 1));
  });
  return { blocks, needs };
}

function inProse(line: string, at: number): FoundNeed[] {
  if (line.length > 4000) return [];
  const quoted = [...line.matchAll(/`([^`]{3,200})`/g)].map(([, inner = '']) => inner).join(' ');
  const names = SPEAKS_OF_VARIABLES.test(line)
    ? [...shoutedNames(quoted), ...variablesInText(line)]
    : variablesInText(quoted);
  return [...new Set(names)]
    .filter(isMeant)
    .map((name) => ({ kind: 'variable', name, line: at, sure: 'likely', how: 'instructions' }));
}

export function isMeant(name: string): boolean {
  return !MEANT_AS_EXAMPLE.test(name);
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/;

/** `.env.example` and its kin: one variable a line. */
export function readVariableList(text: string): FoundNeed[] {
  return text.split('\n').flatMap((line, at): FoundNeed[] => {
    const [, name] = ASSIGNMENT.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ kind: 'variable', name, line: at + 1, sure: 'declared', how: 'list of variables' }];
  });
}
