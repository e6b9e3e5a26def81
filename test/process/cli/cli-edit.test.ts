// `edit` as a person runs it, and as it looks to whoever reads the file when it is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { editFile } from '../../../src/tools/edit-file.ts';
import { openFiles } from '../../../src/tools/file/files.ts';
import { type CliOptions, count, repository, runCli, temporaryFolder } from '../../support/support.ts';

interface Place extends CliOptions {
  readonly file: (name: string) => string;
  readonly read: (name: string) => string;
}

function makePlace(t: TestContext, files: Record<string, string> = {}): Place {
  const root = temporaryFolder(t);
  const cwd = path.join(root, 'project');
  const home = path.join(root, 'home');
  for (const folder of [path.join(cwd, '.agent'), home]) mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(cwd, name), content);
  const file = (name: string) => path.join(cwd, name);
  return { cwd, home, file, read: (name) => readFileSync(file(name), 'utf8') };
}

async function edit(place: Place, args: readonly string[], input?: string) {
  const { code, stdout } = await runCli(['edit', '--json', ...args], {
    ...place,
    ...(input !== undefined && { input }),
  });
  return { code, ...JSON.parse(stdout) };
}

test('003-41 edit replace exchanges exact text, and text that is not there is an error', async (t) => {
  const place = makePlace(t, { 'a.md': 'v1.0 is v1.0\r\n' });
  chmodSync(place.file('a.md'), 0o640);
  const done = await edit(place, ['replace', 'a.md', 'v1.0', 'v2.0']);
  assert.deepEqual(done.data, { file: 'a.md', operation: 'replace', changed: true, created: false, places: 2 });
  assert.deepEqual([done.code, done.state, place.read('a.md')], [0, 'success', 'v2.0 is v2.0\r\n']);
  assert.equal(statSync(place.file('a.md')).mode & 0o777, 0o640);
  const missed = await edit(place, ['replace', 'a.md', 'v1.0', 'v3.0']);
  assert.deepEqual([missed.code, missed.state, missed.data.type], [1, 'error', 'DataNotFound']);
  assert.equal(place.read('a.md'), 'v2.0 is v2.0\r\n');
});

test('003-42 003-47 edit append writes into mybox at once, without asking, making what is missing', async (t) => {
  const place = makePlace(t);
  assert.equal((await edit(place, ['append', 'mybox/x.md', 'first'])).data.created, true);
  assert.equal((await edit(place, ['append', 'mybox/x.md', '--non-interactive', '--', '- second'])).code, 0);
  assert.equal(place.read('mybox/x.md'), 'first\n- second');
  assert.equal((await edit(place, ['prepend', 'mybox/x.md', '# Title'])).code, 0);
  assert.equal(place.read('mybox/x.md'), '# Title\nfirst\n- second');
  assert.deepEqual(readdirSync(place.file('mybox')), ['x.md']);
});

test('003-43 edit insert-after and insert-before put content beside a marker', async (t) => {
  const place = makePlace(t, { 'a.md': '# A\nend\n' });
  assert.equal((await edit(place, ['insert-after', 'a.md', '# A', 'below'])).code, 0);
  assert.equal((await edit(place, ['insert-before', 'a.md', 'end', 'above'])).code, 0);
  assert.equal(place.read('a.md'), '# A\nbelow\nabove\nend\n');
  assert.equal((await edit(place, ['delete-between', 'a.md', 'below', 'above'])).code, 0);
  assert.equal(place.read('a.md'), '# A\n\nend\n');
});

test('003-44 edit regex replaces with groups; a bad pattern is an error', async (t) => {
  const place = makePlace(t, { 'a.txt': 'b=1\na=2\n' });
  assert.equal((await edit(place, ['regex', 'a.txt', '^(\\w)=(\\d)$', '$2=$1'])).code, 0);
  assert.equal(place.read('a.txt'), '1=b\n2=a\n');
  assert.equal((await edit(place, ['regex', 'a.txt', '(', 'x'])).data.type, 'ParamInvalid');
});

