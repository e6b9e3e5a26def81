// Skills that changed behind the back of the index: the command line shows them as they are, however little tells of it.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { CLOCK_STEP_MS, trustedFolder } from '../../../src/registry/witness.ts';
import type { Change } from '../../support/changed/changed-source.ts';
import { type CliOptions, diskFolder, repository, runCli } from '../../support/support.ts';

const BEFORE = 'As it was.';
/** Of the same length. */
const AFTER = 'Otherwise.';

/** Inside another root, where links may lead, and too deep to be skills of that root. */
const STORE = '../../.agents/skills/store/deep';

const skillText = (name: string, words: string) => `---\nname: ${name}\ndescription: ${words}\n---\n`;

interface Said {
  readonly name: string;
  readonly description: string;
}

function makeProject(t: TestContext) {
  const folder = diskFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  const skills = path.join(project, '.claude', 'skills');
  mkdirSync(home);
  const add = (name: string, words = BEFORE, file = 'SKILL.md') => {
    const skill = path.join(skills, name);
    mkdirSync(skill, { recursive: true });
    writeFileSync(path.join(skill, file), skillText(path.basename(name), words));
    return path.join(skill, file);
  };
  /** What each skill says of itself, by name. */
  const list = async (options: Partial<CliOptions> = {}) => {
    const { stdout, stderr } = await runCli(['list', '--source', 'project', '--json'], {
      cwd: project,
      home,
      ...options,
    });
    const { skills: listed } = (JSON.parse(stdout || stderr) as { data: { skills: Said[] } }).data;
    return Object.fromEntries(listed.map(({ name, description }) => [name, description]));
  };
  /** Until files are old enough to be known without being opened, and then what is known. */
  const settle = async () => {
    await sleep(CLOCK_STEP_MS + 100);
    return list();
  };
  const opened = async () => {
    const report = path.join(folder, 'reads.json');
    const hook = pathToFileURL(path.join(repository, 'test/support/count-reads.ts'));
    const said = await list({ env: { COUNT_READS_TO: report, NODE_OPTIONS: `--import=${hook}` } });
    const reads = JSON.parse(readFileSync(report, 'utf8')) as [string, number][];
    const files = reads.map(([file]) => file).filter((file) => file.startsWith(skills));
    return { said, opened: files.map((file) => path.relative(skills, file)) };
  };
  return { project, home, skills, add, list, settle, opened, isTrusted: trustedFolder(folder) !== undefined };
}

/** Runs an edit of this file, and gives it back the modification time it had. */
function keepTime(file: string, edit: () => void): void {
  const { atime, mtime, size } = statSync(file);
  edit();
  utimesSync(file, atime, mtime);
  assert.deepEqual([statSync(file).size, statSync(file).mtimeMs], [size, mtime.getTime()]);
}

/** In place: the same inode, the same size, the same time. */
function disguise(file: string): void {
  // Such a time can be set again as it was.
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  keepTime(file, () => writeFileSync(file, readFileSync(file, 'utf8').replace(BEFORE, AFTER)));
}

test('however a SKILL.md was changed, list shows what it says now', async (t) => {
  const { skills, add, list, settle } = makeProject(t);
  const at = (...names: string[]) => path.join(skills, ...names);
  const edits = {
    'in-place': () => disguise(at('in-place', 'SKILL.md')),
    'by-rename': () => {
      const file = at('by-rename', 'SKILL.md');
      copyFileSync(file, at('by-rename', 'new'));
      disguise(at('by-rename', 'new'));
      utimesSync(at('by-rename', 'new'), statSync(file).atime, statSync(file).mtime);
      renameSync(at('by-rename', 'new'), file);
    },
    'through-hard-link': () => disguise(at('through-hard-link', 'other-name')),
    'through-link': () => disguise(at('through-link', 'text.md')),
    'small-letters': () => disguise(at('small-letters', 'skill.md')),
    namespaced: () => disguise(at('org', 'namespaced', 'SKILL.md')),
    'link-to-folder': () => disguise(at(STORE, 'link-to-folder', 'SKILL.md')),
    'link-moved': () => {
      rmSync(at('link-moved'));
      symlinkSync(`${STORE}/other/link-moved`, at('link-moved'));
    },
    'folder-exchanged': () => {
      renameSync(at('folder-exchanged'), at(STORE, 'old'));
      renameSync(at(STORE, 'folder-exchanged'), at('folder-exchanged'));
    },
    'copied-anew': () => {
      const copy = at(STORE, 'copy');
      cpSync(at('copied-anew'), copy, { recursive: true, preserveTimestamps: true });
      rmSync(at('copied-anew'), { recursive: true });
      cpSync(copy, at('copied-anew'), { recursive: true, preserveTimestamps: true });
      disguise(at('copied-anew', 'SKILL.md'));
    },
    'file-made-link': () => {
      writeFileSync(at('file-made-link', 'text.md'), skillText('file-made-link', AFTER));
      rmSync(at('file-made-link', 'SKILL.md'));
      symlinkSync('text.md', at('file-made-link', 'SKILL.md'));
    },
  };
  const names = Object.keys(edits);
  for (const name of [
    'in-place',
    'by-rename',
    'through-hard-link',
    'org/namespaced',
    'copied-anew',
    'file-made-link',
  ]) {
    add(name);
  }
  linkSync(at('through-hard-link', 'SKILL.md'), at('through-hard-link', 'other-name'));
  add('through-link', BEFORE, 'text.md');
  symlinkSync('text.md', at('through-link', 'SKILL.md'));
  add('small-letters', BEFORE, 'skill.md');
  add('folder-exchanged');
  add(`${STORE}/folder-exchanged`, AFTER);
  add(`${STORE}/link-to-folder`);
  symlinkSync(`${STORE}/link-to-folder`, at('link-to-folder'));
  add(`${STORE}/link-moved`);
  add(`${STORE}/other/link-moved`, AFTER);
  symlinkSync(`${STORE}/link-moved`, at('link-moved'));
  assert.deepEqual(await settle(), Object.fromEntries(names.map((name) => [name, BEFORE])));
  for (const edit of Object.values(edits)) edit();
  assert.deepEqual(await list(), Object.fromEntries(names.map((name) => [name, AFTER])));
  rmSync(at('in-place'), { recursive: true });
  add('added');
  const left = names.filter((name) => name !== 'in-place').map((name) => [name, AFTER] as const);
  assert.deepEqual(await list(), Object.fromEntries([...left, ['added', BEFORE]]));
});

