// How edits are written in a call, checked before any of them is applied.
import type { Zod } from './tool.ts';

export function editsSchema(zod: Zod) {
  const [text, literal] = [zod.string(), zod.literal];
  const edit = zod.discriminatedUnion('op', [
    zod.strictObject({ op: literal('replace'), old: text, new: text }),
    zod.strictObject({ op: literal('append'), content: text }),
    zod.strictObject({ op: literal('prepend'), content: text }),
    zod.strictObject({ op: literal('insert-after'), marker: text, content: text }),
    zod.strictObject({ op: literal('insert-before'), marker: text, content: text }),
    zod.strictObject({ op: literal('delete-between'), start: text, end: text }),
    zod.strictObject({ op: literal('regex'), pattern: text, replacement: text }),
    zod.strictObject({ op: literal('update-json'), path: text, value: text }),
  ]);
  return zod.array(edit).min(1).max(1000);
}
