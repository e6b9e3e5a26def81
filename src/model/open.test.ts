import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../base/errors.ts';
import { chooseModel, isLocalModel } from './choice.ts';
import type { Model } from './model.ts';
import { openModel } from './open.ts';
import type { ModelSettings } from './settings.ts';

const SECRET = 'sk-secret';
const settings: ModelSettings = {
  provider: 'openai-compatible',
  name: 'm',
  baseUrl: 'http://127.0.0.1:9/v1',
  params: {},
  timeoutSeconds: 10,
  retries: 0,
};

function open(given: ModelSettings, env: Record<string, string> = {}): Promise<Model> {
  return chooseModel({
    settings: given,
    written: given.provider,
    folder: '/nowhere',
    answered: 0,
    offline: () => Promise.reject(new Error('not asked for')),
    remote: (remote) => openModel(remote, { env }),
  });
}

async function refusal(over: Record<string, unknown>, env: Record<string, string> = {}): Promise<string> {
  const { name, baseUrl, ...rest } = { ...settings, ...over } as ModelSettings;
  const given = { ...rest, ...(name !== undefined && { name }), ...(baseUrl !== undefined && { baseUrl }) };
  const thrown = await open(given, env).catch((error: unknown) => error);
  assert.ok(thrown instanceof Fault && thrown.type === 'ConfigInvalid');
  assert.doesNotMatch(JSON.stringify([thrown.message, thrown.detail, thrown.hint, thrown.stack]), /secret/);
  return thrown.detail.en;
}

test('002-100 a missing key is told by the name of its variable, before anything is sent', async () => {
  assert.match(await refusal({ provider: 'anthropic' }), /ANTHROPIC_API_KEY/);
  assert.match(await refusal({ keyEnv: 'MY_KEY' }), /MY_KEY/);
  assert.match(await refusal({ keyEnv: 'MY_KEY' }, { MY_KEY: '  ' }), /MY_KEY/);
});

test('002-100 settings that cannot work are named, and no secret in them is repeated', async () => {
  assert.match(await refusal({ keyEnv: 'MY_KEY' }, { MY_KEY: `${SECRET}\nx` }), /MY_KEY/);
  assert.match(await refusal({ baseUrl: `https://user:${SECRET}@example.test/v1` }), /base_url/);
  assert.match(await refusal({ baseUrl: `https://example.test/v1?key=${SECRET}` }), /base_url/);
  assert.match(await refusal({ baseUrl: undefined }), /base_url/);
  assert.match(await refusal({ name: undefined }), /model\.name/);
  assert.match(await refusal({ provider: 'elsewhere' }), /elsewhere/);
  assert.match(await refusal({ params: { mode: 'both' } }), /mode/);
  assert.match(await refusal({ params: { idle_timeout_seconds: 0 } }), /idle_timeout_seconds/);
  assert.match(await refusal({ provider: 'mock', params: { answers: [1] } }), /answers/);
});

test('002-50 the mock model works with empty params, and says its answers where there are some', async () => {
  const request = { messages: [], schema: {} };
  const empty = await open({ ...settings, provider: 'mock' });
  assert.match((await empty.decide(request)).text, /"final_answer"/);
  const answers = [{ action: { type: 'search_skills', query: 'pdf' } }, 'raw'];
  const scripted = await open({ ...settings, provider: 'mock', params: { answers } });
  assert.match((await scripted.decide(request)).text, /"search_skills"/);
  assert.equal((await scripted.decide(request)).text, 'raw');
});

test('a model of this process is one whose file is named where it needs one, and only there', () => {
  const local = ['offline', 'mock:case.json', 'recorded:kept.json'];
  const others = ['offline:case.json', 'mock', 'recorded', 'anthropic', 'anthropic:name', 'mocked:case.json', ''];
  assert.deepEqual([...local, ...others].filter(isLocalModel), local);
});
