import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../test/support/changed/changed-source.ts';
import { count } from '../../test/support/support.ts';
import { placesAt } from '../../test/support/world/places.ts';
import { findTool, TOOL_NAMES } from '../tools/list.ts';
import type { ToolName } from '../tools/tool-name.ts';
import { decide, policyHash } from './decide.ts';
import { type Allowance, type AskedCall, EFFECTS, type Effect, type Policy, speakLayers } from './policy.ts';

const places = placesAt('/p', '/home/u', ['/p/mybox']);
const fresh: Policy = { settings: { default: 'ask' }, places };
const lax: Policy = { settings: { default: 'ask', requireApprovalFor: [] }, places };
const reading: readonly ToolName[] = ['read_file', 'list_dir', 'grep'];

function rank(effect: Effect): number {
  return EFFECTS.indexOf(effect);
}

function effectOf(call: AskedCall, policy: Policy): Effect {
  return decide(call, policy).effect;
}

// Every value each layer can take for one tool; the lattice is their product.
function layerValues(tool: ToolName): Partial<Policy>[][] {
  const lists = (name: string): Allowance[] => [
    { name },
    { name, allowedTools: [] },
    { name, allowedTools: [{ tool }] },
    { name, allowedTools: [{ tool: '*' }], network: true },
    { name, allowedTools: [{ tool, pattern: 'zzz' }] },
  ];
  const settings = (['ask', 'deny'] as const).flatMap((byDefault) => [
    { default: byDefault },
    { default: byDefault, requireApprovalFor: [] },
    { default: byDefault, requireApprovalFor: [tool] },
    { default: byDefault, requireApprovalFor: [], enabled: [tool] },
    { default: byDefault, requireApprovalFor: [], denied: [tool] },
  ]);
  const tightenings = [{}, { requireApprovalFor: [tool] }, { default: 'deny' }, { denied: [tool] }] as const;
  const skills = [...lists('skill').map((list) => [list]), [{ name: 'a' }, { name: 'b', allowedTools: [] }]];
  return [
    settings.map((value) => ({ settings: value })),
    [{}, ...tightenings.map((project) => ({ project }))],
    [{}, ...lists('role').map((role) => ({ role }))],
    [{}, ...skills.map((value) => ({ skills: value }))],
    [{}, ...lists('runtime').map((runtime) => ({ runtime }))],
    [{}, ...(['S3', 'S1', 'S0'] as const).map((tier) => ({ tier }))],
  ];
}

/** Calls back with every policy of the lattice and what the strictest of its layers says alone. */
function eachPolicy(
  call: AskedCall,
  values: Partial<Policy>[][],
  visit: (policy: Policy, least: number) => void,
): void {
  const ranked = values.map((layer) =>
    layer.map((part) => ({ part, rank: rank(effectOf(call, { ...lax, ...part })) })),
  );
  const descend = (depth: number, policy: Policy, least: number): void => {
    const layer = ranked[depth];
    if (!layer) visit(policy, least);
    for (const { part, rank } of layer ?? []) descend(depth + 1, { ...policy, ...part }, Math.min(least, rank));
  };
  descend(0, lax, rank('allow'));
}

test('002-37 002-78 threat 28 blocked: over the whole lattice nothing exceeds the strictest layer', () => {
  let combined = 0;
  const plain = (tool: ToolName): AskedCall => ({ tool });
  const wishing = (tool: ToolName): AskedCall => ({ tool, paths: { path: 'mybox/x' }, argv: ['x'], network: true });
  for (const makeCall of [plain, wishing].slice(0, count(2, 1))) {
    for (const tool of TOOL_NAMES) {
      const call = makeCall(tool);
      eachPolicy(call, layerValues(tool), (policy, least) => {
        combined++;
        if (rank(effectOf(call, policy)) !== least) assert.fail(JSON.stringify({ call, policy, least }));
      });
    }
  }
  assert.ok(combined > 300_000, `${combined}`);
});

/** What each layer of this policy says when it stands alone beside the laxest user. */
function alone(call: AskedCall, policy: Policy): number[] {
  const { settings, ...others } = policy;
  const parts: Policy[] = [{ settings, places }];
  for (const [name, value] of Object.entries(others)) parts.push({ ...lax, [name]: value });
  return parts.map((part) => rank(effectOf(call, part)));
}

/** The decision with another way to make one effect of what the layers say. */
function combining(to: string): Promise<typeof import('./decide.ts')> {
  return changed('src/policy/decide.ts', { from: 'strictest(layers)', to });
}

