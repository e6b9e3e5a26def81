#!/usr/bin/env node
/**
 * Measures a text and says what stands out in it.
 *
 * Input, one JSON object on stdin:
 *   {"action": "analyze", "params": {"text": "...", "min_length": 1}, "context": {"request_id": "..."}}
 *
 * Output, one JSON object on stdout:
 *   {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}},
 *    "message": "...", "metadata": {"execution_time_ms": 1}}
 *   {"success": false, "action": "analyze", "error": {"code": "MISSING_PARAM", "message": "...", "details": {...}}}
 *
 * define-skill.mts reads the request, checks the parameters, answers `describe` and `test`, and turns
 * exceptions into answers. Logs go to stderr; SKILL_DEBUG=1 shows more of them.
 */
import { defineSkill, SkillError } from './define-skill.mts';

const TIMEOUT = 300;

function measure(text: string, minLength: number) {
  const words = text.split(/\s+/).filter((word) => word !== '' && size(word) >= minLength);
  const metrics = { lines: text.replace(/\n$/, '').split('\n').length, words: words.length, characters: size(text) };
  const insights = [`words: ${metrics.words}, lines: ${metrics.lines}`];
  if (words.length > 0) insights.push(`longest word: ${words.reduce((a, b) => (size(b) > size(a) ? b : a))}`);
  return { insights, metrics };
}

/** Characters as people count them, not UTF-16 units. */
function size(text: string): number {
  return Array.from(text).length;
}

// One entry for each action; say the same in `actions` of SKILL.md, so that callers know before they call.
await defineSkill({
  name: 'skill-name',
  version: '0.1.0',
  timeout: TIMEOUT,
  actions: {
    analyze: {
      description: 'Measures a text.',
      params: {
        text: { type: 'string', required: true },
        min_length: { type: 'integer', default: 1, minimum: 1 },
      },
      example: { text: 'one two\nthree' },
      run({ text, min_length }, context) {
        if (text.trim() === '') throw new SkillError('DATA_NOT_FOUND', 'the text is empty');
        const measured = measure(text, min_length);
        context.say(`words measured: ${measured.metrics.words}`);
        return measured;
      },
    },
  },
});
