// Servers whose skills are not what they list, lead elsewhere, or never end: nothing of them is installed, nothing of them
// is left behind, and the honest neighbour of each is.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type HostWorld, hostWorld } from '../../support/mcp/host.ts';
import {
  contentOf,
  DROP,
  digestOf,
  HANG,
  type Served,
  type SkillServer,
  served,
  skillServer,
} from '../../support/mcp/skill-server.ts';

/** Escape codes, and marks that turn a text around. */
const CONTROL = new RegExp(`[${['\\u0007', '\\u001b', '\\u202e'].join('')}]`, 'u');

interface Stage {
  readonly world: HostWorld;
  readonly server: SkillServer;
}

async function stage(t: TestContext, skills: readonly Served[], seconds = 20): Promise<Stage> {
  const world = hostWorld(t);
  const server = await skillServer(t, skills);
  world.settle({ odd: { url: server.url, timeout_seconds: seconds } });
  return { world, server };
}

async function install({ world }: Stage, words: readonly string[] = ['odd:pdf', '--yes']) {
  const ran = await world.run(['install', ...words, '--json']);
  return { ...ran, outcome: JSON.parse(ran.stdout) };
}

function assertNothing({ world }: Stage): void {
  const at = (...names: string[]) => path.join(world.project, '.agent', ...names);
  assert.deepEqual(readdirSync(at('skills')), [], 'no skill, and no folder that was prepared for one');
  assert.equal(existsSync(at('skills.lock.json')), false);
  const own = path.join(world.home, '.agent');
  for (const folder of ['installing', 'tmp', 'trash']) {
    const left = existsSync(path.join(own, folder)) ? readdirSync(path.join(own, folder)) : [];
    assert.deepEqual(left, [], folder);
  }
}

/** Installs nothing of the one, for that reason; and the other, where it is not the plain one of the control below. */
async function refusesButTakes(
  t: TestContext,
  bad: Served | readonly Served[],
  good: Served | readonly Served[] | undefined,
  says: RegExp,
): Promise<void> {
  const at = await stage(t, [bad].flat());
  const refused = await install(at);
  assert.deepEqual([refused.code === 0, refused.outcome.state], [false, 'error'], refused.stdout);
  assert.match(`${refused.outcome.data.type}: ${refused.outcome.data.msg}`, says);
  assertNothing(at);
  if (!good) return;
  at.server.skills = [good].flat();
  const taken = await install(at);
  assert.equal(taken.code, 0, taken.stdout);
  assert.equal(existsSync(path.join(at.world.project, '.agent', 'skills', 'pdf', 'SKILL.md')), true);
}

/** The skill after something was done to it. */
function bent(change: (skill: Served) => void, files: Readonly<Record<string, string>> = { 'a.md': 'one\n' }): Served {
  const skill = served('pdf', files);
  change(skill);
  return skill;
}

const A = 'skill://pdf/a.md';

