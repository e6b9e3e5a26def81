// A project of somebody who has the packed package, a framework and some skills, for programs of test/fixtures/adapter/.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skillFiles } from '../door-support.ts';
import { type Installed, installPackage, run } from '../package-support.ts';
import { repository } from '../support.ts';
import { WRITER } from './handle.ts';

export const ADAPTER_ENV = { LANG: 'C.UTF-8', KEEPER_TOKEN: 'abcdefghijkl' };

const FILES = {
  ...WRITER,
  ...skillFiles('keeper', 'name: keeper\ndescription: Uses a variable of its user.\nsecrets: [KEEPER_TOKEN]', {
    'scripts/use.sh': 'echo used > used.txt\n',
  }),
  ...skillFiles('slow', 'name: slow\ndescription: Counts slowly.\nentry: scripts/main.mjs', {
    'scripts/main.mjs':
      "console.error('25% one');\nconsole.error('50% two');\nawait new Promise((resolve) => setTimeout(resolve, 300));\n" +
      "console.log(JSON.stringify({ success: true, action: 'count', data: { counted: 2 } }));\n",
  }),
  'sales.csv': 'day,sales\n1,100\n2,140\n3,9000\n',
  'package.json': '{"private":true,"type":"module"}',
};

/** The packed package with its skills, and nothing else. */
export async function installAdapters(): Promise<Installed> {
  const installed = await installPackage();
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(installed.project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return installed;
}

export function addProgram(program: string, { project }: Installed): void {
  cpSync(path.join(repository, 'test', 'fixtures', 'adapter', program), path.join(project, program));
}

/** Packages that this repository has. */
export function linkPackages(names: readonly string[], { project }: Installed): void {
  for (const name of names)
    symlinkSync(path.join(repository, 'node_modules', name), path.join(project, 'node_modules', name));
}

/** Packages from the registry, one folder above the project, where Node finds them, too. */
export async function installAbove(specs: readonly string[], { root, home }: Installed): Promise<void> {
  writeFileSync(path.join(root, 'package.json'), '{"private":true}');
  const { npm_config_registry: registry, SSL_CERT_FILE: authorities } = process.env;
  const env = {
    ...{ HOME: process.env.HOME ?? home, npm_config_cache: path.join(root, 'npm') },
    ...(registry !== undefined && { npm_config_registry: registry }),
    ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }),
  };
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--legacy-peer-deps'];
  await run(['npm', 'install', ...quietly, ...specs], root, env);
}

/** What it prints, as JSON. */
export async function runAdapter(
  [program = '', ...words]: readonly string[],
  { project, home }: Installed,
): Promise<unknown> {
  const { stdout } = await run([process.execPath, program, ...words], project, { HOME: home, ...ADAPTER_ENV });
  return JSON.parse(stdout);
}
