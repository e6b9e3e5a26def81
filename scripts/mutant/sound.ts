// Whether a changed file can still be loaded: what does not parse or import fails every test and proves nothing.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const LIMIT_MS = 60_000;
/** Loading it is running it. */
const PROGRAM = 'src/bin.ts';
const TEMPLATES = 'src/cli/templates/';

/** Why it cannot, or undefined. */
export function whyUnsound(root: string, file: string): string | undefined {
  const words = wordsFor(root, file);
  if (!words) return undefined;
  const [program = '', ...args] = words;
  const { status, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', timeout: LIMIT_MS });
  if (status === 0) return undefined;
  return stderr.split('\n').findLast((line) => /Error\b/.test(line)) ?? 'it does not load';
}

function wordsFor(root: string, file: string): string[] | undefined {
  const place = path.join(root, file);
  switch (path.extname(file)) {
    case '.ts':
      if (file === PROGRAM || file.startsWith(TEMPLATES)) return [process.execPath, '--check', place];
      return [
        process.execPath,
        '--input-type=module',
        '-e',
        `await import(${JSON.stringify(pathToFileURL(place).href)})`,
      ];
    case '.py':
      return ['python3', '-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', place];
    case '.json':
      return [process.execPath, '-p', `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(place)}, 'utf8'))`];
    default:
      return undefined;
  }
}