const LIES: readonly [title: string, bad: Served | Served[], good: Served | Served[] | undefined, says: RegExp][] = [
  [
    'a file with other bytes than listed',
    bent(({ files }) => files.set(A, 'two\n')),
    undefined,
    /IntegrityMismatch: .*odd: a\.md has sha256:[0-9a-f]+, and sha256:[0-9a-f]+ was listed/,
  ],
  [
    'a SKILL.md with other bytes than listed',
    bent(({ files }) => files.set('skill://pdf/SKILL.md', '---\nname: pdf\ndescription: Does pdf!\n---\n# pdf\n')),
    undefined,
    /IntegrityMismatch: .*odd: SKILL\.md has sha256/,
  ],
  [
    'a file that is longer than listed',
    bent(({ files }) => files.set(A, 'one\nand more\n')),
    undefined,
    /IntegrityMismatch: .*odd: a\.md has 13 bytes, and 4 were listed/,
  ],
  [
    'a description that is not the one of the file',
    bent(({ entry }) => Object.assign(entry.frontmatter, { description: 'Harmless.' })),
    undefined,
    /IntegrityMismatch: .*SKILL\.md says otherwise than was listed: description/,
  ],
  [
    'a field of the file that was not listed',
    served('pdf', { 'SKILL.md': '---\nname: pdf\ndescription: Does pdf.\nhooks: {start: a.sh}\n---\n' }),
    bent(({ entry, files }) => {
      const text = '---\nname: pdf\ndescription: Does pdf.\nlicense: MIT\n---\n';
      files.set('skill://pdf/SKILL.md', text);
      Object.assign(entry.frontmatter, { license: 'MIT' });
      entry.resources = [{ uri: entry.uri, digest: digestOf(text), size: text.length }];
    }),
    /IntegrityMismatch: .*says otherwise than was listed: hooks/,
  ],
  [
    'a name that is not the one of its address',
    bent(({ entry }) => Object.assign(entry.frontmatter, { name: 'csv-insights' })),
    undefined,
    /IntegrityMismatch: .*called csv-insights, and its address says otherwise/,
  ],
  [
    'one address twice, with different files',
    [served('pdf', { 'a.md': 'one\n' }), served('pdf', { 'a.md': 'two\n' })],
    [served('pdf', { 'a.md': 'one\n' }), served('other', { 'a.md': 'two\n' })],
    /IntegrityMismatch: .*it is listed twice/,
  ],
  [
    'no SKILL.md among its files',
    bent(({ entry }) => {
      entry.resources = [{ uri: A, digest: digestOf('one\n'), size: 4 }];
    }),
    undefined,
    /IntegrityMismatch: .*has no SKILL\.md/,
  ],
  [
    'no digest that anybody could check',
    bent(({ entry }) => {
      entry.resources = 'dynamic';
    }),
    undefined,
    /PermissionDenied: .*made up anew by its server each time/,
  ],
  [
    'a digest of another kind',
    bent(({ entry }) => Object.assign(entry.resources[1] ?? {}, { digest: 'md5:00' })),
    undefined,
    /IntegrityMismatch: .*a file without address, digest or size/,
  ],
  [
    'more than 512 files',
    served('pdf', many(512)),
    served('pdf', many(511)),
    /IntegrityMismatch: .*513 files, at most 512/,
  ],
  [
    'more than 16 MiB, by what it says itself',
    bent(({ entry }) => Object.assign(entry.resources[1] ?? {}, { size: 16 * 1024 * 1024 })),
    served('pdf', { 'a.md': 'x'.repeat(16 * 1024 * 1024 - 200) }),
    /IntegrityMismatch: .*bytes, at most 16777216/,
  ],
];

for (const [title, bad, good, says] of LIES)
  test(`threat 86 blocked and control: a served skill with ${title} is refused`, async (t) => {
    await refusesButTakes(t, bad, good, says);
  });

