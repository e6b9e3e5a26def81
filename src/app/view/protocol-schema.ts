// The JSON Schemas of Skill protocol 1.0: the request a skill reads on stdin, and the response it prints.

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export const requestSchema = {
  $schema: DIALECT,
  title: 'Skill protocol 1.0: request',
  type: 'object',
  required: ['action'],
  properties: {
    action: { type: 'string', minLength: 1, description: 'which of the actions of the skill' },
    params: { type: 'object', description: 'what the action takes; {} where absent' },
    context: {
      type: 'object',
      description: 'who asked; request_id is always sent, agent_id is the role where there is one',
      properties: {
        request_id: { type: 'string' },
        agent_id: { type: 'string' },
        user_id: { type: 'string' },
      },
    },
  },
} as const;

const success = {
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { const: true },
    action: { type: 'string', description: 'the action that was run; filled in where absent' },
    data: { description: 'what came of it' },
    message: { type: 'string', description: 'one sentence for people' },
    metadata: {
      type: 'object',
      properties: {
        execution_time_ms: { type: 'integer', minimum: 0 },
        items_count: { type: 'integer', minimum: 0 },
      },
    },
  },
} as const;

const failure = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    action: { type: 'string', description: 'the action that was tried' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          minLength: 1,
          description: 'one of the usual codes, or one of its own',
          examples: [
            ...['INVALID_JSON', 'UNKNOWN_ACTION', 'MISSING_PARAM', 'INVALID_PARAM', 'TIMEOUT', 'PERMISSION_DENIED'],
            ...['DATA_NOT_FOUND', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'],
          ],
        },
        message: { type: 'string' },
        details: { type: 'object' },
        supported_actions: { type: 'array', items: { type: 'string' }, description: 'beside UNKNOWN_ACTION' },
      },
    },
  },
} as const;

export const responseSchema = {
  $schema: DIALECT,
  title: 'Skill protocol 1.0: response',
  oneOf: [success, failure],
} as const;
