// Texts in `{…}` that a comma cuts: `{description: a, b}` has a field `b` without a value, and a description of `a`.
import type { LoadOptions, State } from 'js-yaml';
import { isRecord } from '../base/json.ts';
import { DEPTH_LIMIT, loadParser } from './read/yaml.ts';

export interface CutText {
  /** The field whose text was cut. */
  readonly key: string;
  /** As the author most likely meant it. */
  readonly meant: string;
  /** Counted from 0, inside the text. */
  readonly line: number;
}

/** Every text that goes on behind a comma; nothing for what cannot be parsed. */
export function findCutTexts(text: string): CutText[] {
  if (!text.includes('{') || !text.includes(',')) return [];
  const cuts: CutText[] = [];
  const yaml = loadParser();
  const listener = listenTo((map) => cuts.push(...cutsIn(map)));
  const options: LoadOptions & { maxDepth: number } = { schema: yaml.CORE_SCHEMA, maxDepth: DEPTH_LIMIT + 2, listener };
  try {
    yaml.load(text, options);
  } catch {
    // Whoever reads the values has said what is wrong.
  }
  return cuts;
}

interface Node {
  readonly line: number;
  readonly isFlow: boolean;
  readonly children: Node[];
  value?: unknown;
}

/** Hears of every node as the parser reads it: the children of a map are its keys and values in turn. */
function listenTo(closed: (map: Node) => void): (this: State, event: string, state: State) => void {
  const open: Node[] = [];
  return (event, state) => {
    if (event === 'open') {
      const isFlow = /^\s*\{/.test(state.input.slice(state.position, state.position + 200));
      open.push({ line: state.line, isFlow, children: [] });
      return;
    }
    const node = open.pop();
    if (node === undefined) return;
    node.value = state.result;
    if (node.isFlow && isRecord(node.value)) closed(node);
    open.at(-1)?.children.push(node);
  };
}

function cutsIn({ children, value }: Node): CutText[] {
  const cuts: { key: string; parts: string[]; line: number }[] = [];
  let last: { key: string; text: string } | undefined;
  for (let at = 0; at < children.length; ) {
    const [key, given] = children.slice(at, at + 2);
    const name = String(key?.value);
    const hasValue = !isRecord(value) || value[name] !== null || given?.value === null;
    at += hasValue ? 2 : 1;
    if (hasValue) last = typeof given?.value === 'string' ? { key: name, text: given.value } : undefined;
    else if (last) addPart(cuts, last, name, key?.line ?? 0);
  }
  return cuts.map(({ key, parts, line }) => ({ key, line, meant: parts.join(', ') }));
}

function addPart(
  cuts: { key: string; parts: string[]; line: number }[],
  { key, text }: { key: string; text: string },
  part: string,
  line: number,
): void {
  const same = cuts.findLast((cut) => cut.key === key);
  if (same) same.parts.push(part);
  else cuts.push({ key, parts: [text, part], line });
}
