// Long text in a table that nobody's terminal cuts: a pipe gets a line of a length people can read.
import type { Terminal } from '../../base/text/terminal.ts';

// In a pipe nothing is cut to fit; whoever wants more than a line takes --json.
const LINE = 120;

/** By characters: columns need tables of Unicode, which take longer to load than a list to be made. */
export function pipedCell(text: string, { width }: Pick<Terminal, 'width'>, longest = LINE): string {
  if (width !== Number.POSITIVE_INFINITY || text.length <= longest) return text;
  return `${text.slice(0, longest - 3).trimEnd()}...`;
}
