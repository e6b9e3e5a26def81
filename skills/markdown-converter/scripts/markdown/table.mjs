// Rows of a pipe table.

/** The alignment of each column, or undefined when the line is no row of dashes. */
export function readAlignment(text) {
  if (!text.includes('-') || !/^[-:| \t]+$/.test(text) || !/[|:]/.test(text)) return undefined;
  const cells = splitRow(text);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map(alignmentOf);
}

function alignmentOf(cell) {
  const left = cell.startsWith(':');
  const right = cell.endsWith(':');
  if (left && right) return 'center';
  return right ? 'right' : left ? 'left' : '';
}

/** The cells without the outer bars; `\|` is a bar inside a cell. */
export function splitRow(text) {
  const row = text.trim();
  const cells = [];
  let cell = '';
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at++) {
    if (row[at] === '\\' && row[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (row[at] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += row[at];
  }
  if (cell.trim() !== '' || cells.length === 0) cells.push(cell.trim());
  return cells;
}
