// Mutants, types, style, shape and dead code: everything that can be said without running the product.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name);

const CHECKS: [title: string, program: string, ...args: string[]][] = [
  // What is changed in the source may be what a mutant changes.
  ['mutants fit', process.execPath, '--test', '--test-reporter=dot', 'test/contract/mutants.test.ts'],
  // Not .bin/tsc: older compilers, which only test/process/distribution/package.test.ts uses, claim that name, too.
  ['types', process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['style', bin('biome'), 'check', '--error-on-warnings', '.'],
  ['shape', process.execPath, 'scripts/shape.ts'],
  ['built-in skills', process.execPath, 'scripts/builtin-manifest.ts', '--check'],
  ['dead code', bin('knip'), '--no-progress'],
];

// Beside each other: half of them use one processor.
const passed = await Promise.all(CHECKS.map(check));
if (!passed.every(Boolean)) process.exit(1);

async function check([title, program, ...args]: (typeof CHECKS)[number]): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part));
  const [status] = await once(child, 'close');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${Buffer.concat(said)}${status === 0 ? '✔' : '✖'} check: ${title} (${seconds} s)\n`);
  return status === 0;
}
