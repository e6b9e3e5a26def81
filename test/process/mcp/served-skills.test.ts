// Skills that servers serve: listed and looked at without being fetched, installed through the same door as any other,
// bound to what was shown, and never in the place of a skill that is here.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer, plant, runProcess, select, skillFile } from '../../support/agent-support.ts';
import { skillFiles } from '../../support/door-support.ts';
import { type HostWorld, hostWorld, odd } from '../../support/mcp/host.ts';
import { serveHttp } from '../../support/mcp/http.ts';
import { digestOf, type SkillServer, served, skillServer } from '../../support/mcp/skill-server.ts';
import { commandLine, repository, runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const SCRIPT = 'echo "$1" >> notes.txt\necho noted\n';
const KEEPER = skillFiles(
  'note-keeper',
  'name: note-keeper\ndescription: Notes something down in a file.\nlicense: MIT',
  {
    'scripts/note.sh': SCRIPT,
  },
);

interface Stage {
  readonly world: HostWorld;
  readonly server: SkillServer;
}

async function stage(t: TestContext, ...skills: ReturnType<typeof served>[]): Promise<Stage> {
  const world = hostWorld(t);
  const server = await skillServer(t, skills);
  world.settle({ team: { url: server.url, timeout_seconds: 60 } });
  return { world, server };
}

async function json(world: HostWorld, words: readonly string[], env: Record<string, string> = {}) {
  const ran = await world.run([...words, '--json'], env);
  return { ...ran, outcome: JSON.parse(ran.stdout), data: JSON.parse(ran.stdout).data };
}

function lockOf({ project }: HostWorld) {
  return JSON.parse(readFileSync(path.join(project, '.agent', 'skills.lock.json'), 'utf8')).skills;
}

const installedAt = ({ project }: HostWorld, file: string) => path.join(project, '.agent', 'skills', file);
const reads = ({ asked }: SkillServer) => asked.filter((line) => line.startsWith('resources/read'));

/** Our own server as a program: outside of the sandbox, where it may write its record. */
async function settleOwn({ servers, settle, run }: HostWorld): Promise<void> {
  const [node, team] = [path.join(servers, 'node'), path.join(servers, 'team')];
  const real = realpathSync(process.execPath);
  try {
    linkSync(real, node);
  } catch {
    copyFileSync(real, node);
  }
  plant(team, KEEPER);
  mkdirSync(path.join(team, '.agent'), { recursive: true });
  settle({ team: { command: [node, commandLine(), 'mcp', '--project', team], read: [servers, repository] } });
  const given = await run(['grants', 'add', 'mcp:team', '--outside']);
  assert.equal(given.code, 0, given.stderr);
}

async function overBoth(t: TestContext, work: (world: HostWorld, env: Record<string, string>) => Promise<void>) {
  const piped = hostWorld(t);
  await settleOwn(piped);
  await work(piped, {});
  const { port, token } = await serveHttp(t, KEEPER);
  const addressed = hostWorld(t);
  addressed.settle({ team: { url: `http://127.0.0.1:${port}/mcp`, token_env: 'TEAM_TOKEN' } });
  await work(addressed, { TEAM_TOKEN: token });
}

test('skills of our own server, over pipes and over HTTP, are listed, looked at and installed as they are in its folder', async (t) => {
  await overBoth(t, async (world, env) => {
    const { data: list } = await json(world, ['list', '--from', 'team'], env);
    const named = (name: string) => list.skills.find((skill: { name: string }) => skill.name === name);
    assert.deepEqual([named('note-keeper').installed, named('note-keeper').others], [[], []]);
    assert.deepEqual(
      named('csv-insights').others.map(({ source }: { source: string }) => source),
      ['builtin'],
    );
    const { data: seen, ...looked } = await json(
      world,
      ['inspect', 'team:note-keeper', '--file', 'scripts/note.sh'],
      env,
    );
    assert.equal(looked.code, 0, looked.stdout);
    assert.deepEqual(seen.frontmatter, {
      name: 'note-keeper',
      description: 'Notes something down in a file.',
      license: 'MIT',
    });
    const file = seen.files.find((one: { path: string }) => one.path === 'scripts/note.sh');
    assert.deepEqual([file.digest, file.size, seen.read.text], [digestOf(SCRIPT), SCRIPT.length, SCRIPT]);
    const done = await json(world, ['install', 'team:note-keeper', '--yes'], env);
    assert.equal(done.code, 0, done.stdout);
    assert.equal(readFileSync(installedAt(world, 'note-keeper/scripts/note.sh'), 'utf8'), SCRIPT);
    const [locked] = lockOf(world);
    assert.deepEqual(locked.source, {
      kind: 'mcp',
      location: 'mcp:team:skill://note-keeper/SKILL.md',
      digest: seen.skill.digest,
    });
    const { data: after } = await json(world, ['list', '--from', 'team'], env);
    const again = after.skills.find(({ name }: { name: string }) => name === 'note-keeper');
    assert.deepEqual(again.installed, [{ scope: 'project', digest: locked.digest, current: true }]);
  });
});

test('one that was installed is like any other: verified, in the log of its owner, run after a yes, taken away', async (t) => {
  const { world } = await stage(t, served('pdf', { 'scripts/run.sh': 'echo did it\n' }));
  const shown = await world.run(['install', 'team:pdf', '--yes']);
  assert.match(shown.stdout, /from: mcp:team:skill:\/\/pdf\/SKILL\.md\n\s+signed by: nobody/);
  assert.equal((await json(world, ['verify', 'pdf'])).outcome.state, 'success');
  assert.equal((await json(world, ['verify', 'pdf', '--signed'])).code, 1);
  assert.match((await world.run(['log'])).stdout, /install\s+done\s+pdf .*mcp:team:skill:\/\/pdf\/SKILL\.md/);
  const asked = await json(world, ['exec', 'pdf', 'scripts/run.sh']);
  assert.equal(asked.outcome.state, 'interrupted', asked.stdout);
  assert.match((await world.run(['exec', 'pdf', 'scripts/run.sh', '--yes'])).stdout, /did it/);
  assert.equal((await json(world, ['uninstall', 'pdf', '--yes'])).code, 0);
  assert.equal(existsSync(installedAt(world, 'pdf')), false);
});

test('a model that takes it up is told which server it came from, and of no other skill', async (t) => {
  const { world } = await stage(t, served('pdf'));
  plant(world.project, skillFile('mine'));
  await world.run(['install', 'team:pdf', '--yes']);
  const { prompts } = await runProcess(world, [select('pdf'), select('mine'), answer('done')]);
  assert.match(prompts.at(-1) ?? '', /<skill name="pdf" source="project" path="[^"]+" server="team">/);
  assert.match(prompts.at(-1) ?? '', /<skill name="mine" source="project" path="[^"]+">/);
});

test('no file of a skill is fetched before it is asked for, and none of another skill ever', async (t) => {
  const { world, server } = await stage(t, served('pdf', { 'a.md': 'one\n' }), served('csv', { 'b.md': 'two\n' }));
  await world.run(['list', '--from', 'team']);
  await world.run(['inspect', 'team:pdf']);
  assert.deepEqual(reads(server), []);
  assert.equal(server.asked.includes('tools/list'), false);
  await world.run(['inspect', 'team:pdf', '--file', 'a.md']);
  assert.deepEqual(reads(server), ['resources/read skill://pdf/a.md']);
  await world.run(['inspect', 'team:csv', '--body']);
  assert.deepEqual(reads(server).slice(1), ['resources/read skill://csv/SKILL.md']);
  await world.run(['install', 'team:pdf', '--yes']);
  assert.deepEqual(reads(server).slice(2), ['resources/read skill://pdf/SKILL.md', 'resources/read skill://pdf/a.md']);
});

test('a file that is not what was listed is not shown either', async (t) => {
  const { world, server } = await stage(t, served('pdf', { 'a.md': 'one\n' }));
  server.skills[0]?.files.set('skill://pdf/a.md', 'two\n');
  const bad = await json(world, ['inspect', 'team:pdf', '--file', 'a.md']);
  assert.deepEqual([bad.code, bad.data.type, /two/.test(bad.stdout)], [1, 'IntegrityMismatch', false]);
  for (const file of ['../a.md', 'b.md', 'skill://pdf/a.md'])
    assert.equal((await json(world, ['inspect', 'team:pdf', '--file', file])).data.type, 'DataNotFound', file);
  assert.equal(reads(server).length, 1);
});

test('threat 86 blocked and control: a yes at the terminal is for what was shown: what the server changed meanwhile is not installed', async (t) => {
  const { world, server } = await stage(t, served('pdf', { 'a.md': 'one\n' }));
  const answered = async () =>
    await atTerminal(['install', 'team:pdf'], { cwd: world.project, home: world.home, type: 'y\n', until: 'project?' });
  server.bent = { 'skills/get': () => ({ skill: served('pdf', { 'a.md': 'two\n' }).entry }) };
  const changed = await answered();
  assert.match(changed.shown, /team:pdf was changed on its server after it was shown/);
  assert.equal(existsSync(installedAt(world, 'pdf')), false);
  server.bent = {};
  assert.equal((await answered()).code, 0);
  assert.equal(readFileSync(installedAt(world, 'pdf/a.md'), 'utf8'), 'one\n');
});

test('threat 86 blocked and control: the command that answers later holds for the files that were shown', async (t) => {
  const { world, server } = await stage(t, served('pdf', { 'a.md': 'one\n' }));
  const asked = await json(world, ['install', 'team:pdf']);
  assert.equal(asked.code, 4, asked.stdout);
  const words = asked.data.resume_command.split(' ').slice(1);
  assert.deepEqual(words.slice(0, 3), ['install', 'team:pdf', '--digest']);
  const [honest] = server.skills;
  server.skills = [served('pdf', { 'a.md': 'two\n' })];
  const other = await json(world, words);
  assert.deepEqual([other.code, other.data.type], [1, 'IntegrityMismatch'], other.stdout);
  assert.match(other.data.msg, /--digest says otherwise/);
  assert.equal(existsSync(installedAt(world, 'pdf')), false);
  server.skills = honest ? [honest] : [];
  assert.equal((await json(world, words)).code, 0);
});

test('an update with other digests asks again, and the old files stay until then', async (t) => {
  const { world, server } = await stage(t, served('pdf', { 'a.md': 'one\n' }));
  await world.run(['install', 'team:pdf', '--yes']);
  assert.match((await world.run(['update'])).stdout, /nothing to do/);
  server.skills = [served('pdf', { 'a.md': 'two\n', 'b.md': 'more\n' })];
  assert.match((await world.run(['list', '--from', 'team'])).stdout, /team:pdf\s+changed since/);
  const asked = await json(world, ['update', 'pdf']);
  assert.equal(asked.code, 4, asked.stdout);
  assert.deepEqual(asked.data.installed[0].changes.files, { added: ['b.md'], changed: ['a.md'], removed: [] });
  assert.equal(readFileSync(installedAt(world, 'pdf/a.md'), 'utf8'), 'one\n');
  assert.equal((await json(world, asked.data.resume_command.split(' ').slice(1))).code, 0);
  assert.equal(readFileSync(installedAt(world, 'pdf/a.md'), 'utf8'), 'two\n');
});

test('threat 86 blocked: a served skill hides and replaces none that is here: not a built-in one, not one made by hand, not one of another server', async (t) => {
  const world = hostWorld(t, skillFile('mine'));
  const [team, other] = [await skillServer(t), await skillServer(t, [served('pdf', { 'a.md': 'theirs\n' })])];
  team.skills = [served('csv-insights'), served('mine'), served('pdf')];
  world.settle({ team: { url: team.url }, other: { url: other.url } });
  const { stdout } = await world.run(['list', '--from', 'team']);
  assert.match(stdout, /team:csv-insights\s+another, of builtin[\s\S]*team:mine\s+another, of project/u);
  const builtin = await json(world, ['install', 'team:csv-insights', '--yes']);
  assert.equal(builtin.outcome.state, 'interrupted', builtin.stdout);
  assert.match(
    builtin.data.needs_person.join(),
    /also the name of a skill here \(builtin\); this one is from mcp:team:/,
  );
  assert.doesNotMatch(builtin.data.resume_command, /--yes/);
  const made = await json(world, ['install', 'team:mine', '--yes']);
  assert.equal(made.data.type, 'AlreadyExists', made.stdout);
  assert.equal((await json(world, ['install', 'team:pdf', '--yes'])).code, 0);
  const taken = await json(world, ['install', 'other:pdf', '--yes']);
  assert.match(
    taken.data.msg,
    /came from mcp:team:skill:\/\/pdf\/SKILL\.md so far, now from mcp:other:skill:\/\/pdf\/SKILL\.md/,
  );
  const replacing = await json(world, ['install', 'other:pdf', '--yes', '--replace']);
  assert.equal(replacing.outcome.state, 'interrupted', replacing.stdout);
  assert.equal(existsSync(installedAt(world, 'pdf/a.md')), false);
});

test('two skills of one name are told apart by their addresses, and one that is not listed is found by its own', async (t) => {
  const [one, two] = ['a', 'b'].map((at) => served('pdf', { [`${at}.md`]: 'x' }, { root: `skill://${at}/pdf` }));
  assert.ok(one && two);
  const { world, server } = await stage(t, one, two);
  const { data } = await json(world, ['list', '--from', 'team']);
  assert.deepEqual(
    data.skills.map(({ address }: { address: string }) => address),
    ['team:skill://a/pdf/SKILL.md', 'team:skill://b/pdf/SKILL.md'],
  );
  const both = await json(world, ['install', 'team:pdf', '--yes']);
  assert.deepEqual([both.code, /several skills called pdf.*skill:\/\/a\/pdf/.test(both.data.msg)], [2, true]);
  assert.equal((await json(world, ['install', 'team:skill://b/pdf/SKILL.md', '--yes'])).code, 0);
  assert.equal(existsSync(installedAt(world, 'pdf/b.md')), true);
  server.skills = [served('secret')];
  server.bent = { 'skills/list': () => ({ skills: [] }) };
  assert.equal((await json(world, ['inspect', 'team:secret'])).data.skill.uri, 'skill://secret/SKILL.md');
  const gone = await json(world, ['inspect', 'team:none']);
  assert.match(gone.data.msg, /team serves no skill none/);
});

test('the lock of a project that nobody trusts asks no server of the user', async (t) => {
  const { world, server } = await stage(t, served('pdf'));
  await world.run(['install', 'team:pdf', '--yes']);
  const [locked] = lockOf(world);
  const theirs = { ...locked, source: { ...locked.source, location: 'mcp:team:skill://other/SKILL.md' } };
  writeFileSync(
    path.join(world.project, '.agent', 'skills.lock.json'),
    JSON.stringify({ version: 1, skills: [theirs] }),
  );
  server.asked.length = 0;
  const refused = await json(world, ['update']);
  assert.deepEqual([refused.data.type, server.asked], ['PathBlocked', []], refused.stdout);
  writeFileSync(
    path.join(world.project, '.agent', 'skills.lock.json'),
    JSON.stringify({ version: 1, skills: [locked] }),
  );
  assert.equal((await json(world, ['update'])).code, 0);
});

test('a program that dies, hangs or floods while it is read installs nothing, and an honest one does', async (t) => {
  const world = hostWorld(t);
  const file = path.join(world.servers, 'skills.py');
  copyFileSync(path.join(repository, 'test', 'support', 'mcp', 'servers', 'skills.py'), file);
  const run = async (mode: string) => {
    const seconds = mode === 'hang' ? 2 : 60;
    world.settle({
      team: { command: ['/usr/bin/python3', file, mode], read: [world.servers], timeout_seconds: seconds },
    });
    return await json(world, ['install', 'team:pdf', '--yes']);
  };
  for (const [mode, type] of [
    ['die', 'ExternalServiceError'],
    ['hang', 'Timeout'],
    ['line', 'ExternalServiceError'],
    ['none', 'DataNotFound'],
  ] as const) {
    const ran = await run(mode);
    assert.equal(ran.data.type, type, `${mode}: ${ran.stdout}`);
    assert.equal(existsSync(installedAt(world, 'pdf')), false, mode);
  }
  assert.equal((await run('errors')).code, 0);
});

test('what is no skill of a server is said, with the words that would be', async (t) => {
  const { world } = await stage(t, served('pdf'));
  const said = async (...words: string[]) => {
    const { code, stderr } = await world.run(words);
    assert.notEqual(code, 0, words.join(' '));
    return stderr;
  };
  assert.match(await said('install', 'team:pdg'), /team serves no skill pdg[\s\S]*Did you mean pdf\?/u);
  assert.match(await said('list', '--from', 'teem'), /no server teem[\s\S]*Did you mean team\?/u);
  assert.match(await said('install', 'mcp:teem:pdf'), /no server teem/);
  assert.match(await said('install', 'teem:pdf'), /no file or folder teem:pdf[\s\S]*SERVER:SKILL/u);
  assert.match(await said('install', 'team:pdf', 'csv'), /names one skill of a server/);
  assert.match(await said('install', 'team:pdf', '--digest', 'x'), /no digest: x/);
  assert.match(await said('inspect', 'csv-insights', '--file', 'a'), /--file is for a skill that a server offers/);
  const zh = await world.run(['list', '--from', 'team', '--lang', 'zh']);
  assert.match(zh.stdout, /team 提供 1 个技能[\s\S]*其自述/u);
});

test('a server without skills says so', async (t) => {
  const world = hostWorld(t);
  world.settle({ odd: odd(world, 'honest') });
  const { code, stderr } = await runCli(['list', '--from', 'odd'], { cwd: world.project, home: world.home });
  assert.deepEqual([code, /the server odd offers no skills/.test(stderr)], [1, true], stderr);
});

test('what docs/mcp.md shows of skills of others is what the command line says', async (t) => {
  const release = served('release', { 'scripts/tag.sh': 'git tag "$1"' }, { description: 'Cuts a release.' });
  const { world } = await stage(t, served('csv-insights'), release);
  const page = readFileSync(path.join(repository, 'docs', 'mcp.md'), 'utf8');
  const [, block = ''] = /^```console\n([\s\S]*?)^```$/mu.exec(page) ?? [];
  const commands = block.split(/^\$ skillwright /mu).slice(1);
  assert.equal(commands.length, 4);
  for (const command of commands) {
    const [words = '', ...told] = command.trimEnd().split('\n');
    const { stdout, stderr } = await world.run(words.split(' '));
    if (words.endsWith('--json')) assertHas(JSON.parse(stdout).data, JSON.parse(told.join('\n')));
    else {
      const said = `${stdout}${stderr}`.replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…');
      assert.equal(trimmed(said), trimmed(told.join('\n')), words);
    }
  }
});

function trimmed(text: string): string {
  return text.replaceAll(/ +$/gm, '').trim();
}

/** Every field that is written there. */
function assertHas(found: unknown, told: unknown): void {
  const isPlain = typeof told !== 'object' || told === null;
  if (isPlain) assert.equal(found, told);
  for (const [name, value] of isPlain ? [] : Object.entries(told)) assertHas(Object(found)[name], value);
}
