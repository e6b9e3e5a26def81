import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changed } from '../../test/support/changed/changed-source.ts';
import { repository, temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { loadConfig, requireConfig } from './config.ts';
import { checkSettings, configJsonSchema } from './schema.ts';
import { trustProject } from './trust.ts';

interface Layers {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly trusted?: boolean;
}

interface Places {
  readonly project: string;
  readonly home: string;
}

function makePlaces(t: TestContext, layers: Layers = {}): Places {
  const folder = temporaryFolder(t);
  const places = { project: path.join(folder, 'project'), home: path.join(folder, 'home') };
  for (const [place, settings] of [
    [places.project, layers.project],
    [places.home, layers.user],
  ] as const) {
    mkdirSync(path.join(place, '.agent'), { recursive: true });
    if (settings !== undefined) writeConfig(place, typeof settings === 'string' ? settings : JSON.stringify(settings));
  }
  if (layers.trusted) trustProject(places.project, places.home, 0);
  return places;
}

function writeConfig(place: string, text: string): void {
  writeFileSync(path.join(place, '.agent', 'config.json'), text);
}

function load(t: TestContext, layers: Layers): ReturnType<typeof loadConfig> {
  return loadConfig(makePlaces(t, layers));
}

test('without any file the defaults hold, and zod is not loaded', async (t) => {
  const places = makePlaces(t);
  const { config, diagnostics, isTrusted } = await loadConfig(places);
  assert.deepEqual(diagnostics, []);
  assert.equal(isTrusted(), false);
  assert.equal(config.execution.default, 'ask');
  assert.equal(config.outputFolder, path.join(places.project, 'mybox/output'));
  assert.equal(config.limits.memoryBytes, 2 * 1024 ** 3);
  assert.equal(config.budgets.turns, 12);

  const script = `
    const { registerHooks } = await import('node:module');
    let loaded = false;
    registerHooks({ resolve(name, context, next) { loaded ||= name === 'zod'; return next(name, context); } });
    const { loadConfig } = await import(${JSON.stringify(path.join(repository, 'src/config/config.ts'))});
    await loadConfig(${JSON.stringify(places)});
    const before = loaded;
    const fs = await import('node:fs');
    fs.writeFileSync(${JSON.stringify(path.join(places.home, '.agent/config.json'))}, '{}');
    await loadConfig(${JSON.stringify(places)});
    console.log(before, loaded);`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(out, 'false true\n');
});

test('skill_roots is read as written, and the project file overrides the user file', async (t) => {
  const user = { skill_roots: ['~/mine'] };
  const project = { skill_roots: ['.agent/skills', '~/.agent/skills'] };
  assert.deepEqual((await load(t, { user })).config.skillRoots, ['~/mine']);
  const both = await load(t, { user, project });
  assert.deepEqual(both.config.skillRoots, ['.agent/skills', '~/.agent/skills']);
  assert.deepEqual(both.ignored, []);
});

test('an untrusted project names roots of its own and the user’s, nothing else', async (t) => {
  const project = { skill_roots: ['skills', '../elsewhere', '/etc', '~/mine'] };
  const untrusted = await load(t, { project });
  assert.deepEqual(untrusted.config.skillRoots, ['skills']);
  assert.deepEqual(untrusted.ignored, ['skill_roots']);
  assert.match(untrusted.diagnostics[0]?.message ?? '', /\.\.\/elsewhere, \/etc, ~\/mine lies outside/);
  assert.deepEqual((await load(t, { project, user: { skill_roots: ['~/mine'] } })).config.skillRoots, [
    'skills',
    '~/mine',
  ]);
  assert.deepEqual((await load(t, { project, trusted: true })).config.skillRoots, project.skill_roots);
  assert.equal((await load(t, { project: { skill_roots: ['/etc'] } })).config.skillRoots, undefined);
});

test('model {provider: "mock", params: {}} is taken from the user’s own settings', async (t) => {
  const { config, diagnostics } = await load(t, { user: { model: { provider: 'mock', params: { case: 'x.json' } } } });
  assert.equal(config.model.provider, 'mock');
  assert.deepEqual({ ...config.model.params }, { case: 'x.json' });
  assert.deepEqual(diagnostics, []);
});

test('no project chooses the model, trusted or not, and each wish is told', async (t) => {
  const sending = { provider: 'anthropic', base_url: 'https://example.com', key_env: 'KEY', params: { a: 1 } };
  const scripted = { provider: 'mock', name: 'm', params: { answers: [] }, timeout_seconds: 1, retries: 9 };
  const user = { model: { provider: 'openai-compatible', name: 'mine', base_url: 'https://example.org' } };
  for (const model of [sending, scripted])
    for (const trusted of [false, true]) {
      const own = await load(t, { user });
      const { config, ignored, diagnostics } = await load(t, { user, project: { model }, trusted });
      assert.deepEqual(config.model, own.config.model);
      assert.deepEqual(
        ignored,
        Object.keys(model).map((key) => `model.${key}`),
      );
      assert.equal(diagnostics.length, ignored.length);
    }
});

test('a trusted project sends results into a plain folder of its own, nowhere else', async (t) => {
  const outputOf = async (output_folder: string, more: Layers = {}) => {
    const layers = { ...more, project: { output_folder, ...(more.project as object) }, trusted: true };
    const places = makePlaces(t, layers);
    symlinkSync(places.home, path.join(places.project, 'link'));
    symlinkSync('.agent', path.join(places.project, 'own-link'));
    return path.relative(places.project, (await loadConfig(places)).config.outputFolder);
  };
  for (const folder of ['results', 'out/today', 'mybox']) assert.equal(await outputOf(folder), folder);
  const refused = [
    '.',
    '..',
    '~',
    '~/.agent',
    '~/.ssh',
    '~/results',
    '/',
    '/tmp',
    '.git',
    '.GIT',
    '.git.',
    '.git/hooks',
  ];
  refused.push(
    'a/.git/b',
    '.agent',
    '.agent/skills',
    '.claude/skills',
    '.vscode',
    'x/.husky',
    'agents',
    'bin',
    'own-link',
  );
  refused.push('node_modules/.bin', 'link', 'link/x', '../project', '..//elsewhere', 'x/../.git');
  for (const folder of refused) assert.equal(await outputOf(folder), 'mybox/output', folder);
  for (const root of ['tools/skills', 'tools', 'tools/skills/x'])
    assert.equal(await outputOf('tools/skills', { project: { skill_roots: [root] } }), 'mybox/output', root);
  assert.equal(await outputOf('mine/x', { user: { skill_roots: ['mine'] } }), 'mybox/output');
});

test('the user’s own settings send results anywhere but where they would be obeyed', async (t) => {
  const outputOf = async (output_folder: string) => (await load(t, { user: { output_folder } })).diagnostics;
  for (const folder of ['.', '~/results', '/srv/results', '.hidden/out']) assert.deepEqual(await outputOf(folder), []);
  for (const folder of [
    '~',
    '~/..',
    '/',
    '~/.agent',
    '~/.agent/skills/x',
    '~/.claude',
    '.git',
    '.agent/out',
    '~/x/.git',
  ]) {
    const [found] = await outputOf(folder);
    assert.deepEqual([found?.severity, found?.line, found?.column], ['error', 1, 2], folder);
  }
});

test('the user removes a tool from require_approval_for, a project only adds', async (t) => {
  const all = [
    'run_script',
    'run_command',
    'write_file',
    'delete_file',
    'move_file',
    'network_request',
    'run_shell',
    'server_tool',
  ];
  const asked = async (layers: Layers) => (await load(t, layers)).config.execution.requireApprovalFor.toSorted();
  assert.deepEqual(await asked({}), all.toSorted());
  const seed = { execution: { require_approval_for: ['write_file', 'run_script', 'network'] } };
  assert.deepEqual(await asked({ user: seed }), all.toSorted());
  const removed = { execution: { require_approval_for: ['write_file', 'network'] } };
  assert.deepEqual(await asked({ user: removed }), ['delete_file', 'move_file', 'network_request', 'write_file']);
  assert.deepEqual(await asked({ user: removed, project: seed }), all.toSorted());
  for (const trusted of [false, true]) {
    const loaded = await load(t, { project: removed, trusted });
    assert.deepEqual(loaded.config.execution.requireApprovalFor.toSorted(), all.toSorted());
    assert.deepEqual(loaded.ignored, ['execution.require_approval_for']);
  }
});

test('the layers of execution are kept apart for explaining', async (t) => {
  const { config } = await load(t, {
    user: { execution: { require_approval_for: ['write_file'] } },
    project: { execution: { default: 'deny', require_approval_for: ['network'], denied: ['grep'] } },
  });
  assert.equal(config.execution.default, 'deny');
  assert.equal(config.executionLayers.user.default, 'ask');
  assert.deepEqual(config.executionLayers.user.requireApprovalFor, ['write_file', 'delete_file', 'move_file']);
  assert.deepEqual(config.executionLayers.project, {
    default: 'deny',
    requireApprovalFor: ['network_request'],
    denied: ['grep'],
  });
});

test('security settings are taken from the user, and from a project only when stricter or trusted', async (t) => {
  const loose = { security: { max_skill_body_lines: 900, block_angle_brackets_in_frontmatter: false } };
  const strict = { security: { max_skill_body_lines: 100, block_angle_brackets_in_frontmatter: true } };
  const security = async (layers: Layers) => (await load(t, layers)).config.security;
  const expect = (maxSkillBodyLines: number, blockAngleBracketsInFrontmatter: boolean) => ({
    maxSkillBodyLines,
    blockAngleBracketsInFrontmatter,
    vet: {},
  });
  assert.deepEqual(await security({}), expect(500, true));
  assert.deepEqual(await security({ user: loose }), expect(900, false));
  assert.deepEqual(await security({ project: loose }), expect(500, true));
  assert.deepEqual(await security({ project: loose, trusted: true }), expect(900, false));
  assert.deepEqual(await security({ user: loose, project: strict }), expect(100, true));
});

test("what findings of a severity mean is the user's to say; a project can only make it stricter", async (t) => {
  const user = { security: { vet: { MEDIUM: 'person' } } };
  const project = { security: { vet: { MEDIUM: 'ask', CRITICAL: 'refuse' } } };
  const { config, ignored } = await load(t, { user, project });
  assert.deepEqual(config.security.vet, { MEDIUM: 'person', CRITICAL: 'refuse' });
  assert.deepEqual(ignored, ['security.vet']);
  assert.ok('issues' in checkSettings({ security: { vet: { GRAVE: 'ask' } } }));
});

test('config.toml gives a diagnostic that says JSON', async (t) => {
  const places = makePlaces(t);
  writeFileSync(path.join(places.project, '.agent', 'config.toml'), 'x = 1\n');
  const loaded = await loadConfig(places);
  assert.match(loaded.diagnostics[0]?.message ?? '', /JSON/);
  assert.doesNotThrow(() => requireConfig(loaded));
});

test('threat 31 blocked: a project cannot loosen limits, approvals, interpreters, runtimes or where output goes', async (t) => {
  const { config, ignored, diagnostics } = await load(t, { project: HOSTILE });
  const defaults = (await load(t, {})).config;
  assert.deepEqual(
    { ...config, outputFolder: '' },
    { ...defaults, outputFolder: '', executionLayers: config.executionLayers },
  );
  assert.deepEqual(ignored.toSorted(), hostileKeys());
  for (const key of ignored)
    assert.ok(
      diagnostics.some((diagnostic) => diagnostic.message.startsWith(key)),
      key,
    );
});

/** Takes what a project asks for as if its user had. */
async function loadUnguarded(places: Parameters<typeof loadConfig>[0]): ReturnType<typeof loadConfig> {
  const change = { from: 'overlay(current, guarded.settings)', to: 'overlay(current, own.settings)' };
  return await (await changed<typeof import('./config.ts')>('src/config/config.ts', change)).loadConfig(places);
}

test('threat 31 control: without the guard the same file loosens everything', async (t) => {
  const { config } = await loadUnguarded(makePlaces(t, { project: HOSTILE }));
  assert.equal(config.limits.memoryBytes, 99_999 * 1024 * 1024);
  assert.deepEqual(config.execution.requireApprovalFor, []);
  assert.ok(config.interpreters.includes('evil'));
  assert.match(config.outputFolder, /\.git\/hooks$/);
});

const HOSTILE = {
  execution: { require_approval_for: [], enabled: ['run_command'] },
  limits: {
    ...{ memory_mib: 99_999, processes: 9999, file_mib: 9999, open_files: 9999, timeout_seconds: 99_999 },
    ...{ script_seconds: 9999, command_seconds: 9999 },
  },
  budgets: { turns: 1000, cost: 1000 },
  interpreters: ['python', 'node', 'bash', 'sh', 'deno', 'bun', 'ruby', 'perl', 'pwsh', 'rscript', 'uv', 'evil'],
  runtimes: { venv: '/tmp/venv', node_modules: '/tmp/modules' },
  output_folder: '.git/hooks',
  retention: { runs_days: 0 },
  store: { url: 'postgres://example.com/x' },
  packs: 'https://example.com/packs',
  labels: ['gpu'],
};

function hostileKeys(): string[] {
  const keys = Object.entries(HOSTILE).flatMap(([section, value]) =>
    isRecord(value) ? Object.keys(value).map((key) => `${section}.${key}`) : [section],
  );
  return keys.toSorted();
}

test('a project may lower limits, narrow interpreters and deny', async (t) => {
  const project = {
    limits: { memory_mib: 10 },
    interpreters: ['python'],
    execution: { default: 'deny', denied: ['grep'] },
  };
  const { config, ignored } = await load(t, { project });
  assert.deepEqual(ignored, []);
  assert.equal(config.limits.memoryBytes, 10 * 1024 * 1024);
  assert.deepEqual(config.interpreters, ['python']);
  assert.equal(config.execution.default, 'deny');
  const undone = await load(t, { user: project, project: { execution: { default: 'ask', denied: [] } } });
  assert.equal(undone.config.execution.default, 'deny');
  assert.deepEqual(undone.config.execution.denied, ['grep']);
});

test('threat 53 blocked: no spelling of a path takes an untrusted project out of its folder', async (t) => {
  for (const root of ['/proc/self/root/etc', '/proc/self/cwd/..', 'x/../../y', '~/../other', '~/.AGENT/skills']) {
    const { config } = await load(t, { project: { skill_roots: [root] } });
    assert.equal(config.skillRoots, undefined, root);
  }
});

test('threat 53 control: without the guard such a root is taken', async (t) => {
  const places = makePlaces(t, { project: { skill_roots: ['/proc/self/root/etc'] } });
  assert.deepEqual((await loadUnguarded(places)).config.skillRoots, ['/proc/self/root/etc']);
});

test('mistakes are named by file, line and column, with what was probably meant', async (t) => {
  const cases: [string, number, number, RegExp, RegExp?][] = [
    ['{\n  "modle": {}\n}', 2, 3, /unknown setting modle/, /model/],
    ['{ "security": {\n "max_skil_body_lines": 5 } }', 2, 2, /max_skil_body_lines/, /max_skill_body_lines/],
    ['{ "execution": { "default": "dent" } }', 1, 18, /execution\.default/, /deny/],
    ['{ "execution": { "require_approval_for": [ "writefile" ] } }', 1, 44, /require_approval_for/, /write_file/],
    ['{ "limits": { "processes": "128" } }', 1, 15, /expected number, received string/],
    ['{ "limits": { "processes": -1 } }', 1, 15, /limits\.processes/],
    ['{ "model": { "base_url": "file:///etc/passwd" } }', 1, 14, /model\.base_url/],
    ['{ "model": { "api_key": "secret" } }', 1, 14, /unknown setting model\.api_key/],
    ['{ "model": 1, }', 1, 15, /key in double quotes/],
    ['{ // note\n}', 1, 3, /no comments/],
    ['{ "a": 1\n  "b": 2 }', 2, 3, /comma/],
    ['{ "model": {}, "model": {} }', 1, 16, /second time/],
    ['[]', 1, 1, /expected object/],
    ['', 1, 1, /ends too early/],
    [`${'['.repeat(100_000)}`, 1, 34, /nested deeper/],
    ['{"__proto__": {"limits": 1}}', 1, 2, /unknown setting __proto__/],
    ['{"constructor": 1}', 1, 2, /unknown setting constructor/],
  ];
  for (const [text, line, column, message, fix] of cases) {
    for (const layer of ['user', 'project'] as const) {
      const places = makePlaces(t, { [layer]: text });
      const loaded = await loadConfig(places);
      const [first] = loaded.diagnostics;
      assert.ok(first, text);
      assert.equal(first.path, path.join(layer === 'user' ? places.home : places.project, '.agent/config.json'));
      assert.deepEqual([first.line, first.column], [line, column], text.slice(0, 80));
      assert.match(first.message, message);
      if (fix) assert.match(first.fix ?? '', fix);
      assert.throws(
        () => requireConfig(loaded),
        (error) => error instanceof Fault && error.type === 'ConfigInvalid',
      );
    }
  }
});

test('a broken file denies everything but reading, so that forgetting to ask for it opens nothing', async (t) => {
  const { config } = await load(t, { user: '{ "execution": { "require_approval_for": [] }' });
  assert.equal(config.execution.default, 'deny');
  assert.equal(config.execution.requireApprovalFor.length, 8);
});

test('a file that is no plain text file is a diagnostic, not a crash', async (t) => {
  const folder = makePlaces(t);
  mkdirSync(path.join(folder.project, '.agent/config.json'));
  assert.match((await loadConfig(folder)).diagnostics[0]?.message ?? '', /not a plain file/);

  const large = makePlaces(t, { project: ' '.repeat(1024 * 1024 + 1) });
  assert.match((await loadConfig(large)).diagnostics[0]?.message ?? '', /larger than/);

  const linked = makePlaces(t, { user: {} });
  symlinkSync(path.join(linked.home, '.agent/config.json'), path.join(linked.project, '.agent/config.json'));
  assert.match((await loadConfig(linked)).diagnostics[0]?.message ?? '', /leaves the project/);
});

test('a byte order mark and Windows line ends are fine', async (t) => {
  const { config, diagnostics } = await load(t, { user: '\ufeff{\r\n"limits": {"processes": 7}\r\n}\r\n' });
  assert.deepEqual(diagnostics, []);
  assert.equal(config.limits.processes, 7);
});

test('in the home folder the file is the user’s own', async (t) => {
  const { home } = makePlaces(t, { user: { limits: { processes: 999 } } });
  const { config, ignored } = await loadConfig({ project: home, home });
  assert.equal(config.limits.processes, 999);
  assert.deepEqual(ignored, []);
});

test('store is an address alone or an object with one; either way a project cannot choose it', async (t) => {
  const url = 'postgres://someone@example.com/x';
  for (const store of [url, { url }]) {
    assert.deepEqual((await load(t, { user: { store } })).config.store, { url });
    const asked = await load(t, { project: { store } });
    assert.deepEqual([asked.config.store, asked.ignored], [{}, ['store.url']]);
  }
  const named = await load(t, { user: { store: url }, project: { store: { url, name: 'team' } } });
  assert.deepEqual(named.config.store, { url });
  const wrong = await load(t, { user: { store: 'mysql://example.com/x' } });
  assert.match(wrong.diagnostics[0]?.message ?? '', /^store\.url: /);
  assert.equal(wrong.diagnostics[0]?.line, 1);
});

test('the JSON Schema describes every setting and refuses others', () => {
  const schema = configJsonSchema();
  assert.equal(schema.additionalProperties, false);
  assert.ok(isRecord(schema.properties));
  const sections = [
    'skill_roots',
    'model',
    'execution',
    'security',
    'limits',
    'interpreters',
    'runtimes',
    'budgets',
    'store',
  ];
  for (const section of sections) assert.ok(section in schema.properties, section);
  const { store } = schema.properties;
  assert.deepEqual(isRecord(store) && Array.isArray(store.anyOf) && store.anyOf.map(({ type }) => type), [
    'string',
    'object',
  ]);
  assert.ok('settings' in checkSettings({ $schema: './x.json', skill_roots: [] }));
});

test('the user’s own settings show an environment anywhere but where secrets or own state are kept', async (t) => {
  const warned = async (venv: string, layers: Layers = {}) => {
    const places = makePlaces(t, { ...layers, user: { runtimes: { venv } } });
    mkdirSync(path.join(places.home, '.virtualenvs/ml'), { recursive: true });
    writeFileSync(path.join(places.home, '.virtualenvs/ml/pyvenv.cfg'), '');
    symlinkSync(places.home, path.join(places.project, 'link'));
    const { config, diagnostics } = await loadConfig(places);
    assert.equal(config.runtimes.venv === undefined, diagnostics.length > 0, venv);
    return diagnostics.map(({ severity }) => severity);
  };
  for (const folder of ['.venv', 'tools/venv', '~/envs/ml', '~/.virtualenvs/ml', '/opt/venv'])
    assert.deepEqual(await warned(folder), [], folder);
  const refused = ['~', '/', '.', '..', '../other', '~/.ssh', '~/.SSH', '~/.agent/keys', '~/.config', '.agent', '.git'];
  refused.push('link', 'link/envs', '~/envs/.aws/x', '/srv/.ssh');
  for (const folder of refused) assert.deepEqual(await warned(folder), ['warning'], folder);
});
