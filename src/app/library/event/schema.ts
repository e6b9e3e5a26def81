// The JSON Schema of the events of a run, type by type; what it does not name may be added later.
import { STATES } from '../../../base/outcome.ts';
import { outcomeSchema } from '../../view/outcome-schema.ts';
import type { RunEvent } from '../public/event.ts';

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const NUMBER = { type: 'number', minimum: 0 } as const;

const ENDED = {
  type: 'object',
  required: ['state', 'summary', 'meta', 'document'],
  properties: {
    state: { enum: STATES },
    summary: TEXT,
    runId: TEXT,
    result: { type: 'object' },
    changes: { type: 'object' },
    question: { type: 'object', required: ['id', 'text', 'expires'] },
    waitsFor: { enum: ['approval', 'changes', 'decisions', 'resume'] },
    missing: { type: 'array', items: TEXT },
    error: { type: 'object', required: ['type', 'code', 'message', 'recoverable'] },
    next: TEXT,
    warnings: { type: 'array', items: TEXT },
    meta: { type: 'object', required: ['agent', 'seconds', 'at'] },
    document: { type: 'object', required: outcomeSchema.required, description: 'as `schema outcome` describes it' },
  },
} as const;

const QUESTIONS = ['call', 'host', 'network', 'changes', 'budget'] as const;

const FIELDS: Readonly<Record<RunEvent['type'], Readonly<Record<string, object>>>> = {
  started: { runId: TEXT, model: TEXT },
  turn: { turn: COUNT, depth: COUNT },
  text: { text: TEXT },
  retry: { reason: TEXT },
  action: { turn: COUNT, depth: COUNT, kind: TEXT, action: TEXT, tokens: COUNT, milliseconds: NUMBER },
  observation: { turn: COUNT, depth: COUNT, state: TEXT, summary: TEXT },
  progress: { fraction: { ...NUMBER, maximum: 1 }, message: TEXT },
  question: {
    question: { type: 'object', required: ['about', 'text'], properties: { about: { enum: QUESTIONS }, text: TEXT } },
  },
  answer: { about: { enum: QUESTIONS }, answer: {} },
  ended: { outcome: ENDED },
};

export const runEventSchema = {
  $schema: outcomeSchema.$schema,
  title: 'Skillwright run event',
  oneOf: Object.entries(FIELDS).map(([type, fields]) => ({
    type: 'object',
    required: ['type', ...Object.keys(fields)],
    properties: { type: { const: type }, ...fields },
  })),
};
