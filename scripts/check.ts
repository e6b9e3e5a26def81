// Mutants, types, style, shape and dead code: everything that can be said without running the product.
import { spawnSync } from 'node:child_process';
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

for (const [title, program, ...args] of CHECKS) {
  const startedAt = performance.now();
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? '✔' : '✖'} check: ${title} (${seconds} s)\n`);
  if (status !== 0) process.exit(1);
}
