// Text escaped for HTML: hostile text stays text, numbers read the same everywhere.
import { visible, visibleLines } from '../../base/text.ts';

export function escapeHtml(text: string): string {
  return escapeMarks(visible(text));
}

export function escapeLines(text: string): string {
  return escapeMarks(visibleLines(text));
}

export function percent(value: number): string {
  return `${Math.round(value * 1000) / 10} %`;
}

export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : '±'}${percent(Math.abs(value))}`;
}

/** 12,345 with thin spaces, so that long numbers line up and can be read. */
export function amount(value: number): string {
  const [whole = '0', part] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, '\u2009');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

/** A table that scrolls by itself where the page is too narrow for it. */
export function table(name: string, head: readonly string[], rows: readonly string[]): string {
  const titles = head.length > 0 ? `<thead><tr>${head.join('')}</tr></thead>` : '';
  return `<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>${titles}<tbody>${rows.join('')}</tbody></table></div>`;
}

export function column(title: string, isNumber = false): string {
  return `<th scope="col"${isNumber ? ' class="number"' : ''}>${title}</th>`;
}

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeMarks(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}
