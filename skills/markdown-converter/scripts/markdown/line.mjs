// One line of the source while its containers are being peeled off from the left.

const TAB_STOP = 4;

/** `rest` is what is left of the line, its indentation as spaces; `column` is where it begins. */
export function openLine(text) {
  return { rest: expandIndent(text, 0), column: 0, raw: text };
}

export function isBlank(line) {
  return line.rest.trim() === '';
}

export function indentOf(line) {
  const found = line.rest.search(/[^ ]/);
  return found === -1 ? line.rest.length : found;
}

/** Takes characters off the left; a tab that becomes indentation by this is spread out. */
export function advance(line, count) {
  line.column += count;
  line.rest = expandIndent(line.rest.slice(count), line.column);
  const cutsTab = line.raw === undefined || line.raw.slice(0, count).includes('\t');
  line.raw = cutsTab ? undefined : line.raw.slice(count);
}

/** As it was written, tabs included, unless a tab was cut in two. */
export function verbatim(line) {
  return line.raw ?? line.rest;
}

function expandIndent(text, column) {
  const [space] = /^[ \t]*/.exec(text);
  if (!space.includes('\t')) return text;
  let width = 0;
  for (const character of space) width += character === '\t' ? TAB_STOP - ((column + width) % TAB_STOP) : 1;
  return ' '.repeat(width) + text.slice(space.length);
}
