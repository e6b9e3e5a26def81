// The actions a script speaks of, found in its text: what can be offered, or tried, where nobody declared any.
import path from 'node:path';
import { readTextIfThere } from '../base/read-file.ts';

const NAME = '["\']([A-Za-z_][\\w-]{0,63})["\']';
/** `action == "x"`, `get("action") == "x"`, `action === 'x'`, `case "x":`, and the keys of what the kits are given. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(`\\baction["']?\\]?\\)?\\s*={2,3}\\s*${NAME}`, 'g'),
  new RegExp(`${NAME}\\s*={2,3}\\s*action\\b`, 'g'),
  new RegExp(`^\\s*case\\s+${NAME}\\s*:`, 'gm'),
  new RegExp(`${NAME}\\s*:\\s*\\{\\s*["']?(?:run|description)["']?\\s*:`, 'g'),
  new RegExp(`${NAME}\\s*:\\s*handle_\\w+`, 'g'),
  /\b([A-Za-z_]\w{0,63})\s*:\s*\{\s*description\s*:/g,
];
const LISTED = /supported_actions["']?\s*[:=]\s*\[([^\]]*)\]/g;

/** Of the script a skill is made of; none where it has no script. */
export function actionsInScript(folder: string, entry: string | undefined): string[] {
  return entry === undefined ? [] : spokenActions(readTextIfThere(path.join(folder, entry)) ?? '');
}

/** In the order they are met, each once. */
export function spokenActions(script: string): string[] {
  const listed = [...script.matchAll(LISTED)].flatMap(([, list = '']) =>
    [...list.matchAll(new RegExp(NAME, 'g'))].map(([, name = '']) => name),
  );
  const found = PATTERNS.flatMap((pattern) => [...script.matchAll(pattern)]).sort((a, b) => a.index - b.index);
  return [...new Set([...listed, ...found.map(([, name = '']) => name)])];
}
