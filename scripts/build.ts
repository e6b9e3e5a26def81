// Builds dist/: a CommonJS bundle with lazily loaded chunks for the command line, an ES module bundle with types for the
// library, and the files both read at run time. Nothing in it needs a node_modules. `build.ts <folder>` builds elsewhere.
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { readExported } from './api/exported.ts';
import { writeDeclarations } from './build-declarations.ts';
import { renderLicenses } from './build-licenses.ts';
import { breakLines } from './build-lines.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const STORED_TASK = './cli/command/task/stored.ts';
const ASSETS = ['src/**/*.{pl,py,cjs,md,txt,json,bin}', 'src/cli/templates/**/*.*'];
const NOT_READ = 'src/**/*.corpus.txt';

/** What a call passes on its way through the door. */
const DOOR =
  /\/src\/(app\/(open-door|workspace\/settle)|door\/perform|workspace\/overlay|process\/sandbox\/sandbox)\.ts$/;

/** Parts of many commands, each too small for a file of its own. */
const OF_COMMANDS =
  /\/src\/cli\/(view\/(titled-columns|piped-cell|waiting|watched|show-progress|outcome-reply|outcome-body|problem-hint|count)|frame\/(run-argument|typed-from|confirm|stop-on-signal|assignment|seconds|change\/apply-option|question\/pager))\.ts$/;

/** Nearly every command loads these, so each is one chunk with all it imports: Node finds one file sooner than forty. */
const LOADED_WHOLE = [
  { name: 'frame', test: /\/src\/cli\/frame\/main\.ts$/, priority: 2 },
  { name: 'parts', test: OF_COMMANDS, priority: 1 },
  // With it what is too small for a file of its own.
  {
    name: 'runtime',
    test: /\/src\/(app\/runtime|skill\/controls|registry\/unseen|model\/model|store\/queue|policy\/private-folder|audit\/seal|base\/text\/(counted|duration|utc-second)|store\/backoff)\.ts$/,
    priority: 1,
  },
  // In parts, since other commands need some of it: what the same commands need is one chunk.
  { name: 'door', test: DOOR, priority: 0, entriesAware: true, entriesAwareMergeThreshold: 6_000 },
];

