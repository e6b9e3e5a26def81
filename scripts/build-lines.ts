// One statement a line in what was made small: Node prints the line that threw, and a file of one line is a screenful.
import { parseAst } from 'rolldown/parseAst';
import { isNode } from './source-tree.ts';

export function breakLines(code: string): string {
  const starts = [...new Set(statementsIn(parseAst(code)))].filter((at) => at > 0 && code[at - 1] !== '\n');
  const ends = [0, ...starts.sort((a, b) => a - b), code.length];
  return ends
    .slice(1)
    .map((end, at) => code.slice(ends[at], end))
    .join('\n');
}

/** Where those begin that stand in a block: between two of them a line may end. */
function statementsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(statementsIn);
  if (!isNode(value)) return [];
  const { type, body } = value;
  const own = /^(?:Program|BlockStatement|FunctionBody|StaticBlock)$/.test(type) && Array.isArray(body) ? body : [];
  return [...own.filter(isNode).map(({ start }) => start), ...Object.values(value).flatMap(statementsIn)];
}
