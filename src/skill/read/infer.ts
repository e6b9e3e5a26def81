// A file without frontmatter: the title and first paragraph a person would read to know what it is.

/** What a Markdown text says about itself; undefined where it does not begin with a title. */
export function inferDescription(text: string): string | undefined {
  const lines = text
    .slice(0, 8192)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/);
  const start = lines.findIndex((line) => line.trim() !== '');
  const title = /^# +(.+)$/.exec(lines[start] ?? '')?.[1]?.trim();
  if (title === undefined) return undefined;
  const paragraph = firstParagraph(lines.slice(start + 1));
  return paragraph === '' ? title : `${title}: ${paragraph}`.slice(0, 1024);
}

function firstParagraph(lines: readonly string[]): string {
  const start = lines.findIndex((line) => /^[^\s#>|`<*_=-]|^\*\*|^_[^_]/.test(line));
  if (start === -1) return '';
  const end = lines.findIndex((line, index) => index > start && line.trim() === '');
  return lines
    .slice(start, end === -1 ? undefined : end)
    .map((line) => line.trim())
    .join(' ');
}
