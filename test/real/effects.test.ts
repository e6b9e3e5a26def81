// A real document skill with effects only asked about: twenty steps on a Word document, and one question, for its change set.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isConfined } from '../support/questions/confined.ts';
import { lines } from '../support/real/case.ts';
import { readTree } from '../support/real/project.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { answersOf, lackOf, makeWalkProject, SYSTEM_PATH, type Walk, type WalkStep } from '../support/real/walk.ts';
import { temporaryFolder } from '../support/support.ts';
import { atTerminal } from '../support/terminal.ts';
import { missing } from '../support/world/sandbox-support.ts';

const unpack = (file: string, folder: string): WalkStep => ({
  script: 'scripts/office/unpack.py',
  args: [file, folder],
});
const pack = (folder: string, file: string): WalkStep => ({
  script: 'scripts/office/pack.py',
  args: [folder, file, '--validate', 'false'],
});
const read = (file: string): WalkStep => ({ argv: ['python3', 'read.py', file] });

const STEPS: readonly WalkStep[] = [
  {
    write: 'read.py',
    content: lines(
      'import sys, zipfile, re',
      'print(re.sub("<[^>]*>", "", zipfile.ZipFile(sys.argv[1]).read("word/document.xml").decode()))',
    ),
  },
  read('doc.docx'),
  unpack('doc.docx', 'unpacked/'),
  { edit: 'unpacked/word/document.xml', old: 'The contract ends in May.', now: 'The contract ends in June.' },
  { argv: ['grep', '-c', 'June', 'unpacked/word/document.xml'] },
  { script: 'scripts/comment.py', args: ['unpacked/', '0', 'Check &amp; confirm'] },
  pack('unpacked/', 'first.docx'),
  read('first.docx'),
  unpack('first.docx', 'again/'),
  { edit: 'again/word/document.xml', old: 'Second paragraph.', now: 'A second paragraph.' },
  { script: 'scripts/comment.py', args: ['again/', '1', 'Done'] },
  { argv: ['ls', 'again/word'] },
  pack('again/', 'second.docx'),
  read('second.docx'),
  { argv: ['cp', 'second.docx', 'final.docx'] },
  unpack('final.docx', 'last/'),
  { argv: ['wc', '-l', 'last/word/comments.xml'] },
  { argv: ['rm', '-r', 'again'] },
  { write: 'notes.md', content: '# Changes\n\nThe contract ends in June.\n' },
  { argv: ['ls', '-l'] },
];

const WALK: Walk = {
  name: 'twenty steps on a Word document',
  skill: 'anthropics+skills/skills/docx',
  needs: ['python:docx', 'python:defusedxml', 'python:lxml'],
  make: lines(
    'from docx import Document',
    'document = Document()',
    'document.add_paragraph("The contract ends in May.")',
    'document.add_paragraph("Second paragraph.")',
    'document.save("doc.docx")',
  ),
  steps: STEPS,
  results: ['read.py', 'unpacked/word/comments.xml', 'first.docx', 'second.docx', 'final.docx', 'last', 'notes.md'],
  check: (project) => {
    const told = execFileSync('python3', ['read.py', 'final.docx'], { cwd: project, env: { PATH: SYSTEM_PATH } });
    assert.match(String(told), /The contract ends in June\.[\s\S]*A second paragraph\./);
    assert.equal(existsSync(path.join(project, 'again')), false);
  },
};

const APPLY = 'Apply these changes? [y/c/N/v/?] ';

test('ask: effects, --budget turns=30: twenty steps of a real document skill ask exactly once, for the change set', async (t) => {
  const root = realFolder(t);
  if (!root || !(await isConfined(t))) return;
  const lacking = lackOf(WALK);
  if (lacking !== undefined) return missing(t, `${lacking} is not installed`);
  const folder = temporaryFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  makeWalkProject(WALK, root, project);
  const before = readTree(project);
  const model = path.join(folder, 'answers.json');
  writeFileSync(model, JSON.stringify(answersOf(WALK)));
  const words = ['run', WALK.name, '--model', `mock:${model}`, '--ask', 'effects', '--budget', 'turns=30'];
  const at = { cwd: project, home, env: { PATH: SYSTEM_PATH }, columns: 100 };
  assert.equal(STEPS.length, 20);
  const ran = await atTerminal(words, { ...at, until: APPLY, type: 'y\n' });
  assert.equal(ran.code, 0, ran.shown);
  assert.equal(ran.shown.split(APPLY).length, 2, ran.shown);
  assert.doesNotMatch(ran.shown, /Enter = no|→ error/, ran.shown);
  WALK.check(project);
  const undone = await atTerminal(['runs', 'undo', 'latest'], { ...at, type: '' });
  assert.equal(undone.code, 0, undone.shown);
  assert.deepEqual(readTree(project), before);
});
