// Builds dist/: one bundle with lazily loaded chunks for the command line, plain modules and types for the library.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
await bundleCommandLine();
compileLibrary();
copyAssets();

// CommonJS, because Node loads it in half the time: a command starts with some thirty chunks.
async function bundleCommandLine(): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: 'src/cli.ts',
    platform: 'node',
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: dist,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  chmodSync(path.join(dist, 'cli.cjs'), 0o755);
}

function compileLibrary(): void {
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// `base/assets.ts` finds them one folder above itself, in the library and in the bundle.
function copyAssets(): void {
  for (const file of globSync(['src/**/*.{pl,py,md,txt,json,bin}', 'src/cli/templates/**/*.*'], { cwd: root })) {
    const inside = path.relative('src', file);
    cpSync(path.join(root, file), path.join(dist, 'lib', inside));
    cpSync(path.join(root, file), path.join(dist, inside));
  }
}