test('threat 28 control: if listing pre-approved, a skill would outrank the user', async () => {
  const policy: Policy = {
    settings: { default: 'ask', denied: ['run_command'] },
    skills: [{ name: 'greedy', allowedTools: [{ tool: '*' }] }],
    places,
  };
  const call = { tool: 'run_command', argv: ['id'] };
  assert.equal(effectOf(call, policy), 'deny');
  const preApproving = await combining(
    "layers.some(({ layer, effect }) => layer === 'skill' && effect === 'allow') ? 'allow' : strictest(layers)",
  );
  assert.equal(preApproving.decide(call, policy).effect, 'allow');
});

test('the strictest layer wins for random policies too', () => {
  const tool = fc.constantFrom<string>(...TOOL_NAMES, 'Bash', 'nonsense');
  const list = fc.record({ name: fc.constant('x'), allowedTools: fc.array(fc.record({ tool })) });
  const policy = fc.record({
    settings: fc.record({ default: fc.constantFrom('ask' as const, 'deny' as const), denied: fc.array(tool) }),
    role: list,
    skills: fc.array(list),
    runtime: list,
    places: fc.constant(places),
  });
  fc.assert(
    fc.property(tool, policy, (name, value) => {
      const all = [...alone({ tool: name }, value)];
      assert.equal(rank(effectOf({ tool: name }, value)), Math.min(...all));
    }),
  );
});

test('002-79 fresh project: reading is allowed, everything else asks; literal "off" with execution.default deny', () => {
  for (const tool of TOOL_NAMES) {
    const isReading = reading.includes(tool);
    assert.equal(effectOf({ tool }, fresh), isReading ? 'allow' : 'ask', tool);
    assert.equal(effectOf({ tool }, { ...fresh, settings: { default: 'deny' } }), isReading ? 'allow' : 'deny', tool);
  }
  const enabled: Policy = { settings: { default: 'deny', enabled: ['run_script'] }, places };
  assert.equal(effectOf({ tool: 'run_script' }, enabled), 'ask');
});

test('require_approval_for: the user may remove a tool, a project may only add', () => {
  const user: Policy = { settings: { default: 'ask', requireApprovalFor: ['write_file', 'network'] }, places };
  assert.equal(effectOf({ tool: 'run_script' }, user), 'allow');
  assert.equal(effectOf({ tool: 'network_request' }, user), 'ask');
  assert.equal(effectOf({ tool: 'run_script' }, { ...user, project: { requireApprovalFor: ['run_script'] } }), 'ask');
  assert.equal(effectOf({ tool: 'read_file' }, { ...user, project: { requireApprovalFor: ['Read'] } }), 'ask');
  assert.equal(effectOf({ tool: 'write_file' }, { ...user, project: { requireApprovalFor: [] } }), 'ask');
});

test('threat 31 blocked: settings a project ships can not loosen anything', () => {
  const shipped = { default: 'ask', requireApprovalFor: [], enabled: [...TOOL_NAMES] } as const;
  for (const settings of [
    { default: 'ask' },
    { default: 'deny' },
    { default: 'ask', denied: [...TOOL_NAMES] },
  ] as const) {
    for (const tool of TOOL_NAMES) {
      const before = effectOf({ tool }, { settings, places });
      assert.equal(effectOf({ tool }, { settings, project: shipped, places }), before);
    }
  }
});

test('threat 31 control: the same settings loosen when they are taken for the user', () => {
  const shipped = { default: 'ask', requireApprovalFor: [] } as const;
  assert.equal(effectOf({ tool: 'run_command' }, fresh), 'ask');
  assert.equal(effectOf({ tool: 'run_command' }, { settings: shipped, places }), 'allow');
});

test('002-08 threat 29 blocked: missing allowed-tools restricts nothing, empty ones everything, listing grants nothing', () => {
  const skill = (allowedTools?: Allowance['allowedTools']): Policy => ({
    ...fresh,
    skills: [{ name: 's', ...(allowedTools && { allowedTools }) }],
  });
  for (const tool of TOOL_NAMES) {
    const runtimeDefault = effectOf({ tool }, fresh);
    assert.equal(effectOf({ tool }, skill()), runtimeDefault, tool);
    assert.equal(effectOf({ tool }, skill([])), 'deny', tool);
    assert.equal(effectOf({ tool }, skill([{ tool }])), runtimeDefault, tool);
    assert.equal(effectOf({ tool }, skill([{ tool: '*' }])), runtimeDefault, tool);
    assert.equal(effectOf({ tool }, skill([{ tool: 'nonsense' }])), 'deny', tool);
  }
});

test('threat 29 control: where listing counts as a grant, a listed tool runs unasked', async () => {
  const policy: Policy = { ...fresh, skills: [{ name: 's', allowedTools: [{ tool: 'run_script' }] }] };
  const listingGrants = await combining("layers.find(({ layer }) => layer === 'skill')?.effect ?? 'deny'");
  assert.equal(effectOf({ tool: 'run_script' }, policy), 'ask');
  assert.equal(listingGrants.decide({ tool: 'run_script' }, policy).effect, 'allow');
});

