// The whole HTML page around the body: title, language, stylesheet, list of contents.
import { escapeHtml } from './html.mjs';

const MIN_CONTENTS = 3;
const CONTENTS_TITLE = { zh: '目录', ja: '目次', ko: '목차', de: 'Inhalt', fr: 'Sommaire' };
// Nothing in the page can run, even if something got past the escaping.
const POLICY = "default-src 'none'; img-src * data:; style-src 'unsafe-inline'";

export function renderPage({ body, headings, title, language, style, contents }) {
  const listed = headings.filter(({ title: own }, index) => index > 0 || own !== title);
  const hasContents = contents === 'yes' || (contents === 'auto' && listed.length >= MIN_CONTENTS);
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(language)}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>\n${style.trim()}\n</style>`,
    '</head>',
    '<body>',
    ...(hasContents && listed.length > 0 ? [renderContents(listed, language)] : []),
    `<main>\n${body}</main>`,
    '</body>',
    '</html>\n',
  ].join('\n');
}

function renderContents(headings, language) {
  const label = CONTENTS_TITLE[language.slice(0, 2)] ?? 'Contents';
  const out = [`<nav aria-label="${label}">\n<p>${label}</p>\n`];
  const levels = [];
  for (const { level, id, title } of headings) {
    while (levels.length > 0 && levels.at(-1) > level) {
      out.push('</li>\n</ul>\n');
      levels.pop();
    }
    if (levels.at(-1) === level) out.push('</li>\n');
    else {
      out.push('<ul>\n');
      levels.push(level);
    }
    out.push(`<li><a href="#${escapeHtml(encodeURIComponent(id.toWellFormed()))}">${escapeHtml(title)}</a>`);
  }
  return `${out.join('')}${'</li>\n</ul>\n'.repeat(levels.length)}</nav>`;
}