test('nothing is opened of skills that have not changed, by a process that finds them so', async (t) => {
  const { add, settle, opened, isTrusted } = makeProject(t);
  const files = ['a', 'b', 'org/c'].map((name) => add(name));
  const said = await settle();
  if (isTrusted) assert.deepEqual(await opened(), { said, opened: [] });
  disguise(files[1] ?? '');
  const now = await opened();
  assert.deepEqual(now.said, { ...said, b: AFTER });
  if (isTrusted) assert.deepEqual(now.opened, ['b/SKILL.md']);
  else t.diagnostic('only the words were looked at: no file system here keeps change times that are trusted');
});

test('a list that has nothing to write does without cryptography, which takes as long to load as a thousand skills', async (t) => {
  const { project, home, add, settle } = makeProject(t);
  add('a');
  await settle();
  const tell = `process.on('exit',()=>console.error(process.moduleLoadList.includes('NativeModule crypto')))`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}` };
  const { stdout, stderr } = await runCli(['list'], { cwd: project, home, env });
  assert.match(stdout, /As it was/);
  assert.equal(stderr.trim().split('\n').at(-1), 'false');
});

test('control: without the change time an edit that keeps size and time stays unseen', async (t) => {
  const { add, list, isTrusted } = makeProject(t);
  if (!isTrusted) return t.diagnostic('not run: no file system here keeps change times that are trusted');
  const change: Change = {
    file: 'src/registry/record-buffer.ts',
    from: 'view.getFloat64(at + CHANGED, true) === witness.ctimeMs &&',
    to: '',
  };
  const file = add('a');
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  await sleep(CLOCK_STEP_MS + 100);
  assert.deepEqual(await list({ change }), { a: BEFORE });
  disguise(file);
  assert.deepEqual(await list({ change }), { a: BEFORE });
});

test('what is mounted over a skill is what is listed', async (t) => {
  const { project, home, skills, add, list, settle } = makeProject(t);
  const [file, folder] = [add('file'), path.dirname(add('folder'))];
  const [otherFile, otherFolder] = [add(`${STORE}/file`, AFTER), path.dirname(add(`${STORE}/folder`, AFTER))];
  for (const one of [file, otherFile, `${folder}/SKILL.md`, `${otherFolder}/SKILL.md`])
    utimesSync(one, 1_700_000_000, 1_700_000_000);
  const bwrap = findTrusted('bwrap');
  const through = [bwrap ?? '', '--dev-bind', '/', '/', '--bind', otherFile, file, '--bind', otherFolder, folder];
  if (!bwrap || (await runCli(['--version'], { cwd: project, home, through })).code !== 0) {
    return t.diagnostic('not run: nothing can be mounted here');
  }
  assert.deepEqual(await settle(), { file: BEFORE, folder: BEFORE });
  assert.deepEqual(await list({ through }), { file: AFTER, folder: AFTER });
  assert.deepEqual(await list({ through }), { file: AFTER, folder: AFTER });
  assert.deepEqual(await list(), { file: BEFORE, folder: BEFORE });
  assert.ok(existsSync(skills));
});

test('an index and its project copied elsewhere are read anew', async (t) => {
  const { project, home, add, list, settle } = makeProject(t);
  add('a');
  await settle();
  const file = path.join(project, '.claude', 'skills', 'a', 'SKILL.md');
  // The home with its index stays; the project comes back from a copy that keeps times and has other words.
  const copy = path.join(home, 'copy');
  cpSync(project, copy, { recursive: true, preserveTimestamps: true });
  const edited = path.join(copy, '.claude', 'skills', 'a', 'SKILL.md');
  keepTime(edited, () => writeFileSync(edited, skillText('a', AFTER)));
  rmSync(project, { recursive: true });
  cpSync(copy, project, { recursive: true, preserveTimestamps: true });
  assert.ok(existsSync(file));
  assert.deepEqual(await list(), { a: AFTER });
});

test('processes that list at once, while skills change, agree with the files in the end', async (t) => {
  const { add, list, settle } = makeProject(t);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) add(name);
  await settle();
  for (const name of names) {
    const during = [list(), list()];
    add(name, AFTER);
    // Each began when the words were the old ones or the new ones.
    for (const said of await Promise.all(during)) assert.ok([BEFORE, AFTER].includes(said[name] ?? ''), said[name]);
    const after = await Promise.all([list(), list()]);
    for (const said of after) assert.equal(said[name], AFTER);
  }
  assert.deepEqual(await settle(), Object.fromEntries(names.map((name) => [name, AFTER])));
});
