// Scripts of public skills that fail for lack of packages, before and after `prepare`: npm's from the registry, Python's made of those installed here.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fold, type InstalledPackages, installedPackages, installedWheels } from '../support/environment/installed.ts';
import { type PackageIndex, serveIndex } from '../support/environment/package-index.ts';
import type { RealCase } from '../support/real/case.ts';
import { helpCases } from '../support/real/help.ts';
import { makeProject, type RealProject } from '../support/real/project.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { byExec } from '../support/real/start.ts';
import { runCli, temporaryFolder } from '../support/support.ts';

const LACKING = /No module named '[\w.]+'|Cannot find (?:package|module) '@?\w[\w./-]*'/;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const NPM = ['docx', 'pptxgenjs', 'csv-parse', 'marked'];

interface Figures {
  /** Started, by `--help`, and failed for a package that was not there. */
  readonly lacked: string[];
  readonly run: string[];
  /** A package that nobody has here, by skill. */
  readonly notToBeHad: string[];
  /** Prepared, and failing for another reason than a package. */
  readonly other: string[];
  /** Of those: it would have answered a person who has the packages. */
  readonly worse: string[];
  /** Prepared, and still without a package. */
  readonly still: string[];
}

test('scripts of public skills that lacked only packages run after prepare', async (t) => {
  const root = realFolder(t);
  if (!root) return;
  const figures: Figures = { lacked: [], run: [], notToBeHad: [], other: [], worse: [], still: [] };
  const known = installedPackages(useBarePython(t));
  const index = await serveIndex(t);
  const added = new Set<string>();
  const folder = temporaryFolder(t);
  for (const [skill, cases] of bySkill(root, known))
    await trySkill({ skill, cases, root, folder, index, known, added }, figures);
  tell(t, figures);
  assert.ok(figures.lacked.length > 0, 'none lacked a package');
  assert.deepEqual(figures.still, [], 'after prepare no package is missing');
  assert.deepEqual(figures.worse, [], 'what answers by hand answers here');
});

/** A Python without packages comes first from now on; returns the one it was made of. */
function useBarePython(t: TestContext): string {
  const folder = path.join(temporaryFolder(t), 'venv');
  const code = 'import sys; print(getattr(sys, "_base_executable", None) or sys.executable)';
  const base = execFileSync('python3', ['-c', code], { encoding: 'utf8' }).trim();
  execFileSync(base, ['-m', 'venv', folder]);
  process.env.PATH = `${path.join(folder, 'bin')}:${process.env.PATH}`;
  return base;
}

