// Test files share a process: starting one and loading the sources costs more than most of them do.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** One after another they take as long as together: small enough that every processor is busy until the end. */
const GROUP_BYTES = 40_000;

/** What a file does to its whole process, others would meet: hooks of all tests, its folder, its descriptors counted. */
const ALONE = /^(?:before|after)(?:Each)?\(|process\.(?:chdir|umask)\(|readdirSync\('\/proc\/self\/fd'\)/m;
/** One server serves all that need it. */
const DATABASE = /server\/postgres-shared\.ts'/;

interface TestFile {
  readonly file: string;
  readonly text: string;
}

/** The files to start instead, those with the most to do first: `folder` gets one for each group, some stay as they are. */
export function groupFiles(files: readonly string[], { root, folder }: { root: string; folder: string }): string[] {
  const read = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const [rooms, others] = [read.filter((one) => roomOf(one, root)), read.filter((one) => !roomOf(one, root))];
  const folders = Map.groupBy(others, (one) => (ALONE.test(one.text) ? one.file : folderOf(one)));
  const groups = [
    ...[...folders.values()].flatMap(split).sort((one, other) => sizeOf(other) - sizeOf(one)),
    ...Map.groupBy(rooms, (one) => roomOf(one, root)).values(),
  ];
  return groups.map((tests, index) => {
    const [first] = tests;
    if (first === undefined || tests.length === 1) return first?.file ?? '';
    const name = path.relative(root, path.dirname(first.file)).replaceAll(path.sep, '-');
    return writeGroup(path.join(folder, `${name}-${index}.test.ts`), tests);
  });
}

/** Unit tests take little time each, and load what the others of their room do. */
function roomOf({ file }: TestFile, root: string): string | undefined {
  return /^src[/\\]\w+/.exec(path.relative(root, file))?.[0];
}

function folderOf({ file, text }: TestFile): string {
  return path.join(path.dirname(file), DATABASE.test(text) ? 'database' : '');
}

/** Into parts of about the same size. */
function split(tests: readonly TestFile[]): TestFile[][] {
  const parts = Array.from({ length: Math.ceil(sizeOf(tests) / GROUP_BYTES) }, (): TestFile[] => []);
  for (const one of [...tests].sort((a, b) => b.text.length - a.text.length))
    parts.reduce((least, part) => (sizeOf(part) < sizeOf(least) ? part : least)).push(one);
  return parts.filter((part) => part.length > 0);
}

function sizeOf(tests: readonly TestFile[]): number {
  return tests.reduce((sum, { text }) => sum + text.length, 0);
}

function writeGroup(file: string, tests: readonly TestFile[]): string {
  writeFileSync(file, tests.map((test) => `import ${JSON.stringify(test.file)};\n`).join(''));
  return file;
}
