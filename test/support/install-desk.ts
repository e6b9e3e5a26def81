// A project, a home and the command line between them, as somebody who installs skills has them.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type SkillText, writeSkill } from './install-support.ts';
import { runCli, temporaryFolder } from './support.ts';

interface AnswerData {
  readonly installed: readonly InstalledItem[];
  readonly unchanged: readonly string[];
  readonly findings: readonly { readonly id: string }[];
  readonly results: readonly { readonly state: string; readonly signer?: string }[];
  readonly skills: readonly { readonly name: string }[];
  readonly keys: readonly unknown[];
  readonly [field: string]: unknown;
}

interface InstalledItem {
  readonly name: string;
  readonly scope: string;
  readonly commit?: string;
  readonly changes?: {
    readonly version: object;
    readonly files: { readonly added: readonly string[] };
    readonly permissions: { readonly added: readonly string[] };
  };
}

export interface Desk {
  readonly folder: string;
  readonly cwd: string;
  readonly home: string;
  sw(...args: string[]): Promise<{ code: number | null; state: string; data: AnswerData; text: string }>;
}

export function makeDesk(t: TestContext): Desk {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(path.join(cwd, '.agent'), { recursive: true });
  mkdirSync(home);
  return {
    folder,
    cwd,
    home,
    async sw(...args) {
      const { code, stdout, stderr } = await runCli([...args, '--json'], { cwd, home });
      const { state, data } = JSON.parse(stdout || '{}');
      return { code, state, data, text: stdout + stderr };
    },
  };
}

export async function makePack(desk: Desk, file: string, ...skills: SkillText[]): Promise<string> {
  const folders = skills.map((skill) => writeSkill(path.join(desk.folder, 'source'), skill));
  const pack = path.join(desk.folder, file);
  const { code, text } = await desk.sw('pack', ...folders, '--output', pack, '--force');
  assert.equal(code, 0, text);
  return pack;
}