test('003-44 edit regex knows the references of Python, and refuses one without a group', async (t) => {
  const place = makePlace(t, { 'a.txt': 'k=1\n' });
  assert.equal((await edit(place, ['regex', 'a.txt', '(\\w)=(\\d)', '\\2=\\1'])).code, 0);
  assert.equal(place.read('a.txt'), '1=k\n');
  assert.equal((await edit(place, ['regex', 'a.txt', '(?P<n>\\d)=k', '\\g<n>\\g<0>\\\\1'])).code, 0);
  assert.equal(place.read('a.txt'), '11=k\\1\n');
  const wrong = await edit(place, ['regex', 'a.txt', '=', '\\1']);
  assert.deepEqual([wrong.code, wrong.data.type], [1, 'ParamInvalid']);
  assert.equal(place.read('a.txt'), '11=k\\1\n');
});

test('003-44 edit regex says what its patterns cannot do, and the way round it works', async (t) => {
  const place = makePlace(t, { 'a.txt': 'aXbX\n' });
  for (const pattern of ['(?<=a)X', 'X(?=b)', 'X(?!b)', '(a|b)X\\1']) {
    const refused = await edit(place, ['regex', 'a.txt', pattern, 'Y']);
    assert.deepEqual([refused.code, refused.data.type], [1, 'ParamInvalid'], pattern);
    assert.match(JSON.stringify(refused), /lookbehind[\s\S]*\(a\)X/, pattern);
  }
  assert.equal((await edit(place, ['regex', 'a.txt', '(a)X', '$1Y'])).code, 0);
  assert.equal(place.read('a.txt'), 'aYbX\n');
});

test('003-45 update-json names items of a list as a.0 or a[0], and 0 of an object as a name', async (t) => {
  const place = makePlace(t, { 'n.json': '{"a":[1,{"0":2}]}' });
  for (const [field, value] of [
    ['a.0', '9'],
    ['a.1.0', '8'],
    ['a.2', '7'],
    ['a[0]', '-5'],
  ] as const)
    assert.equal((await edit(place, ['update-json', 'n.json', field, value])).code, 0, field);
  assert.equal(place.read('n.json'), '{"a":[-5,{"0":8},7]}');
  assert.equal((await edit(place, ['update-json', 'n.json', 'a.9', '1'])).data.type, 'ParamInvalid');
});

test('003-42 a word that begins with a dash and could be no option is a word', async (t) => {
  const place = makePlace(t, {});
  assert.equal((await edit(place, ['append', 'mybox/x.md', '- item'])).code, 0);
  assert.equal(place.read('mybox/x.md'), '- item');
  assert.equal((await edit(place, ['append', 'mybox/x.md', '-item'])).code, 2);
});

test('003-45 edit update-json sets a field by its path', async (t) => {
  const place = makePlace(t, { 'p.json': '{\n  "version": "1.0",\n  "files": [{ "n": 1 }]\n}\n' });
  assert.equal((await edit(place, ['update-json', 'p.json', 'files[0].n', '2'])).code, 0);
  assert.equal((await edit(place, ['update-json', 'p.json', 'version', '2.0'])).code, 0);
  assert.deepEqual(JSON.parse(place.read('p.json')), { version: '2.0', files: [{ n: 2 }] });
  const poisoned = await edit(place, ['update-json', 'p.json', '__proto__.x', '1']);
  assert.deepEqual([poisoned.code, poisoned.data.type], [1, 'ParamInvalid']);
});

