// The built-in skills as a person uses them: through the command line, unasked, with results in the output folder.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { skills } from '../../support/builtin-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const JUNIT =
  '<testsuite name="s" timestamp="2026-01-05T10:00:00"><testcase name="a" time="1"/><testcase name="b"><failure message="no"/></testcase></testsuite>';

// The shape of the data is what is under test.
type Data = ReturnType<typeof JSON.parse>;
type Run = (...args: string[]) => Promise<Data>;

/** A project with a table, a test result and a document, and the command line inside it. */
function project(t: TestContext): { folder: string; home: string; run: Run } {
  const place = temporaryFolder(t);
  const [folder, home] = [path.join(place, 'project'), path.join(place, 'home')];
  for (const made of [path.join(folder, '.agent'), path.join(folder, 'test-results'), home]) {
    mkdirSync(made, { recursive: true });
  }
  cpSync(path.join(skills, 'csv-insights/assets/sample.csv'), path.join(folder, 'sample.csv'));
  writeFileSync(path.join(folder, 'test-results', 'junit.xml'), JUNIT);
  writeFileSync(path.join(folder, 'note.md'), '# Note\n\n<script>alert(1)</script>\n');
  const run: Run = async (...args) => {
    const { code, stdout, stderr } = await runCli([...args, '--json', '--non-interactive'], { cwd: folder, home });
    assert.equal(code, 0, stdout + stderr);
    return JSON.parse(stdout).data;
  };
  return { folder, home, run };
}

test('000-41 build-analysis gives its daily briefing without parameters', async (t) => {
  const { run } = project(t);
  const { response } = await run('call', 'build-analysis', 'daily_briefing');
  assert.equal(response.data.metrics.failed, 1);
  assert.match(response.data.briefing, /^# Build report: daily \(2026-01-05\)/);
});

test('a person sees the progress of a built-in skill while it works', async (t) => {
  const { folder, home } = project(t);
  const args = ['call', 'csv-insights', 'full', 'target=sample.csv'];
  const { code, shown } = await atTerminal(args, { cwd: folder, home, type: '', columns: 100 });
  assert.equal(code, 0, shown);
  assert.match(shown, /█+░+ {2}30% read[\s\S]*█+░+ {2}70% analyzed/);
});

test('000-42 analyze answers with insights and metrics', async (t) => {
  const { run } = project(t);
  for (const [skill, target] of [
    ['build-analysis', 'ci_builds'],
    ['csv-insights', 'sample.csv'],
  ] as const) {
    const { response } = await run('call', skill, 'analyze', `target=${target}`, 'days=7');
    assert.ok(response.data.insights.every((sentence: unknown) => typeof sentence === 'string'));
    assert.ok(Object.keys(response.data.metrics).length > 5);
  }
});

test('000-43 report answers with its path and content, and the file holds that content', async (t) => {
  const { folder, run } = project(t);
  for (const skill of ['build-analysis', 'csv-insights']) {
    const { response } = await run('call', skill, 'report', 'type=daily', 'format=markdown');
    assert.match(response.data.report_path, /^mybox\/output\/[\w-]+\.md$/);
    assert.equal(readFileSync(path.join(folder, response.data.report_path), 'utf8'), response.data.content);
  }
});

test('000-44 000-46 fetch answers with items and count, full with all parts', async (t) => {
  const { run } = project(t);
  const { response } = await run('call', 'csv-insights', 'fetch', 'source=sample.csv', 'query=region = North');
  assert.deepEqual([response.data.items.length, response.data.count], [14, 14]);
  const full = await run('call', 'csv-insights', 'full', 'format=html');
  assert.deepEqual(Object.keys(full.response.data), ['fetch', 'analyze', 'report']);
});

test('000-53 a table without rows is DATA_NOT_FOUND', async (t) => {
  const place = temporaryFolder(t);
  writeFileSync(path.join(place, 'empty.csv'), 'day,sales\n');
  const words = ['call', 'csv-insights', 'analyze', 'target=empty.csv', '--json', '--non-interactive'];
  const { code, stdout } = await runCli(words, { cwd: place, home: temporaryFolder(t) });
  assert.deepEqual([code, JSON.parse(stdout).data.type], [1, 'DATA_NOT_FOUND'], stdout);
});

test('003-17 the converter writes its page to the output folder', async (t) => {
  const { folder, run } = project(t);
  const { output_path } = await run('invoke', '@markdown-converter', 'note.md');
  assert.match(output_path, /^mybox\/output\//);
  const page = readFileSync(path.join(folder, output_path), 'utf8');
  assert.match(page, /<h1 id="note">Note<\/h1>\n<p>&lt;script&gt;/);
});
