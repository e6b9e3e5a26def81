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

/** With these packages of ours in its node_modules, beside the packed one. */
export async function installAdapter(program: string, packages: readonly string[]): Promise<Installed> {
  const installed = await installPackage();
  const at = (name: string) => path.join(installed.project, name);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  for (const name of packages) {
    mkdirSync(path.dirname(at(`node_modules/${name}`)), { recursive: true });
    symlinkSync(path.join(repository, 'node_modules', name), at(`node_modules/${name}`));
  }
  cpSync(path.join(repository, 'test', 'fixtures', 'adapter', program), at(program));
  return installed;
}

/** What it prints, as JSON. */
export async function runAdapter(
  [program = '', ...words]: readonly string[],
  { project, home }: Installed,
): Promise<unknown> {
  const { stdout } = await run([process.execPath, program, ...words], project, { HOME: home, ...ADAPTER_ENV });
  return JSON.parse(stdout);
}