test('a batch is applied as a whole or not at all, from a file, stdin or --content-file', async (t) => {
  const edits = JSON.stringify([
    { op: 'replace', old: 'a', new: 'b' },
    { op: 'append', content: 'end' },
  ]);
  const place = makePlace(t, { 'x.txt': 'a\n', 'edits.json': edits, 'bad.json': '[{"op":"replace","old":"b"}]' });
  assert.equal((await edit(place, ['batch', 'x.txt', 'edits.json'])).code, 0);
  assert.equal(place.read('x.txt'), 'b\nend\n');
  assert.equal((await edit(place, ['batch', 'x.txt', 'edits.json'])).data.type, 'DataNotFound');
  const bad = await edit(place, ['batch', 'x.txt', 'bad.json']);
  assert.equal(bad.summary, 'ParamInvalid: bad parameter: edit 1, replace, takes old, new; given: old');
  const missing = await edit(place, ['batch', 'x.txt', 'nowhere.json']);
  assert.equal(missing.summary, 'DataNotFound: no data: there is no file nowhere.json');
  assert.equal((await edit(place, ['batch', 'x.txt', '-'], '{"op":')).data.type, 'InvalidJson');
  assert.equal(place.read('x.txt'), 'b\nend\n');
  writeFileSync(place.file('y.txt'), 'a');
  assert.equal((await edit(place, ['batch', 'y.txt', '-'], edits)).code, 0);
  writeFileSync(place.file('z.txt'), 'a');
  assert.equal((await edit(place, ['batch', 'z.txt', '--content-file', 'edits.json'])).code, 0);
  assert.deepEqual([place.read('y.txt'), place.read('z.txt')], ['b\nend', 'b\nend']);
});

test('content comes from an argument, a file or stdin, byte for byte', async (t) => {
  const content = '$& \\1 "quoted"\n\t中文 `x` $(id)\n';
  const place = makePlace(t, { 'c.txt': content });
  await edit(place, ['append', 'argument.txt', '--', content]);
  await edit(place, ['append', 'file.txt', '--content-file', 'c.txt']);
  await edit(place, ['append', 'stdin.txt', '-'], content);
  for (const name of ['argument.txt', 'file.txt', 'stdin.txt']) assert.equal(place.read(name), content, name);
  assert.equal((await edit(place, ['append', 'x.txt', '--content-file', 'none.txt'])).data.type, 'DataNotFound');
});

test('--dry-run shows the difference and changes nothing', async (t) => {
  const place = makePlace(t, { 'a.txt': 'one\n\u001b[31mtwo\n' });
  const shown = await edit(place, ['replace', 'a.txt', 'one', '1', '--dry-run']);
  assert.match(shown.data.diff, /^--- a\.txt\n\+\+\+ a\.txt\n@@ .* @@\n-one\n\+1\n/);
  const { stdout } = await runCli(['edit', 'replace', 'a.txt', 'one', '1', '--dry-run', '--lang', 'zh'], place);
  assert.match(stdout, /将会更改: a\.txt（1 处）\n[\s\S]*-one\n\+1/);
  assert.ok(!stdout.includes('\u001b'));
  assert.equal(place.read('a.txt'), 'one\n\u001b[31mtwo\n');
});

test('outside the project, secrets, records and links are PathBlocked', async (t) => {
  const place = makePlace(t, { '.env': 'S=1' });
  writeFileSync(path.join(place.cwd, '..', 'outside.txt'), 'old');
  writeFileSync(place.file('.agent/state.db'), 'old');
  symlinkSync('../outside.txt', place.file('link.txt'));
  for (const file of [
    '../outside.txt',
    path.join(place.cwd, '..', 'outside.txt'),
    '.env',
    '.agent/state.db',
    'link.txt',
  ]) {
    const refused = await edit(place, ['append', file, 'new']);
    assert.deepEqual([refused.code, refused.data.type], [1, 'PathBlocked'], file);
  }
  assert.equal(readFileSync(path.join(place.cwd, '..', 'outside.txt'), 'utf8'), 'old');
});

test('a name is meant from where the person stands; with --project, from there', async (t) => {
  const place = makePlace(t);
  mkdirSync(place.file('docs'));
  const below = { ...place, cwd: place.file('docs') };
  assert.equal((await edit(below, ['append', 'a.md', 'x'])).data.file, 'docs/a.md');
  assert.equal((await edit(below, ['append', '../b.md', 'x'])).data.file, 'b.md');
  assert.equal((await edit({ ...place, cwd: place.home }, ['append', 'c.md', 'x', '-C', place.cwd])).data.file, 'c.md');
  for (const file of ['docs/a.md', 'b.md', 'c.md']) assert.ok(existsSync(place.file(file)), file);
});