test('bare Bash covers the own scripts of a skill, a pattern or the own name does not', () => {
  const covers = (rule: { tool: string; pattern?: string }) =>
    effectOf(
      { tool: 'run_script', script: 'scripts/x.py' },
      { ...fresh, skills: [{ name: 's', allowedTools: [rule] }] },
    );
  assert.equal(covers({ tool: 'Bash' }), 'ask');
  assert.equal(covers({ tool: 'Bash', pattern: 'git:*' }), 'deny');
  assert.equal(covers({ tool: 'run_command' }), 'deny');
});

test('002-105 a tool nobody knows is denied whatever the lists say', () => {
  const decision = decide(
    { tool: 'launch_missiles' },
    { ...lax, skills: [{ name: 's', allowedTools: [{ tool: '*' }] }] },
  );
  assert.deepEqual([decision.effect, decision.tool, decision.risk], ['deny', undefined, 'high']);
  assert.equal(findTool('launch_missiles'), undefined);
});

test('a call that belongs to no skill is held to every active list', () => {
  const lists: Allowance[] = [{ name: 'a', allowedTools: [{ tool: 'Read' }] }, { name: 'b' }];
  assert.equal(effectOf({ tool: 'read_file' }, { ...lax, skills: lists }), 'allow');
  assert.equal(effectOf({ tool: 'run_script' }, { ...lax, skills: lists }), 'deny');
});

test('the decision names the role it was made for', () => {
  const policy: Policy = { ...fresh, role: { name: 'analyst', allowedTools: [{ tool: 'read_file' }] } };
  const { effect, layers } = decide({ tool: 'write_file', paths: { path: 'x' } }, policy);
  assert.equal(effect, 'deny');
  assert.match(speakLayers(layers).find(({ layer }) => layer === 'role')?.rule ?? '', /^analyst: /);
});

test('what other tools obey is asked about whatever settings allow, and only a person answers', () => {
  const obeyed = [{ path: 'CLAUDE.md', by: { en: 'coding agents', zh: '编程智能体' } }];
  const lax = { ...fresh, settings: { default: 'ask' as const, requireApprovalFor: [] } };
  for (const file of ['CLAUDE.md', 'mybox/CLAUDE.md']) {
    const asked = { tool: 'write_file', paths: { path: file } };
    assert.equal(effectOf(asked, lax), 'allow');
    const { effect, onlyPerson } = decide({ ...asked, obeyed }, lax);
    assert.deepEqual([effect, onlyPerson], ['ask', true]);
    assert.equal(effectOf({ ...asked, obeyed, byPerson: true }, lax), 'allow');
    assert.equal(effectOf({ ...asked, obeyed }, { ...lax, settings: { default: 'deny' } }), 'deny');
  }
});

test('results and a person’s own edits do not ask, unless writing is off', () => {
  assert.equal(effectOf({ tool: 'write_file', paths: { path: 'mybox/output/x' } }, fresh), 'allow');
  assert.equal(effectOf({ tool: 'write_file', paths: { path: 'mybox/../src/x' } }, fresh), 'ask');
  assert.equal(effectOf({ tool: 'write_file', paths: { path: 'mybox-evil/x' } }, fresh), 'ask');
  assert.equal(effectOf({ tool: 'delete_file', paths: { path: 'mybox/x' } }, fresh), 'ask');
  assert.equal(
    effectOf({ tool: 'write_file', paths: { path: 'mybox/x' } }, { ...fresh, settings: { default: 'deny' } }),
    'deny',
  );
  assert.equal(effectOf({ tool: 'write_file', paths: { path: 'src/x' }, byPerson: true }, fresh), 'allow');
  assert.equal(effectOf({ tool: 'run_command', argv: ['id'], byPerson: true }, fresh), 'ask');
  for (const output of ['/p', '/', '/home']) {
    const wide = { ...fresh, places: placesAt('/p', '/home/u', [output]) };
    assert.equal(effectOf({ tool: 'write_file', paths: { path: 'src/x' } }, wide), 'ask', output);
  }
});

test("file tools refuse Skillwright's own state, by any spelling", () => {
  const own = [
    '.agent/config.json',
    '.agent/runs/x/events.jsonl',
    '.AGENT/config.json',
    'src/../.agent/skills.lock.json',
  ];
  const home = [
    '/home/u/.agent/grants/x.json',
    '/home/u/.agent/keys/audit.key',
    '.agent',
    '.agent./config.json',
    '.ａgent/x',
  ];
  for (const path of [...own, ...home]) {
    for (const tool of ['read_file', 'list_dir', 'grep', 'write_file', 'delete_file']) {
      assert.equal(effectOf({ tool, paths: { path }, byPerson: true }, lax), 'deny', `${tool} ${path}`);
    }
  }
  for (const path of ['.agent/skills/a/SKILL.md', '.agent/evals/x.json', '.agents/skills/x', 'my.agent/x']) {
    assert.equal(effectOf({ tool: 'read_file', paths: { path } }, lax), 'allow', path);
  }
});

