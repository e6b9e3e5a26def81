// A tool in one line, for the model and for the docs: its name and its arguments, as its schema has them.

import { TOOLS } from './list.ts';
import type { Tool, Zod } from './tool.ts';

/** The tools of the action `use_tool`, one a line. */
export function toolLines(zod: Zod): string[] {
  return TOOLS.filter(({ schema }) => schema).map((tool) => {
    const { name, remark } = tool;
    return `${name} {${argumentNames(tool, zod).join(', ')}}${remark === undefined ? '' : `: ${remark}`}`;
  });
}

/** What may be left out has a question mark. */
export function argumentNames({ schema }: Pick<Tool, 'schema'>, zod: Zod): string[] {
  const { properties = {}, required = [] } = schema ? zod.toJSONSchema(schema(zod)) : {};
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
}
