// A run of twenty steps on a packed document: each script works on what the ones before it left.
import { cpSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { answer, makeWorld, type Script, script, select, tool, type World } from '../agent-support.ts';
import { repository } from '../support.ts';

const DOC = 'report.paper';
const FOLDER = 'report-parts';

export function paperWorld(t: TestContext, files: Readonly<Record<string, string>> = {}): World {
  const world = makeWorld(t, files);
  cpSync(path.join(repository, 'test/fixtures/questions/paper'), path.join(world.project, '.agent/skills/paper'), {
    recursive: true,
  });
  return world;
}

const paper = (file: string, ...args: string[]) => script('paper', `${file}.py`, ...args);

/** Twenty effects between the choice of the skill and the answer. */
export const TWENTY_STEPS: Script = [
  select('paper'),
  paper('make', DOC, 'Yearly report'),
  paper('unpack', DOC, FOLDER),
  paper('add', FOLDER, 'Summary', 'A good year.'),
  paper('add', FOLDER, 'Sales', 'Sales rose by 3 %.'),
  paper('add', FOLDER, 'Costs', 'Costs fell by 2 %.'),
  paper('check', FOLDER),
  paper('replace', FOLDER, '3 %', '4 %'),
  paper('add', FOLDER, 'Outlook', 'We expect more.'),
  paper('contents', FOLDER),
  paper('check', FOLDER),
  paper('pack', FOLDER, DOC),
  paper('text', DOC, 'mybox/output/report.txt'),
  tool('write_file', { path: 'notes.md', content: '# Notes\nSales rose.\n' }, 'paper'),
  tool('move_file', { from: 'notes.md', to: 'docs/notes.md' }, 'paper'),
  tool('run_command', { argv: ['grep', '-c', 'section', `${FOLDER}/index.xml`] }, 'paper'),
  paper('replace', FOLDER, 'more', 'much more'),
  paper('contents', FOLDER),
  paper('pack', FOLDER, DOC),
  paper('text', DOC, 'mybox/output/report.txt'),
  tool('delete_file', { path: 'old.txt' }, 'paper'),
  answer('the report is ready'),
];
