// Walks a parsed script and notes each command it can run; whatever is not on the list of known nodes is not judged.
import type {
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirected,
  Function as ShellFunction,
  Statement,
  Word,
} from 'unbash';
import { factsFor } from '../command/facts.ts';
import { isBuiltin } from './builtin.ts';
import { readCommand } from './command.ts';
import type { UnjudgedReason } from './reason.ts';
import { readRedirects } from './redirect.ts';
import { isOwnVariable } from './variable.ts';
import type { Walk } from './walk-state.ts';
import { readNested, readWord } from './word.ts';

type Node = CommandNode | PipelineNode | Statement['command'];

/** The statements of a script; at the top of it, functions become known from their definition on. */
export function walkStatements(statements: readonly Statement[], walk: Walk, isTop: boolean): void {
  for (const { command } of statements) {
    if (command.type === 'Function') readFunction(command, walk, isTop);
    else walkNode(command, walk);
  }
}

export function walkScript(script: ParsedScript, walk: Walk, isTop = false): void {
  if ((script.errors ?? []).length > 0) walk.report(walk.source, 'syntax');
  // Behind escaped backquotes positions count in a text of their own.
  if (script.source !== undefined) walk.report(script.source, 'construct');
  walkStatements(script.commands, walk, isTop);
}

function walkNode(node: Node, walk: Walk): void {
  switch (node.type) {
    case 'Command':
      readCommand(node, walk);
      break;
    case 'Pipeline':
      if (walk.posix && (node.operators.includes('|&') || node.prefixes.some(({ type }) => type === 'Time')))
        reportNode(node, 'construct', walk);
      walkAll(node.commands, walk);
      break;
    case 'AndOr':
      walkAll(node.commands, walk);
      break;
    case 'Subshell':
    case 'BraceGroup':
      walkList(node.body, walk);
      break;
    case 'Redirected':
      walkRedirected(node, walk);
      break;
    case 'If':
      for (const part of [node, ...node.elif]) walkLists([part.clause, part.then], walk);
      if (node.else) walkList(node.else, walk);
      break;
    case 'While':
      walkLists([node.clause, node.body], walk);
      break;
    case 'For':
      walkFor(node, walk);
      break;
    case 'Case':
      walkCase(node, walk);
      break;
    default:
      reportNode(node, whyNot(node.type), walk);
  }
}

function walkCase(node: Extract<Node, { type: 'Case' }>, walk: Walk): void {
  readNested(node.word, walk);
  for (const { pattern, body, terminator } of node.items) {
    if (walk.posix && terminator !== undefined && terminator !== ';;') reportNode(node, 'construct', walk);
    for (const word of pattern) readNested(word, walk);
    walkList(body, walk);
  }
}

function whyNot(type: string): UnjudgedReason {
  if (type.startsWith('Arithmetic')) return 'arithmetic';
  if (type === 'TestCommand') return 'test';
  return type === 'Function' ? 'function' : 'construct';
}

function walkAll(nodes: readonly Node[], walk: Walk): void {
  for (const node of nodes) walkNode(node, walk);
}

function walkLists(lists: readonly CompoundList[], walk: Walk): void {
  for (const list of lists) walkList(list, walk);
}

function walkList(list: CompoundList, walk: Walk): void {
  walkStatements(list.commands, walk, false);
}

function walkRedirected({ command, redirects }: Redirected, walk: Walk): void {
  walk.writes.push(...readRedirects(redirects, walk.source, walk));
  walkNode(command, walk);
}

function walkFor(node: Extract<Node, { type: 'For' }>, walk: Walk): void {
  if (!isOwnVariable(node.name.value)) walk.report(node.name.text, 'variable');
  for (const word of node.wordlist ?? []) readWord(word, walk);
  walkList(node.body, walk);
}

/** Only a definition that surely happens, under a name that nothing else has, is one whose calls are known. */
function readFunction(node: ShellFunction, walk: Walk, isTop: boolean): void {
  const { name, body } = node;
  if (!isTop || walk.posix || !isFreeName(name)) {
    reportNode(node, 'function', walk);
    return;
  }
  if (body.type === 'CompoundList') walkList(body, walk);
  else walkNode(body, walk);
  walk.functions.add(name.value);
}

function isFreeName({ text, value }: Word): boolean {
  return text === value && /^[a-z_][a-z0-9_]*$/i.test(value) && !isBuiltin(value) && factsFor(value) === undefined;
}

function reportNode(node: { readonly pos: number; readonly end: number }, why: UnjudgedReason, walk: Walk): void {
  walk.report(walk.source.slice(node.pos, node.end), why);
}
