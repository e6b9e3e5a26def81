import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import type { Edit } from './edit.ts';
import * as edit from './edit-file.ts';
import { openFiles } from './file/files.ts';
import type { World } from './file/path-guard.ts';
import { defaultNetworkPolicy } from './network.ts';
import { runTool } from './tool-call.ts';
import type { ToolName } from './tool-name.ts';

const faultOf = (type: string) => (error: unknown) => error instanceof Fault && error.type === type;
const isRoot = process.geteuid?.() === 0;

function makeWorld(t: TestContext, files: Record<string, string | Uint8Array> = {}): World {
  const project = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(project, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(project, name), content);
  }
  return { project, outputFolder: path.join(project, 'mybox/output'), isOwnState: () => false };
}

const at = (world: World, name: string) => path.join(world.project, name);
const content = (world: World, name: string) => readFileSync(at(world, name), 'utf8');

interface Result {
  readonly entries: { path: string }[];
  readonly matches: { path: string; line: number }[];
  readonly [field: string]: unknown;
}

const use = async (name: ToolName, world: World, args: unknown) =>
  (await runTool(name, args, { ...world, network: defaultNetworkPolicy })) as unknown as Result;
const readFile = (world: World, args: unknown) => use('read_file', world, args);
const listDir = (world: World, args: unknown) => use('list_dir', world, args);
const grep = (world: World, args: unknown) => use('grep', world, args);
const writeFile = (world: World, file: string, text: string) => use('write_file', world, { path: file, content: text });
const deleteFile = (world: World, file: string) => use('delete_file', world, { path: file });
const moveFile = (world: World, from: string, to: string, overwrite?: boolean) =>
  use('move_file', world, { from, to, ...(overwrite !== undefined && { overwrite }) });
const editFile = (world: World, file: string, edits: readonly Edit[]) => edit.editFile(openFiles(world), file, edits);
const previewEdit = (world: World, file: string, edits: readonly Edit[]) =>
  edit.previewEdit(openFiles(world), file, edits);

test('a file is read whole, by lines or by bytes', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'one\ntwo\nthree\n', 'zh.txt': '技能技能', 'empty.txt': '' });
  assert.deepEqual(await readFile(world, { path: 'a.txt' }), { path: 'a.txt', content: 'one\ntwo\nthree\n', size: 14 });
  const lines = await readFile(world, { path: './a.txt', start_line: 2, end_line: 2 });
  assert.deepEqual([lines.content, lines.lines], ['two\n', { from: 2, to: 2, total: 3 }]);
  assert.deepEqual((await readFile(world, { path: 'a.txt', start_line: 9 })).lines, { from: 9, to: 8, total: 3 });
  assert.equal((await readFile(world, { path: at(world, 'a.txt'), offset: 4, length: 3 })).content, 'two');
  const cut = await readFile(world, { path: 'zh.txt', offset: 1, length: 6 });
  assert.deepEqual([cut.content, cut.bytes], ['能', { from: 3, to: 6 }]);
  assert.equal((await readFile(world, { path: 'empty.txt' })).content, '');
  assert.equal((await readFile(world, { path: 'a.txt', offset: 99 })).content, '');
});

test('what cannot be shown as text is refused with its reason', async (t) => {
  const world = makeWorld(t, {
    'image.png': new Uint8Array([0x89, 0x50, 0, 0xff]),
    'latin.txt': new Uint8Array([0x61, 0xe9, 0x62]),
    'large.txt': 'x'.repeat(1024 * 1024 + 1),
    'folder/x': '',
  });
  await assert.rejects(readFile(world, { path: 'image.png' }), faultOf('ParamInvalid'));
  await assert.rejects(readFile(world, { path: 'latin.txt' }), faultOf('ParamInvalid'));
  await assert.rejects(readFile(world, { path: 'large.txt' }), faultOf('LIMIT_FILE_SIZE'));
  assert.equal((await readFile(world, { path: 'large.txt', start_line: 1 })).content, '');
  assert.equal((await readFile(world, { path: 'large.txt', offset: 1024 * 1024 })).content, 'x');
  await assert.rejects(readFile(world, { path: 'folder' }), faultOf('ParamInvalid'));
  await assert.rejects(readFile(world, { path: 'none.txt' }), faultOf('DataNotFound'));
});

