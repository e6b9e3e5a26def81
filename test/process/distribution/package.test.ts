// What is published, used by somebody who has nothing else: the tarball, the library, the command, the types, bundles.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { removeTree } from '../../../src/base/files.ts';
import { VERSION } from '../../../src/base/version.ts';
import { call, type Installed, installPackage, run, runInstalled } from '../../support/package-support.ts';
import { commandsOf, patternOf } from '../../support/server/page.ts';
import { isLong, repository } from '../../support/support.ts';

const FIXTURES = path.join(repository, 'test', 'fixtures', 'package');
const BUILTIN = ['build-analysis', 'csv-insights', 'git-changelog', 'markdown-converter', 'skill-author'];
const COMPILERS = { 'typescript-5': '5.9', 'typescript-6': '6.0', typescript: '7.0' };
const SUITE = `cases:
  - id: html
    input: convert notes.md to html
    files: {notes.md: "# Notes"}
    skills: {required: [markdown-converter]}
`;

let installed: Installed;

before(async () => {
  installed = await installPackage();
  for (const name of readdirSync(FIXTURES)) cpSync(path.join(FIXTURES, name), inProject(name));
});
after(() => installed && removeTree(installed.root));

test('the tarball has at most 2 MB and 800 files, no pictures, and brings no other package', () => {
  const { size, entryCount, files } = installed.packed;
  assert.ok(size <= 2_000_000, `${size} bytes`);
  assert.ok(entryCount <= 800, `${entryCount} files`);
  const names = files.map((file) => file.path);
  assert.deepEqual(
    names.filter((name) => /\.(png|jpe?g|gif|svg|webp|ico|bmp)$/i.test(name)),
    [],
  );
  for (const name of ['README.md', 'LICENSE', 'dist/licenses.txt', 'skills/manifest.json', 'docs/guide.md'])
    assert.ok(names.includes(name), name);
  const installedNames = readdirSync(inProject('node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installedNames, ['skillwright']);
});

test('every relative link of the README leads to something in the tarball', () => {
  const folder = inProject('node_modules/skillwright');
  const links = [
    ...readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g),
  ]
    .map(([, written, inHtml]) => written ?? inHtml ?? '')
    .filter((link) => !/^([a-z]+:|#)/i.test(link));
  assert.ok(links.length > 10, String(links));
  const dead = links.filter((link) => !existsSync(path.join(folder, link.replace(/#.*/, ''))));
  assert.deepEqual(dead, []);
});

test('every export is used once, by a program that is also what the compilers check', async () => {
  for (const args of [
    ['init'],
    ['trust', '--yes'],
    ['roles', 'new', 'analyst', '--template', 'dev_efficiency_analyst'],
    ['trust', '--yes'],
  ])
    assert.equal((await runInstalled(args, installed)).code, 0, args.join(' '));
  mkdirSync(inProject('.agent/evals'), { recursive: true });
  writeFileSync(inProject('.agent/evals/mine.yaml'), SUITE);
  const { stdout, stderr } = await run([process.execPath, 'use.mts'], installed.project, { HOME: installed.home });
  assert.equal(stderr, '');
  const said = JSON.parse(stdout);
  const exported = await exportsOf(`await import('skillwright')`);
  assert.deepEqual(Object.keys(said).sort(), exported.sort());
  assert.deepEqual(said, {
    createRuntime: 'en',
    openSkillwright: 'csv-insights',
    resolveSkill: 'csv-insights',
    digestSkill: true,
    parseSkill: 'Says one.',
    executeSkill: [said.executeSkill[0]],
    task: true,
    exitCode: 0,
    renderCompact: true,
    parseCompact: 'success',
    findSuiteFiles: path.join('.agent', 'evals', 'mine.yaml'),
    readSuite: 1,
    readSuites: 1,
    runSuite: ['html passed'],
    judgeRun: true,
    openEvalWorld: true,
    makeReport: 'passed',
    renderHtml: true,
    renderJunit: true,
    renderMarkdown: true,
    readBaseline: 1,
    compareResults: 'inconclusive',
    Fault: true,
    ERRORS: true,
    SkillError: 'DATA_NOT_FOUND',
    defineSkill: 'function',
  });
});

test('seed 000, section Calling 3, and seed 001, sections 1.1 and 1.2: the code of the seeds, with the package alone', async () => {
  for (const args of [['init'], ['roles', 'new', 'dev_efficiency_analyst'], ['trust', '--yes']])
    assert.equal((await runInstalled(args, installed)).code, 0, args.join(' '));
  writeFileSync(inProject('bin/number.py'), 'import json, uuid\nprint(json.dumps({"number": str(uuid.uuid4())}))\n');
  const { stdout } = await run([process.execPath, 'seeds.mts'], installed.project, { HOME: installed.home });
  const { briefing, wrong, listed, numbers } = JSON.parse(stdout);
  assert.ok(
    ['date', 'briefing', 'report_path'].every((key) => briefing.includes(key)),
    stdout,
  );
  assert.deepEqual([wrong, listed], ['UNKNOWN_ACTION', ['worker_agent', 'success', 'number']]);
  assert.match(numbers[0], /^[0-9a-f-]{36}$/);
  assert.equal(numbers[0], numbers[1]);
});

test('executeSkill answers an order that no compiler has seen with the key that is wrong', async () => {
  writeFileSync(inProject('wrong-order.mjs'), WRONG_ORDERS);
  const { stdout } = await node([inProject('wrong-order.mjs')]);
  assert.deepEqual(JSON.parse(stdout), [
    ['MISSING_PARAM: Missing required parameters: [agent_role, skill_name, action]'],
    ['INVALID_PARAM: bad parameter: order must be an object'],
    ['INVALID_PARAM: bad parameter: order must be an object'],
    ['INVALID_PARAM: bad parameter: order must be an object'],
    ['INVALID_PARAM: bad parameter: skill is no key of the order', 'Did you mean skill_name?'],
    ['MISSING_PARAM: Missing required parameters: [skill_name]'],
    ['INVALID_PARAM: bad parameter: agent_role must be a text that is not empty'],
    ['INVALID_PARAM: bad parameter: params must be an object that JSON can hold'],
    ['INVALID_PARAM: bad parameter: timeout must be a number of seconds above 0'],
    ['INVALID_PARAM: bad parameter: options must be an object'],
    ['INVALID_PARAM: bad parameter: project is no key of the options'],
    ['INVALID_PARAM: bad parameter: runtime must be what `await createRuntime()` gives'],
    ['DATA_NOT_FOUND: no data: no role r in agents/'],
  ]);
});

test('import and require give the same, print nothing, and load nothing heavy', async () => {
  const required = await exportsOf(`require('skillwright')`);
  assert.deepEqual(required.sort(), (await exportsOf(`await import('skillwright')`)).sort());
  const imported = await node(['--input-type=module', '-e', `import 'skillwright'; import 'skillwright/skill'`]);
  assert.deepEqual([imported.stdout, imported.stderr], ['', '']);
  const { stdout } = await node(['--input-type=module', '-e', LOADED]);
  assert.ok(Number(stdout) < 120_000, `${stdout} bytes of code are loaded by the import alone`);
});

test('what is loaded late is in the package, too', async () => {
  const file = inProject('load-all.mjs');
  writeFileSync(file, LOAD_ALL);
  const { stdout, stderr } = await node([file, '--version']);
  const loaded = stdout.split('\n').at(-2);
  assert.equal(stderr, '');
  assert.ok(Number(loaded) > 250, stdout);
});

test('a version is answered from one file, and a list from few', async () => {
  const filesFor = async (word: string) => Number((await node(['-e', FILES_LOADED, '--', word])).stderr);
  assert.equal(await filesFor('--version'), 1);
  const ofList = await filesFor('list');
  assert.ok(ofList > 1 && ofList <= 20, `${ofList} files`);
});

test('the command answers, with the shipped skills, from a folder that has a package.json of its own', async () => {
  const folder = inProject('deeper/still');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{}');
  assert.equal((await runInstalled(['--version'], installed, folder)).stdout, `${VERSION}\n`);
  const listed = JSON.parse((await runInstalled(['list', '--json'], installed, folder)).stdout);
  assert.deepEqual(
    listed.data.skills.map(({ name }: { name: string }) => name),
    BUILTIN,
  );
  writeFileSync(inProject('sales.csv'), 'day,sales\n1,100\n2,140\n');
  const called = await runInstalled(['call', 'csv-insights', 'analyze', 'target=sales.csv', '--json'], installed);
  assert.equal(JSON.parse(called.stdout).state, 'success', called.stdout);
});

test('under an older Node the command names the ways out, as lines to paste, and the library says so', async () => {
  const pretend = inProject('older.cjs');
  writeFileSync(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
     Object.defineProperty(process, 'version', { value: 'v20.20.2' });`,
  );
  const cli = inProject('node_modules/skillwright/dist/cli.cjs');
  const asked = [process.execPath, '-r', pretend, cli, 'run', "what's new"];
  const { code, stdout, stderr } = await call(asked, installed.project, { HOME: installed.home });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /needs Node 24 or newer; this is v20\.20\.2/);
  assert.ok(stderr.includes(`npx -y -p node@24 -- skillwright run 'what'\\''s new'\n`), stderr);
  for (const load of [`import 'skillwright'`, `require('skillwright')`]) {
    const kind = load.startsWith('import') ? ['--input-type=module'] : [];
    const loaded = await call([process.execPath, '-r', pretend, ...kind, '-e', load], installed.project, {});
    assert.match(loaded.stderr, TOO_OLD, load);
    assert.ok(loaded.stderr.length < 2_000, loaded.stderr);
  }
  for (const older of await olderNodes()) {
    const imported = [older, '--input-type=module', '-e', `import 'skillwright'`];
    assert.match((await call(imported, installed.project, {})).stderr, TOO_OLD, older);
    const real = await call([older, cli, '--version'], installed.project, { HOME: installed.home });
    assert.deepEqual([real.code, real.stdout], [1, ''], older);
    assert.match(real.stderr, /npx -y -p node@24 -- skillwright --version\n/);
  }
});

test('a program that catches nothing is told what was wrong, and not by a screenful of code', async () => {
  const program = `import { openSkillwright } from 'skillwright'; await (await openSkillwright({})).read('nope');`;
  const asked = [process.execPath, '--input-type=module', '-e', program];
  const { code, stderr } = await call(asked, installed.project, { HOME: installed.home, LANG: 'C.UTF-8' });
  assert.equal(code, 1);
  assert.match(stderr, /^Fault: skill not installed: nope$/m);
  const [longest = 0] = stderr
    .split('\n')
    .map((line) => line.length)
    .sort((a, b) => b - a);
  assert.ok(longest < 400, `a line of ${longest} characters`);
});

test('a skill that imports skillwright/skill from node_modules conforms and answers', async () => {
  const scripts = inProject('.agent/skills/greeter/scripts');
  mkdirSync(scripts, { recursive: true });
  cpSync(inProject('greet.mts'), path.join(scripts, 'main.mts'));
  const head = 'name: greeter\ndescription: Greets.\nentry: scripts/main.mts';
  writeFileSync(path.join(path.dirname(scripts), 'SKILL.md'), `---\n${head}\n---\n# Greeter\n`);
  const conformed = await runInstalled(['conform', 'greeter', '--yes', '--json'], installed);
  const { failed, advice } = JSON.parse(conformed.stdout).data;
  assert.deepEqual([failed, advice], [0, 0], conformed.stdout);
  const called = await runInstalled(['call', 'greeter', 'greet', 'who= Ada', '--yes', '--json'], installed);
  const { summary, data } = JSON.parse(called.stdout);
  assert.deepEqual([summary, data.response.data.text], ['greeted Ada', 'Hello, Ada'], called.stdout);
});

for (const [readme, locale, asks] of [
  ['README.md', 'C.UTF-8', 'a decision is needed'],
  ['README.zh.md', 'zh_CN.UTF-8', '需要批准'],
] as const)
  test(`the first ten minutes of ${readme} go as it says`, async () => {
    const [cwd, home] = ['project', 'home'].map((name) => path.join(installed.root, readme, name)) as [string, string];
    for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
    const bin = path.join(installed.project, 'node_modules', '.bin');
    let lastId = '';
    for (const { line, shown } of commandsOf(readFileSync(path.join(repository, readme), 'utf8'))) {
      const typed = line.replace(QUESTION_ID, lastId);
      const env = { HOME: home, PATH: `${bin}:${process.env.PATH}`, LANG: locale };
      const { stdout, code } = await call(['sh', '-c', `(${typed}) 2>&1`], cwd, env);
      assert.match(withoutChance(stdout, cwd), patternOf(withoutChance(shown, '/home/me/project')), line);
      assert.ok(code === 0 || stdout.includes(asks), `${line}\n${stdout}`);
      [lastId = lastId] = QUESTION_ID.exec(stdout) ?? [];
    }
    assert.notEqual(lastId, '');
  });

for (const [compiler, version] of Object.entries(COMPILERS)) {
  // The oldest and the newest are what every run shows.
  const skip = version === '6.0' && !isLong() && 'in the long run only';
  test(`TypeScript ${version} finds the types right, from modules and from CommonJS`, { skip }, async () => {
    const tsc = path.join(repository, 'node_modules', compiler, 'bin', 'tsc');
    assert.match((await node([tsc, '--version'])).stdout, new RegExp(`^Version ${version}`));
    // The way of bundlers to find types is the same in all of them; the fastest shows it.
    for (const name of compiler === 'typescript' ? (['node', 'bundler'] as const) : (['node'] as const)) {
      const config = inProject(`tsconfig.${compiler}.${name}.json`);
      writeFileSync(config, JSON.stringify(RESOLUTIONS[name]));
      await run([process.execPath, tsc, '-p', config], installed.project);
    }
  });
}

test('a wrong use of the types is an error, and so is an option that only we may have', async () => {
  const order = `{ agent_role: 'a', skill_name: 'b', action: 'c' }`;
  const wrong = [
    `import { executeSkill, task } from 'skillwright';`,
    `await executeSkill({ skill: 'x' });`,
    `await executeSkill(${order}, { sandbox: async () => undefined });`,
    `await task({ agent: 'a', description: 'b', prompt: 'c' }, { sandbox: async () => undefined });`,
  ];
  writeFileSync(inProject('wrong.mts'), wrong.join('\n'));
  const tsc = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const config = inProject('tsconfig.wrong.json');
  const compilerOptions = { ...RESOLUTIONS.node.compilerOptions, skipLibCheck: true };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['wrong.mts'] }));
  const { stdout } = await call([process.execPath, tsc, '-p', config], installed.project, {});
  const found = [...stdout.matchAll(/^wrong\.mts\((\d+),\d+\): error (TS\d+)/gm)].map(
    ([, line, code]) => `${line} ${code}`,
  );
  assert.deepEqual(found, ['2 TS2353', '3 TS2353', '4 TS2345'], stdout);
});

test('a bundle that leaves the package outside works', async () => {
  for (const bundle of await bundles(['skillwright'])) {
    const { description, skills } = JSON.parse((await runBundle(bundle)).stdout);
    assert.equal(description, 'Says one.', bundle);
    assert.deepEqual(
      BUILTIN.filter((name) => skills.includes(name)),
      BUILTIN,
      bundle,
    );
  }
});

test('a bundle that swallowed the package names the remedy, in one sentence', async () => {
  for (const bundle of await bundles([])) {
    const { code, stderr } = await call([process.execPath, bundle], installed.project, { HOME: installed.home });
    assert.equal(code, 1, bundle);
    assert.match(
      stderr,
      /^Error: the files of the package skillwright are not beside its code: .*--external:skillwright/m,
    );
  }
});

const STRICT = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  types: ['node'],
  typeRoots: [path.join(repository, 'node_modules', '@types')],
};
const RESOLUTIONS = {
  node: {
    compilerOptions: { ...STRICT, module: 'nodenext' },
    files: ['use.mts', 'use.cts', 'greet.mts', 'bundled.mts', 'seeds.mts'],
  },
  bundler: {
    compilerOptions: { ...STRICT, module: 'esnext', moduleResolution: 'bundler' },
    files: ['use.mts', 'greet.mts', 'bundled.mts'],
  },
};

// The last of them is a good one, of a role that is not there.
const WRONG_ORDERS = `
import { createRuntime, executeSkill } from 'skillwright';
const order = { agent_role: 'r', skill_name: 's', action: 'a' };
const said = [];
for (const words of [[{}], ['x'], [null], [], [{ ...order, skill: 's' }], [{ ...order, skill_name: undefined }],
  [{ ...order, agent_role: 7 }], [{ ...order, params: { n: 1n } }], [{ ...order, timeout: -1 }], [order, null],
  [order, { project: '.' }], [order, { runtime: createRuntime() }], [order]]) {
  const { summary, data: { hint } } = (await executeSkill(...words)).outcome;
  said.push([summary, ...(hint.startsWith('Did you mean') ? [hint] : [])]);
}
console.log(JSON.stringify(said));`;

// All that Node has read to import it, by the places its own loader names.
const LOADED = `
import { registerHooks } from 'node:module';
let bytes = 0;
registerHooks({ load(url, context, next) {
  const loaded = next(url, context);
  if (url.startsWith('file:')) bytes += loaded.source?.length ?? 0;
  return loaded;
} });
await import('skillwright');
console.log(bytes);`;

const FILES_LOADED = `
process.argv.splice(1, 0, 'skillwright');
process.on('exit', () => console.error(Object.keys(require.cache).length));
require('./node_modules/skillwright/dist/cli.cjs');`;

const TOO_OLD =
  /^Error: skillwright needs Node 24 or newer; this is v\d+\.\d+\.\d+\. .*npx -y -p node@24 -- node <file>$/m;

const LOAD_ALL = `
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const files = (pattern) => globSync('./node_modules/skillwright/dist/' + pattern).map((file) => './' + file);
for (const file of files('chunks/*.cjs')) require(file);
for (const file of files('lib/*.js')) await import(file);
console.log(files('{chunks,lib}/*').length);`;

const QUESTION_ID = /\b[0-9a-f]{24}\b/;

/** Ids, times, sizes of columns and the tier of the machine are the same on no two machines. */
function withoutChance(text: string, project: string): string {
  return text
    .replaceAll(project, '<project>')
    .replace(/\d{8}T\d{6}Z-[0-9a-f]{6}/g, '<run>')
    .replace(new RegExp(QUESTION_ID, 'g'), '<id>')
    .replace(/\(\d+\.\d s\)/g, '(<time>)')
    .replace(/^( {2}sandbox +allow +)S\d/gm, '$1<tier>');
}

/** The same program by each bundler, as a module and as CommonJS. */
async function bundles(external: string[]): Promise<string[]> {
  const entry = inProject('bundled.mts');
  const made: string[] = [];
  for (const format of ['esm', 'cjs'] as const) {
    const file = (by: string) => inProject(`out/${by}-${external.length}.${format === 'esm' ? 'mjs' : 'cjs'}`);
    await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      logLevel: 'silent',
      format,
      external,
      outfile: file('esbuild'),
    });
    const bundled = await rolldown({ input: entry, external, platform: 'node', logLevel: 'silent' });
    await bundled.write({ file: file('rolldown'), format, codeSplitting: false });
    await bundled.close();
    made.push(file('esbuild'), file('rolldown'));
  }
  return made;
}

/** Those of this machine, as far as the path names them: the entry has to be understood by them, too. */
async function olderNodes(): Promise<string[]> {
  const named = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  const versions = await Promise.all(named.map((file) => call([file, '-p', 'process.versions.node'], '/', {})));
  return named.filter((_, at) => Number.parseInt(versions[at]?.stdout || '24', 10) < 24);
}

const runBundle = (bundle: string) => run([process.execPath, bundle], installed.project, { HOME: installed.home });

async function exportsOf(loaded: string): Promise<string[]> {
  const flags = loaded.startsWith('await') ? ['--input-type=module'] : [];
  const { stdout } = await node([
    ...flags,
    '-e',
    `const all = ${loaded}; console.log(JSON.stringify(Object.keys(all)))`,
  ]);
  return JSON.parse(stdout).filter((name: string) => name !== 'module.exports' && name !== 'default');
}

const node = (args: string[]) => run([process.execPath, ...args], installed.project, { HOME: installed.home });

function inProject(name: string): string {
  return path.join(installed.project, name);
}
