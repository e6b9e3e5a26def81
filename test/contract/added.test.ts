// A new tier, provider, matcher or archive type is one file and an entry in a list: everything else follows.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../support/changed/changed-source.ts';
import { sendJson, startModelServer } from '../support/server/model-server.ts';
import { runCli, temporaryFolder } from '../support/support.ts';

const TIER: Change = {
  file: 'src/process/sandbox/tiers.ts',
  from: 'const LISTED: readonly SandboxTier[] = [bareTier,',
  to: "import { fakeTier } from '../../../test/support/fake/tier.ts'; const LISTED = [bareTier, fakeTier,",
};

test('a tier that is listed is tried, chosen by its rank, named in grants and records, and asked what it can do', async (t) => {
  const place = makePlace(t, TIER);
  place.write('.agent/skills/talks/SKILL.md', SKILL);
  const { sandbox } = (await place.ask('doctor')).data;
  // What its missing capability leaves open is added, and what it says itself.
  assert.deepEqual(sandbox, { tier: 'S4', not_enforced: ['no-limits', 'disk-space'] });
  const grant = await place.ask('grants', 'add', 'talks', '--command', '--tier', 'S4', '--', 'echo', 'hello');
  assert.deepEqual([grant.state, grant.data.tier], ['success', 'S4']);
  // Unasked: by rank it is at least what the grant demands.
  const run = await place.ask('invoke', 'talks');
  assert.deepEqual([run.state, run.data.sandbox], ['success', sandbox], JSON.stringify(run));
});

const PROVIDER: readonly Change[] = [
  {
    file: 'src/model/provider/providers.ts',
    from: "import { anthropic } from './anthropic.ts';",
    to: "import { fakeProvider } from '../../../test/support/fake/provider.ts'; import { anthropic } from './anthropic.ts';",
  },
  {
    file: 'src/model/provider/providers.ts',
    from: 'const REMOTE_PROVIDERS: readonly RemoteProvider[] = [',
    to: 'const REMOTE_PROVIDERS = [fakeProvider, ',
  },
];

test('a provider that is listed is chosen by its name, gets its key and its params, and answers over its own wire', async (t) => {
  const decision = JSON.stringify({ action: { type: 'final_answer', content: 'it works' } });
  const { url, seen } = await startModelServer(t, (response, { body }) => {
    if (body.streamed !== true) return sendJson(response, 200, { said: decision });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(decision);
  });
  const place = makePlace(t, PROVIDER, { FAKE_KEY: 'sesame' });
  const model = { base_url: url, params: { mode: 'json', depth: 2 } };
  place.writeHome('.agent/config.json', JSON.stringify({ model }));
  const { state, data } = await place.ask('run', '--model', 'fake:parrot', 'say something');
  assert.deepEqual([state, data.answer, data.tokens], ['success', 'it works', 10], JSON.stringify(data));
  const [{ path: asked, headers, body } = assert.fail('nothing was asked')] = seen;
  assert.deepEqual([asked, headers['x-key'], body.model], ['/v1/say', 'sesame', 'parrot']);
  assert.deepEqual(body.providerOptions, { fake: { depth: 2 } });
});

const MATCHER: readonly Change[] = [
  {
    file: 'src/evals/matcher/matchers.ts',
    from: "import { custom } from './custom.ts';",
    to: "import { shouts } from '../../../test/support/fake/matcher.ts'; import { custom } from './custom.ts';",
  },
  { file: 'src/evals/matcher/matchers.ts', from: '...[equals, containsAll,', to: '...[shouts, equals, containsAll,' },
];

test('a matcher that is listed is read from a suite and judges, turned around and inside a file, too', async (t) => {
  const place = makePlace(t, MATCHER);
  const says = (id: string, content: string, output: unknown) => ({
    ...{ id, input: 'greet', output, files: { 'a.txt': 'LOUD' } },
    mock: [{ action: { type: 'final_answer', content } }],
  });
  const cases = [
    says('loud', 'HELLO', { shouts: { least: 3 } }),
    says('quiet', 'Hello', { shouts: { least: 3 } }),
    says('turned', 'Hello', { contains_all: 'Hello', not: { shouts: { least: 3 } } }),
    says('inside', 'Hello', { contains_all: 'Hello', file_matches: { path: 'a.txt', shouts: { least: 4 } } }),
  ];
  place.write('.agent/evals/greet.json', JSON.stringify(cases));
  const { data } = await place.ask('eval', 'greet');
  const judged = (data.cases as Data[]).map(({ id, failures }) => [id, failures]);
  const expected = [
    ['loud', []],
    ['quiet', ['output shouts at least 3: 1 capitals']],
    ['turned', []],
    ['inside', []],
  ];
  assert.deepEqual(judged, expected, JSON.stringify(data));
});

const ARCHIVE: Change = {
  file: 'src/distribution/archive/types.ts',
  from: 'const ARCHIVE_TYPES: readonly ArchiveType[] = [zipArchive,',
  to: "import { scrollArchive } from '../../../test/support/fake/archive.ts'; const ARCHIVE_TYPES = [scrollArchive, zipArchive,",
};

test('an archive type that is listed is told by its bytes, and what is in it is installed', async (t) => {
  const place = makePlace(t, ARCHIVE);
  place.write('talks.scroll', `SCROLL talks/SKILL.md\n${SKILL}`);
  const { state, data } = await place.ask('install', 'talks.scroll', '--yes');
  assert.equal(state, 'success', JSON.stringify(data));
  assert.equal(readFileSync(place.at('.agent/skills/talks/SKILL.md'), 'utf8'), SKILL);
});

const SKILL =
  '---\nname: talks\ndescription: Says hello when somebody asks for a greeting.\ncommand: echo hello\n---\n\n# Talks\n';

type Data = Record<string, unknown>;

function makePlace(t: TestContext, change: Change | readonly Change[], env: Record<string, string> = {}) {
  const folder = realpathSync(temporaryFolder(t));
  chmodSync(folder, 0o755);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const made of [project, home]) mkdirSync(made);
  const writeIn = (root: string) => (name: string, content: string | Uint8Array) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  return {
    at: (name: string) => path.join(project, name),
    write: writeIn(project),
    writeHome: writeIn(home),
    async ask(...args: string[]): Promise<{ code: number | null; state: string; data: Data }> {
      const { code, stdout, stderr } = await runCli(['--json', ...args], { cwd: project, home, change, env });
      assert.notEqual(stdout, '', stderr);
      const { state, data } = JSON.parse(stdout);
      return { code, state, data };
    },
  };
}