test('a folder is listed with kinds and sizes, without secrets', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'four', 'src/b.ts': 'x', '.env': 'S', 'node_modules/m/c.js': '' });
  symlinkSync('a.txt', at(world, 'link'));
  assert.deepEqual(await listDir(world, {}), {
    path: '.',
    entries: [
      { path: 'a.txt', kind: 'file', size: 4 },
      { path: 'link', kind: 'link' },
      { path: 'node_modules', kind: 'folder' },
      { path: 'src', kind: 'folder' },
    ],
    truncated: false,
  });
  assert.deepEqual(
    (await listDir(world, { depth: 3 })).entries.map((entry) => entry.path),
    ['a.txt', 'link', 'node_modules', 'src', 'src/b.ts'],
  );
  assert.deepEqual((await listDir(world, { path: 'src/' })).entries, [{ path: 'src/b.ts', kind: 'file', size: 1 }]);
  await assert.rejects(listDir(world, { path: 'a.txt' }), faultOf('PathBlocked'));
});

test('a listing ends at its limit and says so', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, '']));
  const listed = await listDir(makeWorld(t, files), {});
  assert.deepEqual([listed.entries.length, listed.truncated], [1000, true]);
});

test('grep finds lines, and skips what is binary, secret or generated', async (t) => {
  const world = makeWorld(t, {
    'a.ts': 'const x = 1;\nlet Needle = 2;\r\nneedle needle\n',
    'src/deep/b.md': 'no\n\nneedle',
    '.env': 'needle',
    '.git/HEAD': 'needle',
    'node_modules/m/x.ts': 'needle',
    'bin.dat': new Uint8Array([...Buffer.from('needle'), 0]),
  });
  const found = await grep(world, { pattern: 'needle' });
  assert.deepEqual(found.matches, [
    { path: 'a.ts', line: 3, text: 'needle needle' },
    { path: 'src/deep/b.md', line: 3, text: 'needle' },
  ]);
  assert.deepEqual([found.files_searched, found.files_skipped, found.truncated], [2, 1, false]);
  const lines = async (asked: unknown) =>
    (await grep(world, asked)).matches.map(({ path: file, line }) => `${file}:${line}`);
  assert.deepEqual(await lines({ pattern: '^let needle', ignore_case: true }), ['a.ts:2']);
  assert.deepEqual(await lines({ pattern: 'needle', include: '*.md' }), ['src/deep/b.md:3']);
  assert.deepEqual(await lines({ pattern: 'needle', include: 'src/**' }), ['src/deep/b.md:3']);
  assert.deepEqual(await lines({ pattern: 'needle', include: '**/a.t?' }), ['a.ts:3']);
  assert.deepEqual(await lines({ pattern: 'needle', path: 'src/' }), ['src/deep/b.md:3']);
  assert.deepEqual(await lines({ pattern: 'needle', path: 'a.ts' }), ['a.ts:3']);
  assert.equal((await grep(world, { pattern: 'e', max_matches: 2 })).truncated, true);
  await assert.rejects(grep(world, { pattern: '(' }), faultOf('ParamInvalid'));
});

test('a written file keeps its mode and owner, folders are made, nothing else is left', async (t) => {
  const world = makeWorld(t, { 'run.sh': 'old' });
  chmodSync(at(world, 'run.sh'), 0o751);
  if (isRoot) chownSync(at(world, 'run.sh'), 12345, 12346);
  assert.deepEqual(await writeFile(world, 'run.sh', '新'), { path: 'run.sh', size: 3, created: false });
  const { mode, uid, gid } = statSync(at(world, 'run.sh'));
  assert.equal(mode & 0o777, 0o751);
  if (isRoot) assert.deepEqual([uid, gid], [12345, 12346]);
  assert.equal((await writeFile(world, 'new/deep/x.txt', 'x')).created, true);
  assert.equal(content(world, 'new/deep/x.txt'), 'x');
  assert.deepEqual(readdirSync(world.project).sort(), ['new', 'run.sh']);
});

test('nothing is written through a link, over a folder, into git or past a read-only mode', async (t) => {
  const world = makeWorld(t, { 'real/a.txt': 'old', '.git/hooks/x': 'old', 'fixed.txt': 'old' });
  symlinkSync('real', at(world, 'folder-link'));
  symlinkSync('real/a.txt', at(world, 'file-link'));
  chmodSync(at(world, 'fixed.txt'), 0o444);
  for (const file of ['folder-link/a.txt', 'folder-link/new', 'file-link', 'real', '.git/hooks/x', '.GIT/hooks/y', '.'])
    await assert.rejects(writeFile(world, file, 'new'), faultOf('PathBlocked'), file);
  if (!isRoot) await assert.rejects(writeFile(world, 'fixed.txt', 'new'), faultOf('PermissionDenied'));
  assert.equal(content(world, 'real/a.txt'), 'old');
  await assert.rejects(writeFile(world, 'huge.txt', 'x'.repeat(17 * 1024 * 1024)), faultOf('LIMIT_FILE_SIZE'));
});

