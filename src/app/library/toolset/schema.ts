// The JSON Schemas of the five tools, in and out; names of skills are an enum while there are few.
import { STATES } from '../../../base/outcome.ts';
import type { ToolSchema } from '../public/toolset.ts';

/** More than a model reads with profit in every request. */
const MOST_NAMES = 40;

const TEXT = { type: 'string' } as const;
const WORDS = { type: 'array', items: TEXT } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

export function skillName(names: readonly string[]): ToolSchema {
  const description = 'the name of the skill, as search_skills gives it';
  return names.length > 0 && names.length <= MOST_NAMES
    ? { ...TEXT, description, enum: names }
    : { ...TEXT, description };
}

/** Nothing beside these fields is taken. */
export function input(properties: Readonly<Record<string, object>>, ...required: readonly string[]): ToolSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Every result can also be a failure. */
function output(properties: Readonly<Record<string, object>>): ToolSchema {
  return {
    type: 'object',
    properties: { ok: { type: 'boolean' }, ...properties, error: ERROR, hint: TEXT },
    required: ['ok'],
  };
}

const ERROR = {
  type: 'object',
  properties: { type: TEXT, code: TEXT, message: TEXT, recoverable: { type: ['boolean', 'null'] } },
  required: ['type', 'code', 'message'],
};

const CHANGE = {
  type: 'object',
  properties: { path: TEXT, kind: { enum: ['new', 'changed', 'deleted'] }, bytes: COUNT, guarded: TEXT, refused: TEXT },
  required: ['path', 'kind', 'bytes'],
};
const CHANGES = { type: 'array', items: CHANGE };

export const SEARCH_OUT = output({
  skills: {
    type: 'array',
    items: { type: 'object', properties: { name: TEXT, description: TEXT, score: { type: 'number' } } },
  },
  abstained: { type: 'boolean', description: 'nothing fits well; these are only the nearest' },
});

export const LOAD_OUT = output({
  name: TEXT,
  source: TEXT,
  kind: { enum: ['prompt', 'command', 'protocol'] },
  instructions: TEXT,
  truncated: { type: 'boolean' },
  outline: WORDS,
  resources: WORDS,
  actions: {
    type: 'array',
    items: { type: 'object', properties: { name: TEXT, description: TEXT, params: { type: 'array' } } },
  },
  params: { type: 'array' },
});

export const READ_OUT = output({
  path: TEXT,
  text: TEXT,
  truncated: { type: 'boolean' },
  outline: WORDS,
  unknownSection: TEXT,
});

export const RUN_OUT = output({
  state: { enum: STATES },
  summary: TEXT,
  result: {},
  runId: TEXT,
  missing: WORDS,
  question: { type: 'object', properties: { id: TEXT, text: TEXT, expires: TEXT } },
  changes: { type: 'object', properties: { applied: CHANGES, waiting: CHANGES } },
});

const CALLS = {
  type: 'array',
  items: { type: 'object', properties: { tool: TEXT, state: TEXT, text: { type: ['string', 'null'] } } },
};

export const GET_OUT = output({
  runId: TEXT,
  calls: CALLS,
  changes: { type: 'object', properties: { waiting: CHANGES } },
  questions: {
    type: 'array',
    items: { type: 'object', properties: { id: TEXT, state: TEXT, runId: TEXT, calls: CALLS } },
    description: 'waiting and expired ones, and the end of those that were answered',
  },
});