test('wrong words are usage errors that say what is taken', async (t) => {
  const place = makePlace(t, { 'a.txt': 'a' });
  const few = await edit(place, ['replace', 'a.txt', 'x']);
  assert.deepEqual([few.code, few.data.type], [2, 'Usage']);
  assert.match(few.summary, /<old> <new>/);
  assert.equal((await edit(place, ['append', 'a.txt', 'x', '--content-file', 'a.txt'])).code, 2);
  const typo = await runCli(['edit', 'repalce', 'a.txt', 'x', 'y'], place);
  assert.equal(typo.code, 2);
  assert.match(typo.stderr, /Did you mean replace/);
});

const toolModules = ['edit-file', 'file/files'].map(
  (name) => pathToFileURL(path.join(repository, `src/tools/${name}.ts`)).href,
);

test('an edit of a file and its inverse give every byte back', async (t) => {
  const project = temporaryFolder(t);
  const files = openFiles({ project, outputFolder: path.join(project, 'out'), isOwnState: () => false });
  const text = fc.string({ unit: fc.constantFrom('a', 'β', '中', '\n', '\r\n', '\ufeff', '$', '😀'), maxLength: 30 });
  const file = path.join(project, 'x.txt');
  await fc.assert(
    fc.asyncProperty(text, text, async (before, added) => {
      const original = `${before}§`;
      writeFileSync(file, original);
      // A file of Windows lines takes all of its line ends in that form.
      const plain = added.replaceAll('\r\n', '\n').replaceAll('\n', ' ');
      await editFile(files, 'x.txt', [{ op: 'replace', old: '§', new: `§${plain}¶` }]);
      await editFile(files, 'x.txt', [{ op: 'replace', old: `§${plain}¶`, new: '§' }]);
      assert.equal(readFileSync(file, 'utf8'), original);
    }),
    { numRuns: count(500, 50) },
  );
});

const CHILD = `
  const [, edit, port, project] = process.argv;
  const { editFile } = await import(edit);
  const { openFiles } = await import(port);
  const files = openFiles({ project, outputFolder: project, isOwnState: () => false });
  for (let turn = 0; ; turn++) {
    const [from, to] = turn % 2 ? ['new', 'old'] : ['old', 'new'];
    await editFile(files, 'x.txt', [{ op: 'replace', old: from, new: to }]);
    if (turn === 1) process.stdout.write('ready');
  }`;

test('killed at random instants, an edited file is old or new, never half; what is left is cleaned up', async (t) => {
  const project = temporaryFolder(t);
  const file = path.join(project, 'x.txt');
  const filler = 'filler\n'.repeat(100_000);
  const versions = ['old', 'new'].map((word) => `${word}\n${filler}${word}\n`);
  const seen = new Set<number>();
  let left = 0;
  for (let round = 0; round < count(200, 20); round++) {
    writeFileSync(file, versions[0] ?? '');
    await editUntilKilled(project, Math.random() * 30);
    seen.add(versions.indexOf(readFileSync(file, 'utf8')));
    left = ageLeftovers(project, left);
  }
  assert.ok(!seen.has(-1), 'a half-written file was seen');
  t.diagnostic(`${left} kills left a temporary file`);
  const files = openFiles({ project, outputFolder: project, isOwnState: () => false });
  await editFile(files, 'x.txt', [{ op: 'append', content: 'after' }]);
  assert.deepEqual(readdirSync(project), ['x.txt']);
});

/** Kills a process that does nothing but edit, so many milliseconds after its first edits. */
async function editUntilKilled(project: string, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, ...toolModules, project], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([closed, new Promise((resolve) => child.stdout.once('data', resolve))]);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  assert.ok(child.kill('SIGKILL'), 'the editing process ended by itself');
  await closed;
}

function ageLeftovers(project: string, before: number): number {
  const temporary = readdirSync(project).filter((name) => name !== 'x.txt');
  for (const name of temporary) utimesSync(path.join(project, name), 0, 0);
  return before + temporary.length;
}
