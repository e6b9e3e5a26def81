// Frames around parts of the prompt, and escaping so that outside text cannot open or close one.
import { removeHidden } from '../base/text.ts';

const FRAMES = [
  'rules',
  'whereabouts',
  'servers',
  'role',
  'request',
  'original',
  'normalized',
  'named_skills',
  'skills',
  'skill',
  'names',
  'more',
  'instructions',
  'files',
  'usage',
  'run_state',
  'plan',
  'budget',
  'tools',
  'observations',
  'observation',
  'correction',
] as const;

export type FrameName = (typeof FRAMES)[number];

const LOOKS_LIKE_FRAME = new RegExp(`<(?=\\s*/?\\s*(?:${FRAMES.join('|')}|system|assistant|user)\\b)`, 'gi');

/** Untrusted text: it can say anything, and stays inside its frame. */
export function asData(text: string): string {
  return removeHidden(text).replace(LOOKS_LIKE_FRAME, '&lt;');
}

export function frame(name: FrameName, content: string, attributes: Readonly<Record<string, string>> = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${asAttribute(value)}"`);
  return `<${name}${written.join('')}>\n${content}\n</${name}>`;
}

export function asAttribute(value: string): string {
  const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return removeHidden(value)
    .replace(/\s+/g, ' ')
    .replace(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}
