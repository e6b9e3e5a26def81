// An action in one line, for the trace, the observations and the summary of a run.
import { visible } from '../base/text.ts';
import type { Action } from '../model/action.ts';

const LONGEST = 160;

export function describeAction(action: Action): string {
  const line = visible(
    words(action)
      .filter((word) => word !== '')
      .join(' '),
  );
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}

function words(action: Action): string[] {
  switch (action.type) {
    case 'select_skills':
      return [action.type, action.skills.map(({ name }) => name).join(', ')];
    case 'load_resource':
      return [action.type, action.skill.name, action.relative_path, action.section_hint ?? ''];
    case 'run_script':
      return [action.type, action.skill.name, action.relative_path, ...action.args];
    case 'invoke_skill':
      return [action.type, action.skill.name, action.action ?? '', assignments(action.params)];
    case 'use_tool':
      return [action.type, action.tool, action.skill ? `(${action.skill.name})` : '', assignments(action.args)];
    case 'search_skills':
      return [action.type, action.query];
    case 'final_answer':
      return [action.type];
  }
}

function assignments(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text))
    .join(' ');
}