const NAMES: readonly [title: string, bad: Record<string, string>, good: Record<string, string>, says: RegExp][] = [
  ['a way up', { '../up.md': 'x' }, { 'up.md': 'x' }, /ARCHIVE_PATH: .*segment "\.\."/],
  ['a way up in other letters', { 'a/%2e%2e/%2E%2E/up.md': 'x' }, { 'a/%2e.md': 'x' }, /ARCHIVE_PATH/],
  [
    'a slash in other letters',
    { 'a%2f..%2f..%2fup.md': 'x' },
    { 'a%20b.md': 'x' },
    /IntegrityMismatch: .*no file of it/,
  ],
  ['a path from the root', { '/etc/cron.d/x': 'x' }, { 'etc/cron.d/x': 'x' }, /ARCHIVE_PATH/],
  ['a backslash', { 'a%5c..%5cup.md': 'x' }, { 'a/up.md': 'x' }, /ARCHIVE_PATH: .*a backslash/],
  ['a drive', { 'c:/up.md': 'x' }, { 'c/up.md': 'x' }, /ARCHIVE_PATH: .*an absolute path/],
  [
    'names that differ by case',
    { 'Notes.md': 'x', 'notes.md': 'y' },
    { 'Notes.md': 'x', 'notes2.md': 'y' },
    /ARCHIVE_COLLISION/,
  ],
  ['a second SKILL.md by case', { 'skill.MD': 'x' }, { 'deep/SKILL.md': 'x' }, /ARCHIVE_COLLISION/],
  [
    'names that differ by accents alone',
    { 'caf%C3%A9': 'x', 'cafe%CC%81': 'y' },
    { 'caf%C3%A9': 'x', cafe: 'y' },
    /ARCHIVE_COLLISION/,
  ],
  ['one file in two spellings', { 'a.md': 'x', '%61.md': 'x' }, { 'a.md': 'x', 'b.md': 'x' }, /ARCHIVE_DUPLICATE/],
  ['a file that is a folder as well', { a: 'x', 'a/b.md': 'y' }, { c: 'x', 'a/b.md': 'y' }, /ARCHIVE_COLLISION/],
  ['the name of a device', { 'con.md': 'x' }, { 'cone.md': 'x' }, /ARCHIVE_COLLISION: .*a reserved name/],
  ['a name that ends with a dot', { 'a.md.': 'x' }, { 'a.md': 'x' }, /ARCHIVE_COLLISION: .*ends with a dot/],
  ['an escape code in a name', { '%1b%5b2J.md': 'x' }, { '2J.md': 'x' }, /ARCHIVE_PATH: .*hidden characters/],
  ['a name that reads backwards', { '%E2%80%AEdm.sh': 'x' }, { 'dm.sh': 'x' }, /ARCHIVE_PATH: .*hidden characters/],
  ['compiled code', { 'lib.so': 'x' }, { 'lib.sh': 'x' }, /ARCHIVE_FORMAT: .*compiled code/],
  ['a question behind the name', { 'a.md?version=2': 'x' }, { 'a.md': 'x' }, /IntegrityMismatch: .*no file of it/],
];

for (const [title, bad, , says] of NAMES)
  test(`threat 86 blocked: a served file with ${title} is refused before any is read`, async (t) => {
    const at = await stage(t, [served('pdf', bad)]);
    const refused = await install(at);
    const { type, code, msg } = refused.outcome.data;
    assert.match(`${type === 'IntegrityMismatch' ? type : code}: ${msg}`, says);
    assert.deepEqual(
      at.server.asked.filter((line) => line.startsWith('resources/read')),
      [],
    );
    assertNothing(at);
  });

test('threat 86 control: the honest neighbours of those names are installed, each where it says', async (t) => {
  const good = NAMES.map(([, , files], n) =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`n${n}/${name}`, text])),
  );
  const at = await stage(t, [served('pdf', Object.assign({}, ...good))]);
  assert.equal((await install(at)).code, 0);
  const root = path.join(at.world.project, '.agent', 'skills', 'pdf');
  const names = good.flatMap(Object.keys).map(decodeURIComponent);
  assert.ok(names.length > NAMES.length);
  for (const name of names) assert.equal(existsSync(path.join(root, name)), true, name);
});

test('threat 86 blocked: files of another skill, another server and this machine are none of a served skill', async (t) => {
  for (const uri of ['skill://other/a.md', 'file:///etc/passwd', 'skill://pdf-more/a.md', 'http://127.0.0.1:1/a.md']) {
    const bad = bent(({ entry, files }) => {
      Object.assign(entry.resources[1] ?? {}, { uri });
      files.set(uri, 'one\n');
    });
    const at = await stage(t, [bad]);
    const refused = await install(at);
    assert.match(`${refused.outcome.data.type}: ${refused.outcome.data.msg}`, /IntegrityMismatch: .*is no file of it/);
    assertNothing(at);
  }
});

