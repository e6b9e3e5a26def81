import assert from 'node:assert/strict';
import test from 'node:test';
import { readIntent } from './intent.ts';
import { isOutside } from './scope.ts';

const RESULTS =
  'Analyzes test runs and writes a test report. Not for running builds or tests, nor for writing or fixing tests.';
const PAGES =
  'Converts a Markdown file into an HTML page, or into plain text. Use when someone asks to turn .md into .html, or to mail a Markdown document. Markdown 转换为网页. Not for PDF.';
const TABLES = 'Analyzes CSV files and writes an HTML report. Use for a spreadsheet export. Not for databases.';

const TABLE: readonly (readonly [string, string, boolean])[] = [
  [RESULTS, 'Run the test suite', true],
  [RESULTS, 'Rerun the build', true],
  [RESULTS, 'Write more tests', true],
  [RESULTS, 'Write a test report', false],
  [RESULTS, 'Analyze the test runs', false],
  [RESULTS, 'Which tests are running slowly?', false],
  ['Reads tests. Not for running them, or fixing those.', 'Run the tests', false],
  ['Reads logs. Not for deleting logs or moving them.', 'Move the logs', true],
  [PAGES, 'Convert this web page to Markdown', true],
  [PAGES, 'Turn report.html into plain text', true],
  [PAGES, '把网页转换成 Markdown', true],
  [PAGES, 'Convert README.md to PDF', true],
  [PAGES, 'Convert README.md to EPUB', true],
  [PAGES, 'Turn README.md into a web page', false],
  [PAGES, 'Convert README.md to index.html', false],
  [PAGES, "I'd like to mail README.md", false],
  [PAGES, '把 README.md 转换成网页', false],
  [TABLES, 'Export the results to CSV', true],
  [TABLES, 'Import sales.csv into the database', true],
  [TABLES, 'Turn sales.csv into an HTML report', false],
  ['Handles documents of any kind.', 'Convert a.docx to PDF', false],
];

for (const [description, request, expected] of TABLE) {
  test(`${JSON.stringify(request)} is ${expected ? 'not ' : ''}for: ${description.slice(0, 30)}…`, () => {
    assert.equal(isOutside(request, readIntent(request), description), expected);
  });
}
