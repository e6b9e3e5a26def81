// What tests of the door share: a project with skills and roles, one home and one sandbox for a whole file.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, type TestContext } from 'node:test';
import { type DoorOptions, type OpenDoor, openDoor } from '../../src/app/open-door.ts';
import { createRuntime } from '../../src/app/runtime.ts';
import { removeTree } from '../../src/base/files.ts';
import type { Json } from '../../src/base/json.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import type { CallAction, InvokeSkill } from '../../src/door/call.ts';
import { perform } from '../../src/door/perform.ts';
import { openSandbox, type Sandbox } from '../../src/process/sandbox/sandbox.ts';
import { temporaryFolder } from './support.ts';

const shared = realpathSync(mkdtempSync(path.join(tmpdir(), 'skillwright-test-')));
// Snapshots are read-only, so that an ordinary user cannot just remove them.
after(() => removeTree(shared));

/** Nothing of one project reaches another through it: what lies here is keyed by project or by digest. */
export const home = path.join(shared, 'home');
mkdirSync(home);

/** With a sandbox that is weaker than the best of this machine. */
export type TestDoor = Partial<DoorOptions> & Partial<Pick<OpenDoor, 'sandbox'>>;

let opened: Promise<Sandbox> | undefined;
const sharedSandbox = () => (opened ??= openSandbox({ cacheFolder: path.join(shared, 'sandbox') }));

export type Files = Readonly<Record<string, string>>;

/** A project with these files; a name that ends in `/` would be a folder, and none is executable. */
export function makeProject(t: TestContext, files: Files): string {
  const project = realpathSync(temporaryFolder(t));
  mkdirSync(path.join(project, '.agent'));
  writeFiles(project, files);
  return project;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** SKILL.md and scripts of a skill in `.claude/skills/<folder>`. */
export function skillFiles(folder: string, frontmatter: string, scripts: Files = {}): Files {
  const own = `.claude/skills/${folder}`;
  const named = Object.entries(scripts).map(([name, text]) => [`${own}/${name}`, text]);
  return { [`${own}/SKILL.md`]: `---\n${frontmatter.trim()}\n---\n# ${folder}\n`, ...Object.fromEntries(named) };
}

export async function door(
  project: string,
  { sandbox = sharedSandbox, ...options }: TestDoor = {},
  env: Record<string, string> = {},
  language: 'en' | 'zh' = 'en',
): Promise<OpenDoor> {
  const runtime = await createRuntime({ project, home, env: { PATH: process.env.PATH, ...env }, language });
  const asked = { kind: 'test', request: 'test', version: '0', yes: true, attended: true };
  return openDoor(Object.assign(runtime, { sandbox }), { ...asked, ...options });
}

/** As a person would: `invoke @name input key=value`. */
export function invoke(
  open: OpenDoor,
  skill: string,
  params: Record<string, Json> = {},
  more: Partial<InvokeSkill> = {},
): Promise<Outcome> {
  return perform({ kind: 'invoke', skill, params, byPerson: true, context: open.context, ...more }, open);
}

export function call(
  open: OpenDoor,
  skill: string,
  action: string,
  params: Record<string, Json> = {},
  more: Partial<CallAction> = {},
): Promise<Outcome> {
  return perform({ kind: 'call', skill, action, params, byPerson: true, context: open.context, ...more }, open);
}

/** What the skill itself answered. */
export function responseOf({ data }: Outcome): { data?: unknown; metadata?: Record<string, unknown> } {
  return data.response as { data?: unknown; metadata?: Record<string, unknown> };
}