const BEHAVIOURS: readonly [title: string, bend: SkillServer['bent'], says: RegExp][] = [
  [
    'answers for another file',
    { 'resources/read': () => ({ contents: [contentOf('skill://pdf/b.md', 'one\n')] }) },
    /ExternalServiceError: .*without the file/,
  ],
  ['answers with no file', { 'resources/read': () => ({ contents: [] }) }, /ExternalServiceError: .*without the file/],
  ['answers with a number', { 'resources/read': () => 5 }, /ExternalServiceError/],
  ['never answers', { 'resources/read': () => HANG }, /Timeout/],
  ['does not know a file that it listed', { 'resources/read': () => undefined }, /ExternalServiceError: .*unknown/],
  ['ends the connection', { 'resources/read': () => DROP }, /ExternalServiceError/],
  ['hangs over its list', { 'skills/list': () => HANG }, /Timeout/],
  ['lists a text', { 'skills/list': () => ({ skills: 'all of them' }) }, /ExternalServiceError/],
  [
    'lists nonsense',
    { 'skills/list': () => ({ skills: [5, null, [], { uri: 7 }] }), 'skills/get': () => undefined },
    /DataNotFound: .*serves no skill pdf/,
  ],
  [
    'asks a question in place of an answer',
    { 'resources/read': () => ({ resultType: 'input_required', inputRequests: {} }) },
    /ExternalServiceError/,
  ],
];

for (const [title, bend, says] of BEHAVIOURS)
  test(`threat 87 blocked: a server that ${title} installs nothing`, async (t) => {
    const at = await stage(t, [served('pdf', { 'a.md': 'one\n' })], 4);
    at.server.bent = bend;
    const refused = await install(at);
    assert.equal(refused.outcome.state === 'success', false, refused.stdout);
    assert.match(`${refused.outcome.data.type}: ${refused.outcome.data.msg}`, says);
    assertNothing(at);
  });

test('threat 87 control: the same skill of a server that does none of that is installed', async (t) => {
  const at = await stage(t, [served('pdf', { 'a.md': 'one\n' })]);
  assert.equal((await install(at)).code, 0);
});

test('threat 87 blocked and control: files that drip are given up, all of them together', async (t) => {
  const at = await stage(t, [served('pdf', many(40))], 1);
  const honest = at.server.skills[0]?.files ?? new Map();
  at.server.bent = {
    'resources/read': async ({ uri }) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return { contents: [contentOf(String(uri), honest.get(uri))] };
    },
  };
  const refused = await install(at);
  assert.equal(refused.outcome.data.type, 'Timeout', refused.stdout);
  assertNothing(at);
  at.server.bent = {};
  at.world.settle({ odd: { url: at.server.url } });
  assert.equal((await install(at)).code, 0);
});

test('threat 87 blocked and control: a list without end, and one of too many, are cut, and a skill is still found by its address', async (t) => {
  const at = await stage(t, [served('pdf')]);
  let pages = 0;
  const list = async () => JSON.parse((await at.world.run(['list', '--from', 'odd', '--json'])).stdout).data;
  assert.deepEqual([(await list()).total, (await list()).cut], [1, false]);
  at.server.bent = {
    'skills/list': () => ({ skills: [served(`s${++pages}`).entry], nextCursor: String(pages) }),
  };
  assert.deepEqual([(await list()).total, pages, (await list()).cut], [50, 50, true]);
  at.server.bent = { 'skills/list': () => ({ skills: Array.from({ length: 5000 }, (_, n) => served(`s${n}`).entry) }) };
  assert.equal((await list()).total, 1000);
  assert.equal((await install(at, ['odd:skill://pdf/SKILL.md', '--yes'])).code, 0);
});

test('threat 86 blocked and control: what a server says of a skill is shown as its words, bounded and without escape codes', async (t) => {
  const evil = 'Says \u001b[2J\u001b]0;owned\u0007 it \u202eagain. ';
  const at = await stage(t, [served('pdf', {}, { description: evil.repeat(500) }), served('csv')]);
  at.server.skills[0]?.files.clear();
  for (const words of [
    ['list', '--from', 'odd'],
    ['inspect', 'odd:pdf'],
    ['install', 'odd:pdf'],
  ]) {
    const { stdout, stderr } = await at.world.run(words);
    assert.doesNotMatch(stdout + stderr, CONTROL, words.join(' '));
  }
  const { stdout } = await at.world.run(['list', '--from', 'odd', '--json']);
  const { skills } = JSON.parse(stdout).data;
  assert.deepEqual(
    skills.map(({ name, description }: { name: string; description: string }) => [name, description.length]),
    [
      ['pdf', 1025],
      ['csv', 9],
    ],
  );
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}.md`, `${n}\n`]));
}
