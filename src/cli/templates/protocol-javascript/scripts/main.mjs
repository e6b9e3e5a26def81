#!/usr/bin/env node
/**
 * Measures a text and says what stands out in it.
 *
 * Input, one JSON object on stdin:
 *   {"action": "analyze", "params": {"text": "...", "min_length": 1}, "context": {"request_id": "..."}}
 *
 * Output, one JSON object on stdout:
 *   {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}},
 *    "message": "...", "metadata": {"execution_time_ms": 1, "items_count": 2}}
 *   {"success": false, "action": "analyze", "error": {"code": "MISSING_PARAM", "message": "...", "details": {...}}}
 *
 * Actions:
 *   analyze   text (required), min_length (default 1)
 *   describe  what this skill can do
 *   test      checks itself
 *
 * Logs go to stderr; SKILL_DEBUG=1 shows more of them.
 */
import { text as readAll } from 'node:stream/consumers';

const NAME = 'skill-name';
const VERSION = '0.1.0';
const PROTOCOL = '1.0';
const TIMEOUT = 300;

/** A failure the caller can understand; it is answered as JSON with exit code 0. */
class SkillError extends Error {
  constructor(code, message, more = {}) {
    super(message);
    this.error = { code, message, ...more };
  }
}

const ACTIONS = {
  analyze: {
    description: 'Measures a text.',
    params: { text: { type: 'string', required: true }, min_length: { type: 'integer', default: 1 } },
    run: analyze,
  },
  describe: { description: 'Says what this skill can do.', params: {}, run: describe },
  test: { description: 'Checks itself.', params: {}, run: test },
};

await main();

async function main() {
  let request;
  try {
    request = readRequest(await readAll(process.stdin));
  } catch (error) {
    return stop({ code: 'INVALID_JSON', message: `Failed to parse input JSON: ${error.message}` });
  }
  log(`Input data: ${JSON.stringify(request)}`);
  try {
    say(await answer(request));
  } catch (error) {
    stop({ code: 'INTERNAL_ERROR', message: error.message });
  }
}

/** Runs one action. Expected failures are answers too. */
async function answer(request) {
  const started = performance.now();
  const { action, params = {} } = request;
  try {
    need(request, 'action');
    if (!Object.hasOwn(ACTIONS, action)) {
      throw new SkillError('UNKNOWN_ACTION', `Unknown action: ${action}`, { supported_actions: Object.keys(ACTIONS) });
    }
    if (!isObject(params)) throw invalid('params', 'an object');
    const { data, message, items } = await withTimeout(ACTIONS[action].run(params));
    const metadata = { execution_time_ms: Math.round(performance.now() - started), items_count: items };
    return { success: true, action, data, message, metadata };
  } catch (failure) {
    if (failure instanceof SkillError) return { success: false, action, error: failure.error };
    throw failure;
  }
}

async function analyze(params) {
  need(params, 'text');
  const { text, min_length: minLength = 1 } = params;
  if (typeof text !== 'string') throw invalid('text', 'a string');
  if (!Number.isInteger(minLength) || minLength < 1) throw invalid('min_length', 'an integer from 1');
  const words = text.split(/\s+/).filter((word) => word !== '' && size(word) >= minLength);
  const metrics = {
    lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length,
    words: words.length,
    characters: size(text),
  };
  const insights = [`${metrics.words} words on ${metrics.lines} lines`];
  if (words.length > 0) insights.push(`longest word: ${words.reduce((a, b) => (size(b) > size(a) ? b : a))}`);
  return { data: { insights, metrics }, message: `measured ${metrics.words} words`, items: words.length };
}

async function describe() {
  const actions = Object.entries(ACTIONS).map(([name, { description, params }]) => ({ name, description, params }));
  const data = { name: NAME, version: VERSION, protocol: PROTOCOL, actions };
  return { data, message: `${actions.length} actions`, items: actions.length };
}

async function test() {
  const { data } = await analyze({ text: 'one two\nthree' });
  const { lines, words, characters } = data.metrics;
  if (lines !== 2 || words !== 3 || characters !== 13) throw new Error('analyze counted wrong');
  return { data: { passed: ['analyze'] }, message: 'all checks passed', items: 1 };
}

function need(values, ...names) {
  const missing = names.filter((name) => values[name] === undefined || values[name] === null);
  if (missing.length === 0) return;
  throw new SkillError('MISSING_PARAM', `Missing required parameters: ${JSON.stringify(missing)}`, {
    details: { missing },
  });
}

function invalid(param, wanted) {
  return new SkillError('INVALID_PARAM', `${param} must be ${wanted}`, { details: { param } });
}

async function withTimeout(work) {
  const late = Promise.withResolvers();
  const timer = setTimeout(
    () => late.reject(new SkillError('TIMEOUT', `took longer than ${TIMEOUT} seconds`)),
    TIMEOUT * 1000,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function readRequest(text) {
  const request = JSON.parse(text);
  if (!isObject(request)) throw new SyntaxError('the request must be an object');
  return request;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters as people count them, not UTF-16 units. */
function size(text) {
  return Array.from(text).length;
}

function say(response) {
  process.stdout.write(`${JSON.stringify(response)}\n`);
}

function stop(error) {
  say({ success: false, error });
  process.exitCode = 1;
}

function log(message) {
  if (process.env.SKILL_DEBUG === '1') console.error(`[${NAME}] ${message}`);
}