/** Large, loaded late, and needed by the command line and the library alike: one copy serves both. */
const SHARED = ['pg', 'pg-boss', 're2js', 'unbash', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible'];
const sharedName = (id: string) => id.replace('@', '').replace('/', '-');

const sharedPackages: Plugin = {
  name: 'shared-packages',
  resolveId: (id) => (SHARED.includes(id) ? { id: `../shared/${sharedName(id)}.cjs`, external: true } : undefined),
};

/**
 * The library in parts, each loaded by the first call of one of its functions; what a program can hold without a call has to
 * be there at once, so that part is small. Evals are of no use to most programs.
 */
const PARTS = Object.groupBy(
  readExported(root, 'src/index.ts').filter(({ kind }) => kind !== 'type'),
  ({ kind, file }) =>
    kind !== 'function' ? 'library-values' : /^src\/(?:app\/eval|evals)\//.test(file) ? 'library-evals' : 'library',
);
const PART_NAMES = Object.keys(PARTS);
const partFile = (id: string) => path.join(root, 'src', `${id}.part.ts`);
const libraryParts: Plugin = {
  name: 'library-parts',
  resolveId: (id) => (PART_NAMES.includes(id) ? partFile(id) : undefined),
  load(id) {
    const [, part] = Object.entries(PARTS).find(([name]) => id === partFile(name)) ?? [];
    return part
      ?.map(({ name, local, file }) => `export { ${local} as ${name} } from './${path.posix.relative('src', file)}';`)
      .join('\n');
  },
};

// Modules are executed in the order of their imports, so that nothing of the library comes before the check.
const LIBRARY_ENTRY = `import './require-node.js';
import { late, requirePart } from './require-library.js';
${Object.entries(PARTS)
  .flatMap(([part, exported = []]) =>
    exported.map(({ name, kind }) =>
      kind === 'function'
        ? `export const ${name} = late('${part}', '${name}');`
        : `export const { ${name} } = requirePart('${part}');`,
    ),
  )
  .join('\n')}
`;

/** From source the YAML parser is required from node_modules at its first use; a bundle holds it, and runs it as late. */
const lazyParser: Plugin = {
  name: 'lazy-parser',
  transform(code, id) {
    if (!id.endsWith('src/skill/read/yaml.ts')) return undefined;
    const required = `createRequire(import.meta.url)('js-yaml')`;
    if (!code.includes(required)) throw new Error(`${id} does not say ${required}; the bundle would need node_modules`);
    return { code: code.replace(required, `require('js-yaml')`) };
  },
};

/** zod brings its own messages in fifty languages, and nobody reads them: what is told has both of ours. */
const oneLocale: Plugin = {
  name: 'one-locale',
  resolveId: (id, importer) =>
    id.endsWith('/locales/index.js') && importer?.includes('/zod/')
      ? path.join(path.dirname(importer), '..', 'locales', 'en.js')
      : undefined,
};

/** Schedules are ours and those of pg-boss are switched off, so the calendars it would count them by are left out. */
const noCalendars: Plugin = {
  name: 'no-calendars',
  resolveId: (id) => (/^(?:cron-parser|rrule-temporal)$/.test(id) ? 'no-calendar' : undefined),
  load: (id) =>
    id === 'no-calendar'
      ? 'const none = () => { throw new Error("schedules of pg-boss are switched off"); };\n' +
        'export const CronExpressionParser = { parse: none };\nexport class RRuleTemporal { constructor() { none(); } }\n'
      : undefined,
};

/** What the entry needs at once is a copy of its own: `--version` is answered from one file. */
const ownCopies: Plugin = {
  name: 'own-copies',
  resolveId: (id, importer) =>
    importer?.endsWith('/src/bin.ts') && /\/base\/(?:node-)?version\.ts$/.test(id)
      ? `${path.join(root, 'src', id)}?entry`
      : undefined,
  load: (id) =>
    id.endsWith('?entry') ? { code: readFileSync(id.slice(0, -'?entry'.length), 'utf8'), moduleType: 'ts' } : undefined,
};

/** The entry needs the helpers of the bundler only for what it loads late: `--version` is answered from one file. */
const lateHelpers: Plugin = {
  name: 'late-helpers',
  renderChunk(code, { isEntry, name: entry }) {
    if (!isEntry || entry !== 'cli') return undefined;
    const [line, name, required] = /^(?:const|let|var) (\w*rolldown_runtime) = (require\(.*\));$/m.exec(code) ?? [];
    if (!line || !name || !required) throw new Error('the entry requires no helpers; it need not be changed');
    return code.replace(line, '').replaceAll(`${name}.`, `${required}.`);
  },
};

/** The MCP server uses the library as anybody does; what it shared with it otherwise would be cut into other chunks. */
const throughLibrary: Plugin = {
  name: 'through-library',
  resolveId: (id, importer) =>
    importer?.includes('/src/mcp/') && id.endsWith('/app/library/open.ts')
      ? { id: '../library.cjs', external: true }
      : undefined,
};

/** What adapters for frameworks use is the public library, and of that the one copy. */
const publicLibrary: Plugin = {
  name: 'public-library',
  resolveId: (id, importer) =>
    id === '../index.ts' && importer?.includes('/src/adapter/') ? { id: './index.js', external: true } : undefined,
};

if (import.meta.main) await main(process.argv[2] ?? path.join(root, 'dist'));

/** The command line alone, as it is shipped: tests start it some thousand times. */
export async function buildCommandLine(dist: string): Promise<void> {
  await Promise.all([bundleCommandLine(dist), bundleStoredTask(dist), bundleShared(dist)]);
  copyAssets(dist);
}

async function main(dist: string): Promise<void> {
  const startedAt = performance.now();
  rmSync(dist, { recursive: true, force: true });
  const [, ...bundles] = await Promise.all([
    writeDeclarations(root, path.join(dist, 'types')),
    bundleCommandLine(dist),
    bundleStoredTask(dist),
    bundleShared(dist),
    bundleLibrary(dist),
  ]);
  copyAssets(dist);
  writeFileSync(path.join(dist, 'licenses.txt'), renderLicenses(bundles.flat()));
  report(dist, performance.now() - startedAt);
}

// CommonJS, because Node loads it in half the time: a command starts with about a dozen chunks.
async function bundleCommandLine(dist: string): Promise<OutputChunk[]> {
  const storedTask: Plugin = {
    name: 'stored-task',
    resolveId: (id) => (id === STORED_TASK ? { id: './stored-task.cjs', external: true } : undefined),
  };
  const chunks = await bundle(
    {
      input: { cli: 'src/bin.ts', ...Object.fromEntries(PART_NAMES.map((name) => [name, name])) },
      plugins: [storedTask, ownCopies, lateHelpers, sharedPackages, throughLibrary, libraryParts],
    },
    {
      ...commonJs(dist),
      // A part of a group is named after every command that needs it; the first word is enough.
      chunkFileNames: ({ name }) => `chunks/${name.split('~')[0]}-[hash].cjs`,
      codeSplitting: { groups: LOADED_WHOLE },
    },
  );
  chmodSync(path.join(dist, 'cli.cjs'), 0o755);
  mkdirSync(path.join(dist, 'lib'), { recursive: true });
  writeFileSync(path.join(dist, 'lib', 'index.js'), LIBRARY_ENTRY);
  return requireAssetsInReach(chunks, 'chunks/');
}

// All in one file with nothing beside what it needs: a stored answer is there sooner than a dozen chunks are found.
async function bundleStoredTask(dist: string): Promise<OutputChunk[]> {
  const input = { 'stored-task': path.join('src', STORED_TASK) };
  return requireAssetsInReach(await bundle({ input }, { ...commonJs(dist), codeSplitting: false }), 'chunks/');
}

async function bundleShared(dist: string): Promise<OutputChunk[]> {
  const input = Object.fromEntries(SHARED.map((id) => [sharedName(id), id]));
  return await bundle({ input }, { ...commonJs(path.join(dist, 'shared')), chunkFileNames: '[name]-[hash].cjs' });
}

/** The authoring kit stands alone; all else is what the command line is made of, under names that modules can import. */
async function bundleLibrary(dist: string): Promise<OutputChunk[]> {
  const input = {
    'ai-sdk': 'src/adapter/ai-sdk.ts',
    'openai-agents': 'src/adapter/openai-agents.ts',
    langchain: 'src/adapter/langchain.ts',
    mastra: 'src/adapter/mastra.ts',
    skill: 'src/protocol/sdk/define-skill.ts',
    'require-node': 'src/base/package/require-node.ts',
    'require-library': 'src/base/package/require-library.ts',
  };
  return await bundle(
    // An older Node has to parse it before it can be told what it lacks.
    { input, transform: { target: 'node20' }, plugins: [publicLibrary] },
    { dir: path.join(dist, 'lib'), format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  );
}

function commonJs(dist: string): OutputOptions {
  return { dir: dist, format: 'cjs', exports: 'named', dynamicImportInCjs: false, entryFileNames: '[name].cjs' };
}

async function bundle(what: InputOptions, where: OutputOptions): Promise<OutputChunk[]> {
  const bundled = await rolldown({
    ...what,
    cwd: root,
    platform: 'node',
    checks: { ineffectiveDynamicImport: false },
    // One copy of the parser, in the form that can be loaded in the middle of a function.
    resolve: { alias: { 'js-yaml': path.join(root, 'node_modules', 'js-yaml', 'index.js') } },
    plugins: [what.plugins, lazyParser, oneLocale, noCalendars],
  });
  // Names of classes are what errors are told by; those of functions would take one part in fifty of the package.
  const minify = {
    compress: true,
    mangle: { toplevel: true, keepNames: { function: false, class: true } },
    codegen: { removeWhitespace: true },
  } as const;
  const { output } = await bundled.write({ ...where, minify });
  await bundled.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of chunks) writeFileSync(path.join(where.dir ?? '', fileName), breakLines(code));
  return chunks;
}

/** `base/assets.ts` finds what it reads one folder above itself, so it has to lie one folder below dist. */
function requireAssetsInReach(chunks: OutputChunk[], folder: string): OutputChunk[] {
  for (const { fileName, moduleIds } of chunks) {
    if (moduleIds.some((id) => id.endsWith('src/base/assets.ts')) && !fileName.startsWith(folder))
      throw new Error(`${fileName} holds base/assets.ts, which belongs into ${folder}`);
  }
  return chunks;
}

function copyAssets(dist: string): void {
  for (const file of globSync(ASSETS, { cwd: root, exclude: [NOT_READ] }))
    cpSync(path.join(root, file), path.join(dist, path.relative('src', file)));
}

function report(dist: string, ms: number): void {
  const files = globSync('**/*', { cwd: dist, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
  const shown = path.relative(process.cwd(), dist);
  process.stdout.write(
    `built ${shown}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${(ms / 1000).toFixed(1)} s\n` +
      `  command line  node ${path.join(shown, 'cli.cjs')} --help\n` +
      `  library       ${path.join(shown, 'lib', 'index.js')}, ${path.join(shown, 'lib', 'skill.js')}\n` +
      `  types         ${path.join(shown, 'types', 'index.d.ts')}\n`,
  );
}
