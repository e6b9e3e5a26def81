// Writes the type declarations that the entries of the library reach, and no others.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ADAPTERS = ['ai-sdk', 'openai-agents', 'langchain', 'mastra'].map((name) => `adapter/${name}`);
const ENTRIES = ['index', 'protocol/sdk/define-skill', ...ADAPTERS];
const IMPORT = /(?<=\bfrom\s+|\bimport\(|\bimport\s+)(['"])([^'"]+)\1/g;

export async function writeDeclarations(root: string, folder: string): Promise<void> {
  // Beside the result: what a build leaves behind when it is killed, the next one removes.
  const whole = `${folder}.whole`;
  try {
    await compile(root, whole);
    for (const name of reach(whole)) {
      const file = path.join(folder, `${name}.d.ts`);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, withoutTexts(namingModules(read(whole, name))));
    }
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}

function compile(root: string, folder: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', folder];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  child.on('error', reject);
  child.on('close', (code) => (code === 0 ? resolve() : reject(new Error('the declarations could not be written'))));
  return promise;
}

/** Modules by name, from the entries along their imports. */
function reach(whole: string): Iterable<string> {
  const from = new Map<string, string | undefined>(ENTRIES.map((name) => [name, undefined]));
  for (const name of from.keys()) {
    for (const [, , target = ''] of read(whole, name).matchAll(IMPORT)) {
      if (target.startsWith('.')) {
        const next = path.join(path.dirname(name), target.replace(/\.ts$/, ''));
        if (!from.has(next)) from.set(next, name);
      } else if (!target.startsWith('node:')) throw new Error(foreignTypes(target, name, from));
    }
  }
  return from.keys();
}

/** The package brings no other one, so whoever uses its types would not have it. */
function foreignTypes(target: string, name: string, from: ReadonlyMap<string, string | undefined>): string {
  const chain: string[] = [];
  for (let at: string | undefined = name; at !== undefined; at = from.get(at)) chain.unshift(at);
  return `the public types need those of ${target}: ${chain.join(' → ')}`;
}

/** Older compilers follow `./x.js` to its declarations everywhere, and `./x.ts` only with an option. */
function namingModules(text: string): string {
  return text.replace(IMPORT, (found, _quote, target: string) =>
    target.startsWith('.') ? `'${target.replace(/\.ts$/, '.js')}'` : found,
  );
}

function read(whole: string, name: string): string {
  return readFileSync(path.join(whole, `${name}.d.ts`), 'utf8');
}

/** A query is text to whoever reads types. */
function withoutTexts(text: string): string {
  return text.replace(/: `[^`]*\n[^`]*`;/g, ': string;');
}
