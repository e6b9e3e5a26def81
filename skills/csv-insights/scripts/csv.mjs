// Bytes of a CSV file to rows of texts: encoding, delimiter and quoting as the world writes them.

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE = 64 * 1024;
const SAMPLE_ROWS = 50;

/** UTF-8 and UTF-16 with a mark; else what Chinese or western spreadsheets export. */
export function decodeCsv(bytes) {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  for (const encoding of isUtf16 ? ['utf-16le'] : ['utf-8', 'gb18030']) {
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
    } catch {}
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
}

/** Rows of cells; empty lines are left out. */
export function parseCsv(text, delimiter = detectDelimiter(text)) {
  const reader = { text, delimiter, at: 0 };
  const rows = [];
  while (reader.at < text.length) {
    const row = readRow(reader);
    if (row.length > 1 || row[0] !== '') rows.push(row);
  }
  return { rows, delimiter };
}

/** The one that gives the most rows of the same width, then the widest. */
export function detectDelimiter(text) {
  const sample = text.slice(0, SAMPLE);
  const scores = DELIMITERS.map((delimiter) => {
    const widths = parseCsv(sample, delimiter)
      .rows.slice(0, SAMPLE_ROWS)
      .map((row) => row.length);
    const usual = mostCommon(widths);
    const share = widths.filter((width) => width === usual).length / Math.max(1, widths.length);
    return { delimiter, score: usual > 1 ? share * 1000 + Math.min(usual, 999) : 0 };
  });
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter;
}

function readRow(reader) {
  const cells = [];
  for (;;) {
    cells.push(readCell(reader));
    const next = reader.text[reader.at++];
    if (next === reader.delimiter) continue;
    if (next === '\r' && reader.text[reader.at] === '\n') reader.at++;
    return cells;
  }
}

function readCell(reader) {
  if (reader.text[reader.at] !== '"') return readPlain(reader);
  let cell = '';
  let from = reader.at + 1;
  for (;;) {
    const quote = reader.text.indexOf('"', from);
    if (quote === -1) {
      reader.at = reader.text.length;
      return cell + reader.text.slice(from);
    }
    cell += reader.text.slice(from, quote);
    from = quote + 2;
    if (reader.text[quote + 1] !== '"') {
      reader.at = quote + 1;
      // What follows a closing quote belongs to the cell, wrong as it is.
      return cell + readPlain(reader);
    }
    cell += '"';
  }
}

function readPlain(reader) {
  const from = reader.at;
  while (reader.at < reader.text.length && !isEnd(reader.text[reader.at], reader.delimiter)) reader.at++;
  return reader.text.slice(from, reader.at);
}

function isEnd(character, delimiter) {
  return character === delimiter || character === '\n' || character === '\r';
}

function mostCommon(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}
