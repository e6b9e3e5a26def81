// The block of `key: value` lines between two `---` at the very start, which many tools write.

const MAX_LINES = 100;

/** The text without the block, and the values a page can use. */
export function splitFrontMatter(text) {
  const lines = /^---[ \t]*\r?\n/.test(text) ? text.split('\n', MAX_LINES) : [];
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  const inside = lines.slice(1, end);
  if (end < 2 || !inside.every(isField)) return { text, values: {} };
  const length = lines.slice(0, end + 1).reduce((sum, line) => sum + line.length + 1, 0);
  return { text: text.slice(length), values: { title: fieldOf(inside, 'title'), language: fieldOf(inside, 'lang') } };
}

function isField(line) {
  return line.trim() === '' || /^(?:\s|#|- )|^[\w.-]+\s*:(?:\s|$)/.test(line);
}

function fieldOf(lines, key) {
  const line = lines.find((one) => one.startsWith(`${key}:`));
  return (
    line
      ?.slice(key.length + 1)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2') || undefined
  );
}
