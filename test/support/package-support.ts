// The package as a stranger gets it: built, packed by npm, and installed into an empty folder without a network.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../../src/base/files.ts';
import { type CliResult, compiledCode, repository } from './support.ts';

export interface Installed {
  /** Everything; removed by whoever asked for it. */
  readonly root: string;
  /** A project with the package in its node_modules. */
  readonly project: string;
  readonly home: string;
  readonly packed: Packed;
}

/** What `npm pack` says about a tarball. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly entryCount: number;
  readonly files: readonly { readonly path: string }[];
}

const PUBLISHED = [
  'package.json',
  'README.md',
  'README.zh.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'skills',
  'docs',
  'examples',
];

export async function installPackage(): Promise<Installed> {
  const root = mkdtempSync(path.join(tmpdir(), 'skillwright-test-package-'));
  try {
    return await installInto(root);
  } catch (error) {
    removeTree(root);
    throw error;
  }
}

async function installInto(root: string): Promise<Installed> {
  const at = (name: string) => path.join(root, name);
  for (const name of ['home', 'project', 'source']) mkdirSync(at(name));
  for (const name of PUBLISHED) cpSync(path.join(repository, name), path.join(at('source'), name), { recursive: true });
  await run([process.execPath, path.join(repository, 'scripts', 'build.ts'), path.join(at('source'), 'dist')], root);
  const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', root], at('source'));
  const [about] = JSON.parse(packed) as [Packed];
  writeFileSync(path.join(at('project'), 'package.json'), '{"private":true}');
  await npm(['install', '--offline', '--no-audit', '--no-fund', at(about.filename)], at('project'));
  return { root, project: at('project'), home: at('home'), packed: about };

  async function npm(args: string[], cwd: string): Promise<string> {
    const env = { npm_config_cache: at('npm'), npm_config_update_notifier: 'false' };
    const { stdout } = await run(['npm', ...args], cwd, { HOME: at('home'), ...env });
    return stdout;
  }
}

/** The command that was installed, called as a shell would. */
export function runInstalled(args: string[], { project, home }: Installed, cwd = project): Promise<CliResult> {
  return call([path.join(project, 'node_modules', '.bin', 'skillwright'), ...args], cwd, { HOME: home });
}

/** Fails with what it printed. */
export async function run(words: string[], cwd: string, env: Record<string, string> = {}): Promise<CliResult> {
  const result = await call(words, cwd, env);
  assert.equal(result.code, 0, `${words.join(' ')}\n${(result.stdout + result.stderr).slice(0, 4_000)}`);
  return result;
}

export async function call(
  [file = '', ...args]: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<CliResult> {
  const options = { cwd, env: { PATH: process.env.PATH ?? '', ...compiledCode(), ...env }, maxBuffer: 1 << 26 };
  const running = promisify(execFile)(file, args, options);
  running.child.stdin?.end();
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as Partial<CliResult>;
    return { code: typeof code === 'number' ? code : -1, stdout, stderr: stderr || String(error) };
  }
}
