// npm start: the product at work in a temporary folder, command by command, with its real output.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const TOUR: [says: string, ...command: string[]][] = [
  ['A project gets its folders.', 'init'],
  [
    'A first skill, instructions only.',
    'new',
    'release-notes',
    '--description',
    'Writes release notes from the git log. Use when a version is about to be published.',
  ],
  [
    'A second one, with a script that speaks the skill protocol.',
    'new',
    'build-report',
    '--kind',
    'protocol',
    '--lang',
    'python',
  ],
  ['What there is, from frontmatter alone.', 'list'],
  ['Is everything as it should be?', 'validate'],
  ['Everything about one skill.', 'inspect', 'build-report'],
];

const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-tour-'));
try {
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  for (const made of [project, home]) mkdirSync(made);
  for (const [says, ...command] of TOUR) show(says, command, project, home);
  process.stdout.write('\nYours: `node src/cli.ts --help`, or `npm run build` and then `node dist/cli.js --help`.\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(says: string, command: readonly string[], project: string, home: string): void {
  process.stdout.write(`\n# ${says}\n$ skillwright ${command.map(quote).join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [path.join(root, 'src', 'cli.ts'), ...command], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, HOME: home },
  });
  if (status !== 0) process.exitCode = 1;
}

function quote(word: string): string {
  return /^[\w./@:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
