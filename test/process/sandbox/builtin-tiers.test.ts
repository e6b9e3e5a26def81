// Every built-in skill at every tier, as root and as an ordinary user: what the first calls of a new user meet.
import assert from 'node:assert/strict';
import { chownSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { NAMES, skills } from '../../support/builtin-support.ts';
import { writeFiles } from '../../support/door-support.ts';
import { git } from '../../support/install-support.ts';
import { repository, runCli, temporaryFolder } from '../../support/support.ts';
import { isReadableByAll, missing, ORDINARY_USER } from '../../support/world/sandbox-support.ts';
import { type World, whyUnreachable, worldWords } from '../../support/world/world.ts';

// The shape of the data is what is under test.
type Data = ReturnType<typeof JSON.parse>;

const JUNIT = '<testsuite name="s"><testcase name="a" time="1"/><testcase name="b"><failure/></testcase></testsuite>';

/** A call of each skill, and what shows that it did its work. */
const CALLS: Record<string, { words: string[]; check: (data: Data, project: string) => void }> = {
  'build-analysis': {
    words: ['call', 'build-analysis', 'daily_briefing'],
    check: ({ response }) => assert.equal(response.data.metrics.failed, 1),
  },
  'csv-insights': {
    words: ['call', 'csv-insights', 'report', 'type=daily', 'format=markdown'],
    check: ({ response: { data } }, project) => {
      assert.match(data.report_path, /^mybox\/output\//);
      assert.equal(textOf(project, data.report_path), data.content);
    },
  },
  'git-changelog': {
    words: ['invoke', '@git-changelog'],
    check: ({ output_path }, project) => assert.match(textOf(project, output_path), /- first \([0-9a-f]{7}\)/),
  },
  'markdown-converter': {
    words: ['invoke', '@markdown-converter', 'note.md'],
    check: ({ output_path }, project) => assert.match(textOf(project, output_path), /<h1 id="note">Note<\/h1>/),
  },
  'skill-author': {
    words: ['invoke', '@skill-author'],
    check: ({ content }) => assert.match(content, /^# Skill Author$/m),
  },
};

const isRoot = process.geteuid?.() === 0;
const USERS = isRoot ? ([undefined, ORDINARY_USER] as const) : ([undefined] as const);
// Only root can hide bubblewrap from itself and from others.
const TIERS = isRoot || !findTrusted('bwrap') ? (['S3', 'S2', 'S1'] as const) : (['S3', 'S1'] as const);
const WORLDS = TIERS.flatMap((tier) => USERS.map((user): World => ({ tier, ...(user !== undefined && { user }) })));

test('each built-in skill has a call here', () => {
  assert.deepEqual(Object.keys(CALLS), NAMES);
});

for (const world of WORLDS) {
  const who = isRoot && world.user === undefined ? 'root' : 'an ordinary user';
  test(`every built-in skill works on tier ${world.tier} as ${who}, and so does git`, async (t) => {
    const place = enter(t, world);
    if (!place) return;
    for (const [name, { words, check }] of Object.entries(CALLS)) {
      const data = await place.run(...words);
      // A prompt is text: nothing was run.
      if (name !== 'skill-author') assert.equal(data.sandbox.tier, world.tier, name);
      check(data, place.project);
    }
    const { stdout, msg } = await place.run('invoke', '@git', '--yes');
    assert.match(stdout, /^feat: first\n$/);
    assert.doesNotMatch(`${stdout}${msg}`, /PASSWORD/);
  });
}

interface Entered {
  readonly project: string;
  run(...words: string[]): Promise<Data>;
}

/** A project of its own, with a password where git keeps it, for the user of that world. */
function enter(t: TestContext, world: World): Entered | undefined {
  const why = whyUnreachable(world);
  if (why) return missing(t, why);
  if (world.user !== undefined && !isReadableByAll(repository)) return missing(t, 'others may not read this clone');
  const place = temporaryFolder(t);
  const [project, home] = [path.join(place, 'project'), path.join(place, 'home')];
  for (const folder of [path.join(project, '.agent'), home]) mkdirSync(folder, { recursive: true });
  writeProject(project);
  if (world.user !== undefined) give(place, world.user);
  const run = async (...words: string[]) => {
    const through = worldWords(world);
    const { code, stdout, stderr } = await runCli([...words, '--json', '--non-interactive'], {
      cwd: project,
      home,
      through,
    });
    assert.ok(stdout, `${code} ${stderr}`);
    return JSON.parse(stdout).data;
  };
  return { project, run };
}

function writeProject(project: string): void {
  const frontmatter = 'name: git\ndescription: History.\ncommand: git log --format=%s';
  writeFiles(project, {
    'test-results/junit.xml': JUNIT,
    'note.md': '# Note\n',
    '.agent/skills/git/SKILL.md': `---\n${frontmatter}\n---\n`,
  });
  cpSync(path.join(skills, 'csv-insights/assets/sample.csv'), path.join(project, 'sample.csv'));
  git(project, 'init', '--quiet');
  git(project, 'remote', 'add', 'origin', 'https://me:PASSWORD@example.com/x.git');
  git(project, 'add', 'note.md');
  git(project, 'commit', '--quiet', '-m', 'feat: first');
}

function give(folder: string, user: number): void {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  for (const entry of [folder, ...entries]) if (!lstatSync(entry).isSymbolicLink()) chownSync(entry, user, user);
}

function textOf(project: string, file: string): string {
  return readFileSync(path.join(project, file), 'utf8');
}