test('reading follows a link to another place of the project, and judges that place', async (t) => {
  const world = makeWorld(t, { 'AGENTS.md': 'text', 'deep/er/x': 'x', '.env': 'S' });
  symlinkSync('AGENTS.md', at(world, 'CLAUDE.md'));
  symlinkSync('deep', at(world, 'short'));
  symlinkSync('../.env', at(world, 'deep/notes'));
  symlinkSync('loop', at(world, 'loop'));
  assert.deepEqual(await readFile(world, { path: 'CLAUDE.md' }), { path: 'AGENTS.md', content: 'text', size: 4 });
  assert.equal((await readFile(world, { path: 'short/er/x' })).path, 'deep/er/x');
  await assert.rejects(readFile(world, { path: 'short/notes' }), faultOf('PathBlocked'));
  await assert.rejects(readFile(world, { path: 'loop' }), faultOf('PathBlocked'));
  assert.equal((await listDir(world, { path: 'short' })).path, 'deep');
});

test('an output folder outside the project belongs to the world, what is beside it does not', async (t) => {
  const outside = temporaryFolder(t);
  const world = { ...makeWorld(t), outputFolder: path.join(outside, 'results') };
  const file = path.join(outside, 'results', 'a', 'x.txt');
  assert.deepEqual(await writeFile(world, file, 'x'), { path: file, size: 1, created: true });
  assert.equal((await readFile(world, { path: file })).content, 'x');
  await assert.rejects(writeFile(world, path.join(outside, 'y.txt'), 'x'), faultOf('PathBlocked'));
  const around = { ...world, outputFolder: path.dirname(world.project) };
  await assert.rejects(writeFile(around, path.join(path.dirname(world.project), 'y.txt'), 'x'), faultOf('PathBlocked'));
});

test('deleting removes a file or a link itself, and no folder', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'a', 'b/c': '' });
  symlinkSync('a.txt', at(world, 'link'));
  assert.deepEqual(await deleteFile(world, 'link'), { path: 'link', deleted: true });
  assert.equal(content(world, 'a.txt'), 'a');
  await deleteFile(world, 'a.txt');
  assert.ok(!existsSync(at(world, 'a.txt')));
  await assert.rejects(deleteFile(world, 'a.txt'), faultOf('DataNotFound'));
  await assert.rejects(deleteFile(world, 'b'), faultOf('ParamInvalid'));
  await assert.rejects(deleteFile(world, '.env'), faultOf('PathBlocked'));
});

test('a file moves to another folder with its content, mode and owner; nothing else is left', async (t) => {
  const world = makeWorld(t, { 'run.sh': 'text' });
  chmodSync(at(world, 'run.sh'), 0o751);
  if (isRoot) chownSync(at(world, 'run.sh'), 12345, 12346);
  const before = statSync(at(world, 'run.sh'));
  const to = 'new/deep/run.sh';
  assert.deepEqual(await moveFile(world, 'run.sh', to), { from: 'run.sh', to, replaced: false });
  const { ino, mode, uid, gid } = statSync(at(world, to));
  assert.deepEqual([ino, mode, uid, gid], [before.ino, before.mode, before.uid, before.gid]);
  assert.equal(content(world, to), 'text');
  assert.deepEqual(readdirSync(world.project), ['new']);
  assert.deepEqual(readdirSync(at(world, 'new/deep')), ['run.sh']);
});

test('a move replaces nothing unless asked to, and then all of it', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'a', 'b.txt': 'b' });
  await assert.rejects(moveFile(world, 'a.txt', 'b.txt'), faultOf('ParamInvalid'));
  await assert.rejects(moveFile(world, 'a.txt', 'b.txt', false), faultOf('ParamInvalid'));
  assert.deepEqual([content(world, 'a.txt'), content(world, 'b.txt')], ['a', 'b']);
  assert.equal((await moveFile(world, 'a.txt', 'b.txt', true)).replaced, true);
  assert.equal(content(world, 'b.txt'), 'a');
  assert.ok(!existsSync(at(world, 'a.txt')));
  linkSync(at(world, 'b.txt'), at(world, 'twin.txt'));
  for (const to of ['b.txt', './b.txt', 'twin.txt'])
    await assert.rejects(moveFile(world, 'b.txt', to, true), faultOf('ParamInvalid'), to);
  assert.equal(content(world, 'b.txt'), 'a');
});

