// A project and a home with the files a test needs, and the command line started in them as a process.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type CliOptions, type CliResult, runCli, temporaryFolder } from './support.ts';

export interface Place {
  readonly cwd: string;
  readonly home: string;
  run(...args: string[]): Promise<CliResult>;
  runWith(options: Partial<CliOptions>, ...args: string[]): Promise<CliResult>;
}

/** Names begin with `project/` or `home/`. */
export function makePlace(t: TestContext, files: Readonly<Record<string, string>> = {}): Place {
  const folder = realpathSync(temporaryFolder(t));
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const own of [path.join(cwd, '.agent'), home]) mkdirSync(own, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const runWith: Place['runWith'] = (options, ...args) => runCli(args, { cwd, home, ...options });
  return { cwd, home, runWith, run: (...args) => runWith({}, ...args) };
}

export function skillText(frontmatter: string): string {
  return `---\n${frontmatter}\n---\n# Body\n`;
}