/** Those that may lack a package which can be had here: each is started, and most take a second. */
function bySkill(root: string, known: InstalledPackages): Map<string, RealCase[]> {
  const modules = new Set([...known.all.values()].flatMap((one) => one.modules));
  const wanted = helpCases(root).filter(({ name }) => {
    // What a text shows is none of the skill's code.
    if (/\/examples\//.test(name)) return false;
    const text = readFileSync(path.join(root, name), 'utf8');
    const python = [...text.matchAll(/^\s*(?:import|from) ([A-Za-z_]\w*)/gm)].map(([, one = '']) => one);
    const node = [...text.matchAll(/(?:from|import|require\() ?["']([@\w/-]+)["']/g)].map(([, one = '']) => one);
    return name.endsWith('.py')
      ? python.some((one) => modules.has(one))
      : node.some((one) => NPM.some((name) => one.startsWith(name)));
  });
  return Map.groupBy(wanted, ({ skill }) => skill);
}

interface Trial {
  readonly skill: string;
  readonly cases: readonly RealCase[];
  readonly root: string;
  readonly folder: string;
  readonly index: PackageIndex;
  readonly known: InstalledPackages;
  readonly added: Set<string>;
}

async function trySkill({ skill, cases, root, folder, index, known, added }: Trial, figures: Figures): Promise<void> {
  const home = path.join(folder, 'home');
  const project = makeProject(path.join(folder, 'project'), root, { skill });
  const lacking = [];
  for (const one of cases) if (await lacks(one, project, home)) lacking.push(one);
  figures.lacked.push(...lacking.map(({ name }) => name));
  if (lacking.length === 0) return;
  for (const name of await packagesOf(project, home)) index.wheels.push(...installedWheels(name, known, added));
  const refused = await prepare(project, home, index);
  if (refused !== undefined) {
    figures.notToBeHad.push(...lacking.map(({ name }) => `${name}: ${refused}`));
    return;
  }
  for (const one of lacking) {
    const [step] = one.steps;
    if (!step) continue;
    const { code, stdout, stderr } = await byExec(step, project, home);
    const missing = LACKING.exec(stdout + stderr)?.[0];
    if (missing !== undefined) figures.still.push(`${one.name}: ${missing}`);
    else if (code === 0) figures.run.push(one.name);
    else {
      figures.other.push(`${one.name}: ${reasonIn(stderr) || reasonIn(stdout)}`);
      if (answersByHand(path.join(project.skillFolder, step.script), known)) figures.worse.push(one.name);
    }
  }
}

/** Node's own last line is its version. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const known = lines.find((line) => /^\w*(?:Error|Exception)\b.*: /.test(line));
  return (known ?? lines.findLast((line) => line !== '' && !/^Node\.js v/.test(line)) ?? '').slice(0, 160);
}

/** By the Python that has all of the packages; nobody has installed those of Node. */
function answersByHand(script: string, { python, roots }: InstalledPackages): boolean {
  if (!script.endsWith('.py')) return false;
  const env = { PATH: process.env.PATH, PYTHONPATH: roots.join(':'), PYTHONDONTWRITEBYTECODE: '1', LANG: 'C.UTF-8' };
  const cwd = path.dirname(script);
  return spawnSync(python, [script, '--help'], { cwd, env, input: '', timeout: 30_000 }).status === 0;
}

async function lacks({ steps: [step] }: RealCase, project: RealProject, home: string): Promise<boolean> {
  if (!step) return false;
  const { code, stdout, stderr } = await byExec(step, project, home);
  return code !== 0 && LACKING.test(stdout + stderr);
}

async function packagesOf({ skill, folder }: RealProject, home: string): Promise<string[]> {
  const { stdout } = await runCli(['doctor', skill, '--json'], { cwd: folder, home });
  const { needs } = JSON.parse(stdout).data as { needs: { kind: string; name: string; ecosystem: string }[] };
  return needs.flatMap(({ kind, name, ecosystem }) =>
    kind === 'package' && ecosystem === 'python' ? [fold(name)] : [],
  );
}

/** Why not; a person says yes, also to what was guessed. */
async function prepare(
  { skill, folder }: RealProject,
  home: string,
  { python }: PackageIndex,
): Promise<string | undefined> {
  const network = existsSync(CERTIFICATES) ? { network: { ca_file: CERTIFICATES } } : {};
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(
    path.join(home, '.agent/config.json'),
    JSON.stringify({ environment: { python_index: python, isolated: true }, ...network }),
  );
  const at = { cwd: folder, home };
  const ask = async (...words: string[]) => JSON.parse((await runCli([...words, '--json'], at)).stdout);
  const first = await ask('prepare', skill, '--yes');
  const asked = first.data.details?.why === 'code' ? await ask('prepare', skill, '--yes', '--without-scripts') : first;
  if (asked.state === 'success') return undefined;
  if (asked.state !== 'interrupted') return String(asked.summary);
  const [, ...words] = String(asked.data.resume_command).split(' ');
  const told = await ask(...words);
  return told.state === 'success' ? undefined : String(told.summary);
}

function tell(t: TestContext, { lacked, run, notToBeHad, other, still }: Figures): void {
  const had = lacked.length - notToBeHad.length;
  t.diagnostic(
    `${lacked.length} scripts lacked a package; of ${had} whose packages can be had here ${run.length} answer --help, ${other.length} end in code of their own, ${still.length} still lack one`,
  );
  for (const line of [
    ...other.map((one) => `own code: ${one}`),
    ...still.map((one) => `still: ${one}`),
    ...notToBeHad.map((one) => `not here: ${one}`),
  ])
    t.diagnostic(line);
}
