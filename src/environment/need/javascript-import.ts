// Which packages code of JavaScript and TypeScript imports: by import, export, require and import on demand, without what is types only.
import { builtinModules } from 'node:module';
import { type CodeToken, lexCode } from '../../skill/need/lex.ts';
import { isNpmName, parseNpmWord } from './requirement.ts';

export interface NodeImport {
  readonly name: string;
  /** Where the specifier says one, as those of deno may. */
  readonly spec: string;
  readonly line: number;
  /** Stands where it may fail. */
  readonly optional: boolean;
}

/** What Node and the programs beside it bring themselves. */
const BUILT_IN: ReadonlySet<string> = new Set([...builtinModules, 'bun', 'deno', 'vscode', 'workerd']);
const SCHEME = /^(?!npm:)[a-z][a-z0-9+.-]*:/i;
/** Marks of a path that a tool resolves: `@/x`, `~/x`, `#x`, `$lib`. */
const ALIAS = /^(?:[./#$~\\]|@\/|@@|~)/;

/** Undefined for what is no package: a path, an address, an alias, a part of Node. */
export function packageOfSpecifier(specifier: string): { readonly name: string; readonly spec: string } | undefined {
  if (SCHEME.test(specifier) || ALIAS.test(specifier) || /[\s\\!?*]/.test(specifier)) return undefined;
  const plain = specifier.replace(/^npm:\/?/, '');
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(plain) ?? [];
  if (name === undefined || BUILT_IN.has(name)) return undefined;
  if (plain !== specifier) return parseNpmWord(name);
  return isNpmName(name) ? { name, spec: '' } : undefined;
}

export function readNodeImports(text: string): NodeImport[] {
  const tokens = lexCode(text, 'javascript');
  const tries = triedParts(tokens);
  return tokens.flatMap((token, at): NodeImport[] => {
    const literal = token.kind === 'name' ? specifierAt(tokens, at) : undefined;
    const found = literal && packageOfSpecifier(literal.text);
    return found ? [{ ...found, line: literal.line, optional: tries(at) }] : [];
  });
}

/** The string that is imported by the word at that place. */
function specifierAt(tokens: readonly CodeToken[], at: number): CodeToken | undefined {
  const { text } = tokens[at] ?? {};
  const before = tokens[at - 1]?.text;
  if (before === '.' || before === '?.') return undefined;
  if (text === 'require' || text === 'import') {
    const called = calledWith(tokens, at);
    if (called) return called;
  }
  if (text === 'import' && isLiteral(tokens[at + 1])) return tokens[at + 1];
  if (text !== 'import' && text !== 'export') return undefined;
  return bringsValues(tokens, at) ? literalBehindFrom(tokens, at) : undefined;
}

/** `import('x')`, `require('x')`, `require.resolve('x')`; a text that is only known when it runs is none. */
function calledWith(tokens: readonly CodeToken[], at: number): CodeToken | undefined {
  const isResolve = tokens[at + 1]?.text === '.' && tokens[at + 2]?.text === 'resolve';
  const open = isResolve ? at + 3 : at + 1;
  if (tokens[open]?.text !== '(' || !isLiteral(tokens[open + 1])) return undefined;
  return /^[),]$/.test(tokens[open + 2]?.text ?? '') ? tokens[open + 1] : undefined;
}

function isLiteral(token: CodeToken | undefined): boolean {
  return token?.kind === 'string' && (token.names ?? []).length === 0;
}

const FARTHEST = 400;

function literalBehindFrom(tokens: readonly CodeToken[], at: number): CodeToken | undefined {
  for (let next = at + 1; next < at + FARTHEST; next++) {
    const token = tokens[next];
    if (!token || /^(?:[;=()]|import|export|const|let|function|class)$/.test(token.text) || token.kind === 'pattern')
      return undefined;
    if (token.text === 'from' && isLiteral(tokens[next + 1])) return tokens[next + 1];
  }
  return undefined;
}

/** Not `import type …`, nor one of which every name is a type. */
function bringsValues(tokens: readonly CodeToken[], at: number): boolean {
  const [first, second] = [tokens[at + 1], tokens[at + 2]];
  if (first?.text === 'type' && second?.text !== 'from' && second?.text !== ',') return false;
  if (first?.text !== '{') return true;
  const near = tokens.slice(at + 2, at + FARTHEST);
  const end = near.findIndex(({ text }) => text === '}');
  const names = near
    .slice(0, end < 0 ? FARTHEST : end)
    .filter(({ text }, index, all) => text !== ',' && (index === 0 || all[index - 1]?.text === ','));
  return names.length === 0 || names.some(({ text }) => text !== 'type');
}

/** Whether a token stands between the braces of a `try`. */
function triedParts(tokens: readonly CodeToken[]): (at: number) => boolean {
  const depth = new Uint16Array(tokens.length);
  const open: boolean[] = [];
  let tried = 0;
  tokens.forEach(({ text, kind }, at) => {
    if (kind === 'sign' && text === '{') {
      const isTry = tokens[at - 1]?.text === 'try';
      open.push(isTry);
      tried += isTry ? 1 : 0;
    } else if (kind === 'sign' && text === '}' && open.pop()) tried--;
    depth[at] = Math.min(tried, 65_535);
  });
  return (at) => (depth[at] ?? 0) > 0;
}
