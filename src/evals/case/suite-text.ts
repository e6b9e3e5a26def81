// Parses a suite file as JSON or YAML, with the line of every part, so that a mistake is reported where it is.
import type { LoadOptions, State } from 'js-yaml';
import { isRecord, type Json, parseJson } from '../../base/json.ts';

export type SuiteText =
  | { readonly value: Json; lineOf(path: readonly PropertyKey[]): number | undefined }
  | { readonly problem: string; readonly line?: number };

const DEPTH_LIMIT = 32;

export async function readSuiteText(text: string, format: 'json' | 'yaml'): Promise<SuiteText> {
  const yaml = await import('js-yaml');
  const tree = plant();
  const options: LoadOptions & { maxDepth: number } = {
    schema: yaml.CORE_SCHEMA,
    maxDepth: DEPTH_LIMIT,
    listener: tree.listen,
  };
  try {
    if (format === 'json') {
      const value = parseJson(text, DEPTH_LIMIT);
      return { value, lineOf: (path) => lineIn(() => yaml.load(text, options), tree.root, path) };
    }
    const loaded = yaml.load(text, options);
    return { value: parseJson(JSON.stringify(loaded ?? null), DEPTH_LIMIT), lineOf: (path) => walk(tree.root(), path) };
  } catch (error) {
    return explain(error, text);
  }
}

interface Node {
  readonly line: number;
  readonly children: Node[];
  value?: unknown;
}

/** Grows with what the parser reads: a mapping's children are its keys and values in turn. */
function plant(): { listen: (this: State, event: string, state: State) => void; root(): Node | undefined } {
  const top: Node = { line: 0, children: [] };
  const open: Node[] = [top];
  return {
    root: () => top.children[0],
    listen(event, state) {
      if (event === 'open') {
        open.push({ line: state.line, children: [] });
        return;
      }
      // Alias expansion: a text of a few lines could expand to gigabytes.
      if ('anchor' in state && state.anchor !== null) throw new SyntaxError('anchors and aliases are not supported');
      const closed = open.pop();
      if (!closed) return;
      closed.value = state.result;
      const [only, another] = closed.children;
      // A flow collection is read as the first key of a mapping that then turns out not to be one.
      const isShell = only !== undefined && another === undefined && only.value === closed.value;
      open.at(-1)?.children.push(isShell ? only : closed);
    },
  };
}

function walk(node: Node | undefined, path: readonly PropertyKey[]): number | undefined {
  const [first, ...rest] = path;
  if (node === undefined || first === undefined) return node && node.line + 1;
  if (typeof first === 'number') return walk(node.children[first], rest) ?? node.line + 1;
  const at = node.children.findIndex((child, index) => index % 2 === 0 && child.value === first);
  const key = node.children[at];
  if (!key) return node.line + 1;
  return rest.length === 0 ? key.line + 1 : walk(node.children[at + 1], rest);
}

/** The lines of JSON are found by a second parse, only on demand. */
function lineIn(read: () => unknown, root: () => Node | undefined, path: readonly PropertyKey[]): number | undefined {
  try {
    if (root() === undefined) read();
    return walk(root(), path);
  } catch {
    return undefined;
  }
}

function explain(error: unknown, text: string): { problem: string; line?: number } {
  const problem = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  if (isRecord(error) && isRecord(error.mark) && typeof error.mark.line === 'number') {
    return { problem: String(error.reason ?? problem), line: error.mark.line + 1 };
  }
  const position = Number(/position (\d+)/.exec(problem)?.[1] ?? Number.NaN);
  return Number.isNaN(position) ? { problem } : { problem, line: text.slice(0, position).split('\n').length };
}