test('a move follows no link and takes no folder, at either end', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'a', 'real/b.txt': 'b', '.git/hooks/x': 'x', '.env': 'S' });
  symlinkSync('a.txt', at(world, 'link'));
  symlinkSync('real', at(world, 'folder-link'));
  for (const from of ['link', 'folder-link/b.txt', '.git/hooks/x', '.env', '../a.txt', 'folder-link'])
    await assert.rejects(moveFile(world, from, 'taken/x.txt'), faultOf('PathBlocked'), from);
  await assert.rejects(moveFile(world, 'real', 'taken/x.txt'), faultOf('ParamInvalid'));
  await assert.rejects(moveFile(world, 'none.txt', 'taken/x.txt'), faultOf('DataNotFound'));
  for (const to of ['link', 'folder-link/new.txt', '.git/hooks/post-commit', '.env', '../a.txt', 'real', 'real/', '.'])
    await assert.rejects(moveFile(world, 'a.txt', to, true), faultOf('PathBlocked'), to);
  assert.deepEqual([content(world, 'a.txt'), content(world, 'real/b.txt')], ['a', 'b']);
  assert.ok(!existsSync(at(world, 'taken')), 'a refused move makes no folder');
});

const OTHER_FILE_SYSTEM = ['linkSync', 'renameSync'].map((call) => ({
  file: 'src/tools/file/relocate-file.ts',
  from: `${call}(placeOf(from), placeOf(to));`,
  to: "throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });",
}));

test('a move to another file system is a copy with the same mode, and the old file goes', async (t) => {
  const tools = await changed<typeof import('./tool-call.ts')>('src/tools/tool-call.ts', ...OTHER_FILE_SYSTEM);
  const world = makeWorld(t, { 'run.sh': 'text', 'b.txt': 'b', 'c.txt': 'c' });
  chmodSync(at(world, 'run.sh'), 0o711);
  const move = (args: object) => tools.runTool('move_file', args, { ...world, network: defaultNetworkPolicy });
  await move({ from: 'run.sh', to: 'new/run.sh' });
  assert.deepEqual([content(world, 'new/run.sh'), statSync(at(world, 'new/run.sh')).mode & 0o777], ['text', 0o711]);
  await assert.rejects(move({ from: 'b.txt', to: 'c.txt' }));
  await move({ from: 'b.txt', to: 'c.txt', overwrite: true });
  assert.equal(content(world, 'c.txt'), 'b');
  assert.deepEqual(readdirSync(world.project).sort(), ['c.txt', 'new']);
});

test('an edit keeps line endings, mark and mode; a dry run changes nothing', async (t) => {
  const world = makeWorld(t, { 'a.txt': '\ufeffone\r\ntwo\r\n' });
  chmodSync(at(world, 'a.txt'), 0o640);
  const edits = [{ op: 'replace', old: 'two', new: 'zwei' }] as const;
  const preview = await previewEdit(world, 'a.txt', edits);
  assert.match(preview.diff ?? '', /^-two\r?$/m);
  assert.match(preview.diff ?? '', /^\+zwei\r?$/m);
  assert.equal(content(world, 'a.txt'), '\ufeffone\r\ntwo\r\n');
  assert.deepEqual(await editFile(world, 'a.txt', edits), { path: 'a.txt', changed: true, created: false, places: 1 });
  assert.equal(content(world, 'a.txt'), '\ufeffone\r\nzwei\r\n');
  assert.equal(statSync(at(world, 'a.txt')).mode & 0o777, 0o640);
  const same = await editFile(world, 'a.txt', [{ op: 'replace', old: 'zwei', new: 'zwei' }]);
  assert.equal(same.changed, false);
});

test('only append and prepend make a new file; a dry run makes no folder either', async (t) => {
  const world = makeWorld(t);
  await assert.rejects(editFile(world, 'x.txt', [{ op: 'replace', old: 'a', new: 'b' }]), faultOf('DataNotFound'));
  const append = [{ op: 'append', content: 'first' }] as const;
  assert.match((await previewEdit(world, 'deep/x.txt', append)).diff ?? '', /^\+first$/m);
  assert.deepEqual(readdirSync(world.project), []);
  assert.equal((await editFile(world, 'deep/x.txt', append)).created, true);
  assert.equal(content(world, 'deep/x.txt'), 'first');
});

test('edits of one file at the same time are all kept', async (t) => {
  const world = makeWorld(t, { 'log.txt': '' });
  const lines = Array.from({ length: 5 }, (_, index) => `line ${index}`);
  await Promise.all(lines.map((line) => editFile(world, 'log.txt', [{ op: 'append', content: line }])));
  assert.deepEqual(content(world, 'log.txt').split('\n').sort(), lines);
});

test('what a killed edit left behind goes with the next change, younger ones stay', async (t) => {
  const world = makeWorld(t);
  const [old, young] = ['0'.repeat(24), '1'.repeat(24)].map((id) => `.skillwright-${id}.tmp`);
  for (const name of [old, young]) writeFileSync(at(world, name ?? ''), 'half');
  utimesSync(at(world, old ?? ''), 0, 0);
  await writeFile(world, 'a.txt', 'x');
  assert.deepEqual(readdirSync(world.project).sort(), [young, 'a.txt']);
});
