// Builds dist/: one bundle with lazily loaded chunks for the command line, plain modules and types for the library.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'dist');

const STORED_TASK = './cli/stored-task.ts';
const BUNDLE: InputOptions = { cwd: root, platform: 'node', checks: { ineffectiveDynamicImport: false } };
const COMMONJS: OutputOptions = {
  dir: dist,
  format: 'cjs',
  exports: 'named',
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};

rmSync(dist, { recursive: true, force: true });
await bundleCommandLine();
await bundleStoredTask();
compileLibrary();
copyAssets();

// CommonJS, because Node loads it in half the time: a command starts with some thirty chunks.
async function bundleCommandLine(): Promise<void> {
  const bundle = await rolldown({
    ...BUNDLE,
    input: 'src/cli.ts',
    plugins: [
      {
        name: 'stored-task',
        resolveId: (id) => (id === STORED_TASK ? { id: './stored-task.cjs', external: true } : undefined),
      },
    ],
  });
  await bundle.write({ ...COMMONJS, chunkFileNames: 'chunks/[name]-[hash].cjs' });
  chmodSync(path.join(dist, 'cli.cjs'), 0o755);
}

// All in one file with nothing beside what it needs: a stored answer is there sooner than a dozen chunks are found.
async function bundleStoredTask(): Promise<void> {
  const bundle = await rolldown({ ...BUNDLE, input: { 'stored-task': path.join('src', STORED_TASK) } });
  await bundle.write({ ...COMMONJS, codeSplitting: false });
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
