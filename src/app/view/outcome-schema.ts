// The JSON Schemas of what we print, written from the same lists the code uses.
import { AGENTS, STATES } from '../../base/outcome.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export const diagnosticSchema = {
  $schema: DIALECT,
  title: 'Skillwright diagnostic',
  type: 'object',
  required: ['code', 'severity', 'path', 'message'],
  properties: {
    code: { type: 'string' },
    severity: { enum: ['error', 'warning', 'info'] },
    path: { type: 'string' },
    line: { type: 'integer', minimum: 1 },
    column: { type: 'integer', minimum: 1 },
    message: { type: 'string' },
    fix: { type: 'string', description: 'the corrected text, or what to do' },
  },
} as const;

export const outcomeSchema = {
  $schema: DIALECT,
  title: 'Skillwright outcome',
  type: 'object',
  required: ['state', 'agent', 'summary', 'data', 'meta'],
  additionalProperties: false,
  properties: {
    state: { enum: STATES },
    agent: { enum: AGENTS },
    summary: { type: 'string', description: 'one sentence for people' },
    data: { type: 'object' },
    meta: {
      type: 'object',
      required: ['agent', 'time', 'ts'],
      additionalProperties: false,
      properties: {
        agent: { enum: AGENTS },
        time: { type: 'number', minimum: 0, description: 'seconds' },
        ts: { type: 'string', format: 'date-time' },
      },
    },
  },
  oneOf: [
    { properties: { state: { enum: STATES.filter((state) => state !== 'error') } } },
    {
      properties: {
        state: { const: 'error' },
        data: {
          required: ['type', 'msg', 'recoverable', 'code'],
          properties: {
            type: { type: 'string' },
            msg: { type: 'string' },
            recoverable: { type: ['boolean', 'null'] },
            code: { type: 'string' },
            details: { type: 'object' },
          },
        },
      },
    },
  ],
} as const;
