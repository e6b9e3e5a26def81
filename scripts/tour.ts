// npm start: the product at work on sample files in a temporary folder, without a key, a network or a question.
// npm start -- "<request>" runs that request in the folder npm was started from.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const request = process.argv.slice(2).join(' ');

const NOTES = `# Release notes

| version | date       | change          |
|---------|------------|-----------------|
| 1.0     | 2026-11-01 | first release   |
| 1.1     | 2026-11-12 | faster listing  |

- [x] tables
- [ ] footnotes
`;

const SALES = [
  'date,region,sales',
  ...Array.from(
    { length: 30 },
    (_, day) =>
      `2026-10-${String(day + 1).padStart(2, '0')},${day % 2 ? 'north' : 'south'},${100 + day * 3 + (day === 17 ? 250 : 0)}`,
  ),
].join('\n');

const TOUR: [says: string, ...command: string[]][] = [
  ['The skills that come with it, found by reading frontmatter alone.', 'list'],
  [
    'A request in plain words. No model is configured, so the offline one decides; the skill runs in the sandbox.',
    'run',
    'convert notes.md to html',
  ],
  [
    'Another one, in Chinese, with a skill that speaks the protocol.',
    'run',
    '用 csv-insights 分析 sales.csv',
    '--lang',
    'zh',
  ],
  ['A skill of your own.', 'new', 'release-check', '--kind', 'protocol', '--lang', 'python'],
  ['It is somebody’s code until you say yes. Why would it ask?', 'explain', 'release-check', 'run_script'],
  ['What happened is on record, and the record can be checked.', 'runs', 'verify'],
];

if (request !== '') {
  process.exitCode = skillwright(['run', request], process.env.INIT_CWD ?? process.cwd(), process.env.HOME ?? '');
} else {
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-tour-'));
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const made of [project, home]) mkdirSync(made);
  mkdirSync(path.join(project, '.agent'));
  writeFileSync(path.join(project, 'notes.md'), NOTES);
  writeFileSync(path.join(project, 'sales.csv'), `${SALES}\n`);
  for (const [says, ...command] of TOUR) {
    process.stdout.write(`\n# ${says}\n$ skillwright ${command.map(quote).join(' ')}\n`);
    if (skillwright(command, project, home) !== 0) process.exitCode = 1;
  }
  process.stdout.write(
    `\nEverything made on the way is in ${project}\nYour turn: npm start -- "convert README.md to html", or npm run build and node dist/cli.cjs --help\n`,
  );
}

function skillwright(command: readonly string[], cwd: string, home: string): number {
  const { status } = spawnSync(process.execPath, [path.join(root, 'src/bin.ts'), ...command], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, HOME: home },
  });
  return status ?? 1;
}

function quote(word: string): string {
  return /^[\w./@:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
