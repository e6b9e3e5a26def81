// The authoring kit for TypeScript and JavaScript: one file without dependencies, so that a skill can bundle it.
import { readFileSync, writeSync } from 'node:fs';

/** What one parameter of an action may be; it is checked before the action runs. */

/** Who asks, and what an action can say while it runs. */

/** The value of a rule under a key; by key and not by shape, which TypeScript 5 checks before it has inferred the rule. */

/** The checked parameters as `run` gets them: only those neither required nor with a default can be absent. */

/** One action: its parameters, and what it does with them; what it returns is the data of the answer. */

/** A skill by its actions, as `defineSkill` takes it; `describe` and `test` come by themselves. */

/** A failure with a code of the protocol, or one of the skill's own. */
export class SkillError extends Error {
  code;
  details;
  constructor(code, message, details) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

const TEXT = { type: 'string', required: true };
/** The parameters of the usual actions, for `params` of an action of that name. */
export const USUAL_PARAMS = {
  analyze: { target: TEXT, days: { type: 'integer', default: 7, minimum: 1 } },
  report: { type: { type: 'string', default: 'daily' }, format: { type: 'string', default: 'markdown' } },
  fetch: { source: TEXT, query: { type: 'string', default: '' } },
  push: { destination: TEXT, data: { type: 'object', required: true } },
};

/** A skill with its parameter types erased. */

const PROTOCOL = '1.0';
const DEFAULT_TIMEOUT = 300;

/** Reads one request from stdin, runs its action, prints one response. */

export async function defineSkill(skill) {
  console.log = console.error;
  const startedAt = Date.now();
  const request = readRequest();
  const action = request?.action;
  const session = { cleanups: [] };
  const cleanup = () => runCleanups(session.cleanups);
  process.once('SIGTERM', () => void cleanup().finally(() => process.exit(143)));
  try {
    if (!request) return;
    const data = await withinTime(skill.timeout ?? DEFAULT_TIMEOUT, runAction(skill, request, session));
    const { message } = session;
    answer({ success: true, action, data, ...(message && { message }), metadata: metadataOf(data, startedAt) });
  } catch (error) {
    answerFailure(error, action, skill);
  } finally {
    await cleanup();
    // An action that timed out may still hold timers and sockets.
    process.exit();
  }
}

function readRequest() {
  let input;
  try {
    input = JSON.parse(readFileSync(0, 'utf8'));
  } catch (error) {
    return fail('INVALID_JSON', `Failed to parse input JSON: ${messageOf(error)}`);
  }
  if (process.env.SKILL_DEBUG === '1') console.error(`Input data: ${JSON.stringify(input)}`);
  if (!isRecord(input)) return fail('INVALID_JSON', 'Failed to parse input JSON: not an object');
  const context = isRecord(input.context) ? input.context : {};
  return { action: typeof input.action === 'string' ? input.action : '', params: input.params ?? {}, context };
}

/** The cleanup and the message one request collects for its end. */

async function runAction(skill, request, session) {
  if (request.action === '') throw new SkillError('MISSING_PARAM', 'Missing required parameters: [action]');
  if (!Object.hasOwn(skill.actions, request.action)) return builtInAction(skill, request, session);
  const rule = skill.actions[request.action];
  if (!isRecord(request.params)) throw new SkillError('INVALID_PARAM', 'params must be an object', { param: 'params' });
  const params = checkParams(rule.params ?? {}, request.params);
  return (await rule.run(params, makeContext(request.context, session))) ?? {};
}

async function builtInAction(skill, request, session) {
  if (request.action === 'describe') return describe(skill);
  if (request.action === 'test') return await tryExamples(skill, request, session);
  throw new SkillError('UNKNOWN_ACTION', `Unknown action: ${request.action}`);
}

function describe(skill) {
  const actions = Object.entries(skill.actions).map(([name, { description, params = {} }]) => ({
    name,
    description,
    params,
  }));
  const { name, description, version } = skill;
  return { protocol: PROTOCOL, name, description, version, actions };
}

async function tryExamples(skill, request, session) {
  const tried = [];
  for (const [action, { example }] of Object.entries(skill.actions)) {
    if (!example) continue;
    await runAction(skill, { ...request, action, params: example }, session);
    tried.push(action);
  }
  session.message = `tried ${tried.length} of ${Object.keys(skill.actions).length} actions`;
  return { status: 'ok', tried };
}

/** Missing ones first and all at once, then each value against its rule; defaults fill the rest. */
export function checkParams(rules, given) {
  const missing = Object.keys(rules).filter((name) => rules[name]?.required && given[name] === undefined);
  if (missing.length > 0) {
    throw new SkillError('MISSING_PARAM', `Missing required parameters: [${missing.join(', ')}]`, { missing });
  }
  const params = { ...given };
  for (const [name, rule] of Object.entries(rules)) {
    if (params[name] === undefined && rule.default !== undefined) params[name] = rule.default;
    if (params[name] === undefined) continue;
    const wrong = whatIsWrong(params[name], rule);
    if (wrong) throw new SkillError('INVALID_PARAM', `${name} ${wrong}`, { param: name, value: params[name] });
  }
  return params;
}

function whatIsWrong(value, rule) {
  if (!hasType(value, rule.type)) return `must be of type ${rule.type}`;
  if (rule.enum && !rule.enum.includes(value)) return `must be one of ${rule.enum.join(', ')}`;
  if (rule.minimum !== undefined && Number(value) < rule.minimum) return `must be at least ${rule.minimum}`;
  if (rule.maximum !== undefined && Number(value) > rule.maximum) return `must be at most ${rule.maximum}`;
  return undefined;
}

function hasType(value, type) {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isRecord(value) : typeof value === type;
}

function makeContext(ids, session) {
  return {
    ...ids,
    debug: process.env.SKILL_DEBUG === '1',
    progress: (fraction, text = 'complete') => console.error(`${Math.round(fraction * 100)}% ${text}`),
    log: (text) => console.error(text),
    say: (message) => {
      session.message = message;
    },
    onCleanup: (release) => session.cleanups.push(release),
  };
}

async function withinTime(seconds, work) {
  const alarm = Promise.withResolvers();
  const timer = setTimeout(
    () => alarm.reject(new SkillError('TIMEOUT', `Ran longer than ${seconds} s`)),
    seconds * 1000,
  );
  // An error thrown in a callback that nothing awaits is a failure of the action too.
  process.on('uncaughtException', alarm.reject);
  try {
    return await Promise.race([work, alarm.promise]);
  } finally {
    clearTimeout(timer);
    process.off('uncaughtException', alarm.reject);
  }
}

async function runCleanups(cleanups) {
  for (const release of cleanups.splice(0).reverse()) {
    try {
      await release();
    } catch (error) {
      console.error(`cleanup failed: ${messageOf(error)}`);
    }
  }
}

function metadataOf(data, startedAt) {
  const items = isRecord(data) && Array.isArray(data.items) ? data.items : data;
  return { execution_time_ms: Date.now() - startedAt, ...(Array.isArray(items) && { items_count: items.length }) };
}

function answerFailure(error, action, skill) {
  const failure = error instanceof SkillError ? error : outsideFailure(error);
  if (failure !== error) console.error(error);
  if (!failure) {
    fail('INTERNAL_ERROR', messageOf(error));
    return;
  }
  const { code, message, details } = failure;
  const supported = code === 'UNKNOWN_ACTION' && {
    supported_actions: [...new Set([...Object.keys(skill.actions), 'describe', 'test'])],
  };
  answer({ success: false, action, error: { code, message, ...(details && { details }), ...supported } });
}

const OUTSIDE = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|CERT_|ERR_TLS_|UND_ERR_)/;

/** Somebody else failed: a refused or broken connection, a name nobody knows, anywhere below the error. */
function outsideFailure(error) {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall = '', message } = error;
  if (syscall === 'connect' || OUTSIDE.test(code)) return new SkillError('EXTERNAL_SERVICE_ERROR', message || code);
  const inner = [error.cause, ...(error instanceof AggregateError ? error.errors : [])].map(outsideFailure);
  const found = inner.find((one) => one !== undefined);
  return found && new SkillError(found.code, `${message}: ${found.message}`);
}

// An unexpected failure also sets the exit code.
function fail(code, message) {
  answer({ success: false, error: { code, message } });
  process.exitCode = 1;
}

function answer(response) {
  const bytes = Buffer.from(`${JSON.stringify(response)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSome(bytes, written);
}

// A full pipe returns EAGAIN; retry until the reader makes room.
function writeSome(bytes, from) {
  try {
    return writeSync(1, bytes, from);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
