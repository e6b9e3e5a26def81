import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placesAt } from '../../test/support/world/places.ts';
import { isExecuting, riskOf, TOOL_NAMES } from '../tools/list.ts';
import type { Beyond } from './asking.ts';
import { decide, policyHash } from './decide.ts';
import { explainLines } from './explain.ts';
import type { AskedCall, Policy } from './policy.ts';

const places = placesAt('/p', '/home/u', ['/p/mybox']);
const each: Policy = { settings: { default: 'ask' }, places, tier: 'S3' };
const effects: Policy = { ...each, effectsOnly: 'setting' };
const SCRIPT: AskedCall = { tool: 'run_script', script: 'scripts/x.py' };
const WRITE: AskedCall = { tool: 'write_file', paths: { path: '/p/a.txt' }, inLayer: true };
const RESULT: AskedCall = { tool: 'write_file', paths: { path: '/p/mybox/a.txt' }, inLayer: true };

const BEYOND: readonly Beyond[] = ['hosts', 'variables', 'home', 'device', 'program'];

test('scripts, commands and file tools that stay inside need no yes; each call is asked about unless chosen', () => {
  const calls = [SCRIPT, { tool: 'run_command', argv: ['ls'] }, WRITE];
  for (const call of calls) {
    assert.equal(decide(call, each).effect, 'ask', call.tool);
    const decision = decide(call, effects);
    assert.deepEqual([decision.effect, decision.inside], ['allow', true], call.tool);
  }
  assert.deepEqual([decide(RESULT, each).inside, decide(RESULT, effects).inside], [undefined, true]);
});

test('whatever leaves the sandbox or the layer is asked about', () => {
  const asked: [AskedCall, Partial<Policy>][] = [
    [{ ...SCRIPT, network: true }, {}],
    [{ tool: 'network_request', url: 'https://example.com/' }, {}],
    ...BEYOND.map((beyond): [AskedCall, Partial<Policy>] => [{ ...SCRIPT, beyond: [beyond] }, {}]),
    [{ ...SCRIPT, finding: true }, {}],
    [{ ...WRITE, finding: true }, {}],
    [SCRIPT, { tier: 'S1' }],
    [SCRIPT, { tier: 'S0' }],
    [SCRIPT, { places: placesAt('/p', '/home/u', ['/elsewhere']) }],
    [{ ...WRITE, inLayer: false }, {}],
    [{ ...WRITE, obeyed: [{ path: 'AGENTS.md', by: { en: 'agents', zh: '智能体' } }] }, {}],
    [SCRIPT, { project: { ask: 'each' } }],
    [RESULT, { project: { ask: 'each' } }],
  ];
  for (const [call, change] of asked) {
    const { effect, inside } = decide(call, { ...effects, ...change });
    assert.deepEqual([effect, inside], ['ask', undefined], JSON.stringify([call, change]));
  }
});

test('a list of the project says which tools need a yes, not how often one is asked; what is denied stays denied', () => {
  assert.equal(decide(SCRIPT, { ...effects, project: { requireApprovalFor: ['run_script'] } }).effect, 'allow');
  assert.equal(decide(SCRIPT, { ...effects, project: { ask: 'effects' } }).effect, 'allow');
  assert.equal(decide(SCRIPT, { ...each, project: { ask: 'effects' } }).effect, 'ask');
  for (const change of [{ denied: ['run_script'] }, { default: 'deny' as const }])
    assert.equal(decide(SCRIPT, { ...effects, project: change }).effect, 'deny');
});

test('asking about effects only never turns a refusal, a guarded path or a call over the network into a yes', () => {
  const call = fc.record({
    tool: fc.constantFrom(...TOOL_NAMES),
    network: fc.boolean(),
    inLayer: fc.boolean(),
    finding: fc.boolean(),
    beyond: fc.subarray([...BEYOND]),
  });
  const policy = fc.record({
    settings: fc.record({ default: fc.constantFrom('ask' as const, 'deny' as const) }),
    tier: fc.constantFrom('S3' as const, 'S2' as const, 'S1' as const, 'S0' as const),
  });
  fc.assert(
    fc.property(call, policy, (asked, change) => {
      const before = decide(asked, { ...each, ...change });
      const after = decide(asked, { ...effects, ...change });
      if (before.effect !== 'ask') assert.equal(after.effect, before.effect);
      else if (after.effect !== 'ask') {
        assert.equal(after.inside, true);
        assert.ok(!asked.network && !asked.finding && asked.beyond.length === 0 && riskOf(asked.tool) !== 'low');
        assert.ok(isExecuting(asked.tool) ? ['S2', 'S3'].includes(change.tier) : asked.inLayer);
      }
    }),
  );
});

test('a yes means the same in both modes, and the reason stands in the explanation', () => {
  assert.equal(policyHash(each), policyHash(effects));
  const inside = explainLines(decide(SCRIPT, effects), 'en').join('\n');
  assert.match(inside, /user settings +allow +execution\.ask: effects: it stays inside S3/);
  const outside = explainLines(decide({ ...SCRIPT, network: true }, { ...effects, effectsOnly: 'option' }), 'en');
  assert.match(outside.join('\n'), /--ask effects, but it reaches the network/);
  const project = explainLines(decide(SCRIPT, { ...effects, project: { ask: 'each' } }), 'zh').join('\n');
  assert.match(project, /项目配置 +需批准 +execution\.ask: each/);
});