test('a call that names two files is decided on both, by what happens to each', () => {
  const move = (from: string, to: string): AskedCall => ({ tool: 'move_file', paths: { from, to } });
  assert.equal(effectOf(move('a', 'b'), fresh), 'ask');
  assert.equal(effectOf(move('a', 'b'), lax), 'allow');
  assert.equal(effectOf(move('.agent/config.json', 'b'), lax), 'deny');
  assert.equal(effectOf(move('a', '.agent/config.json'), lax), 'deny');
  for (const denied of ['move_file', 'delete_file', 'write_file'])
    assert.equal(effectOf(move('a', 'b'), { ...lax, settings: { ...lax.settings, denied: [denied] } }), 'deny', denied);
  const asksTo = (...tools: string[]): Policy => ({ ...lax, settings: { default: 'ask', requireApprovalFor: tools } });
  assert.equal(effectOf(move('a', 'mybox/b'), asksTo('write_file')), 'allow', 'a result');
  assert.equal(effectOf(move('mybox/a', 'b'), asksTo('write_file')), 'ask');
  assert.equal(effectOf(move('mybox/a', 'mybox/b'), asksTo('delete_file')), 'ask');
  const listing = (...patterns: string[]): Policy => ({
    ...lax,
    skills: [{ name: 's', allowedTools: patterns.map((pattern) => ({ tool: 'Move', pattern })) }],
  });
  assert.equal(effectOf(move('in/a', 'in/b'), listing('in/**')), 'allow');
  assert.equal(effectOf(move('in/a', 'out/b'), listing('in/**', 'out/**')), 'allow');
  assert.equal(effectOf(move('in/a', 'src/b'), listing('in/**')), 'deny');
  const { effect, layers } = decide(move('src/a', 'in/b'), listing('in/**'));
  assert.equal(effect, 'deny');
  const [denying] = speakLayers(layers.filter((layer) => layer.effect === 'deny'));
  assert.match(denying?.rule ?? '', /does not cover move_file of src\/a/);
});

test('an argument the tool does not have is judged as if everything happened to its file', () => {
  const settings = { default: 'ask', requireApprovalFor: [], denied: ['delete_file'] } as const;
  assert.equal(effectOf({ tool: 'read_file', paths: { path: 'a' } }, { ...lax, settings }), 'allow');
  assert.equal(effectOf({ tool: 'read_file', paths: { other: 'a' } }, { ...lax, settings }), 'deny');
});

test('the network counts as a tool of its own', () => {
  const declared: Policy = { ...lax, skills: [{ name: 's', network: true }] };
  assert.equal(effectOf({ tool: 'run_script', network: true }, declared), 'allow');
  assert.equal(effectOf({ tool: 'run_script', network: true }, { ...lax, skills: [{ name: 's' }] }), 'deny');
  const asking: Policy = { ...declared, settings: { default: 'ask', requireApprovalFor: ['network'] } };
  assert.equal(effectOf({ tool: 'run_script' }, asking), 'allow');
  assert.equal(effectOf({ tool: 'run_script', network: true }, asking), 'ask');
  const listed: Policy = { ...lax, skills: [{ name: 's', allowedTools: [{ tool: 'run_script' }], network: true }] };
  assert.equal(effectOf({ tool: 'run_script', network: true }, listed), 'allow');
  assert.equal(decide({ tool: 'run_script', network: true }, declared).risk, 'high');
});

test('threat 60 blocked: without a sandbox execution needs a grant that says so', () => {
  const s0 = decide({ tool: 'run_script' }, { ...lax, tier: 'S0' });
  assert.deepEqual([s0.effect, s0.onlyGrant], ['ask', 'S0']);
  assert.equal(effectOf({ tool: 'run_script' }, { ...lax, tier: 'S1' }), 'ask');
  assert.equal(effectOf({ tool: 'read_file' }, { ...lax, tier: 'S0' }), 'allow');
});

test('threat 60 control: where the tier is not known to the decision, the script just runs', () => {
  assert.equal(effectOf({ tool: 'run_script' }, lax), 'allow');
});

test('a policy has another name as soon as anything in it changes', () => {
  assert.equal(policyHash(fresh), policyHash({ places, settings: { default: 'ask' } }));
  assert.notEqual(policyHash(fresh), policyHash({ ...fresh, tier: 'S1' }));
});
