// The folders and settings a project needs; what is there already stays as it is.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic, writeNewFile } from '../../base/files.ts';
import { errorCode } from '../../base/read-file.ts';
import type { AbsolutePath } from '../../base/value/absolute-path.ts';
import { isTrusted, trustedFiles, trustProject } from '../../config/trust.ts';
import { WORKER_FILES } from '../../task/shipped.ts';
import { recordTrust } from '../own/trust-change.ts';
import type { Runtime } from '../runtime.ts';
import { type AgentConnection, type ConnectedAgent, connectionOf, isByHand } from './connection.ts';

const SETTINGS = {
  execution: { default: 'ask', require_approval_for: ['write_file', 'run_script', 'network'] },
  security: { max_skill_body_lines: 500, block_angle_brackets_in_frontmatter: true },
};

interface InitFile {
  readonly name: string;
  content(): string;
}

const FOLDERS = ['.agent/skills', '.agent/evals'];
const OWN_FILES: readonly InitFile[] = [
  { name: '.agent/config.json', content: () => `${JSON.stringify(SETTINGS, undefined, 2)}\n` },
  { name: '.agent/.gitignore', content: () => 'runs/\n' },
];
/** For agents that dispatch tasks: worker scripts, and the files that tell the agents about them. */
const WORKER_FOLDERS = ['bin', '.claude/agents'];
const DISPATCH_FILES: readonly InitFile[] = WORKER_FILES.map(({ file, asset }) => ({
  name: file,
  content: () => readFileSync(assetPath(asset), 'utf8'),
}));

export interface InitializedProject {
  readonly created: readonly string[];
  readonly existing: readonly string[];
  readonly trusted: boolean;
  /** Of agents whose file is there and names other servers only. */
  readonly byHand: readonly AgentConnection[];
}

/** How a project is set up. */
export interface InitWish {
  /** Nothing outside of .agent/. */
  readonly isMinimal?: boolean;
  /** Each is connected to `skillwright mcp`, where its file is not there yet. */
  readonly agents?: readonly ConnectedAgent[];
  /** The words that started this program. */
  readonly program?: readonly string[];
}

/** A folder without settings and roles of its own is trusted at once. */
export function initializeProject(
  project: AbsolutePath,
  { home, clock }: Pick<Runtime, 'home' | 'clock'>,
  { isMinimal = false, agents = [], program = [] }: InitWish = {},
): InitializedProject {
  const connections = agents.map(connectionOf);
  const byHand = connections.filter((connection) => isByHand(connection, project));
  const connected = connections.map(({ file, text }): InitFile => ({ name: file, content: () => text }));
  const wanted = [...OWN_FILES, ...(isMinimal ? [] : DISPATCH_FILES), ...connected];
  const folders = [...FOLDERS, ...(isMinimal ? [] : WORKER_FOLDERS), ...connections.flatMap(folderOf)];
  const isNew = trustedFiles(project).length === 0;
  const files = wanted.map(({ name }) => name).filter((name) => !existsSync(path.join(project, name)));
  const setUp = () => {
    const made = [...folders.filter((folder) => createFolder(project, folder)), ...createFiles(project, wanted)];
    if (program.length > 0 && !isMinimal) rememberProgram(home, program);
    if (isNew) trustProject(project, home, clock.now());
    return made;
  };
  // Where all is there already, nothing is decided.
  const isChange = isNew || files.length > 0;
  const created = isChange ? recordTrust({ project, home, clock }, { command: 'init', files }, setUp) : setUp();
  const all = [...folders, ...wanted.map(({ name }) => name)];
  return {
    created,
    existing: all.filter((name) => !created.includes(name)),
    trusted: isTrusted(project, home),
    byHand,
  };
}

function folderOf({ file }: AgentConnection): string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [] : [folder];
}

/** Under home, where the scripts of bin/ find it: an alias of a shell does not reach them. */
function rememberProgram(home: string, program: readonly string[]): void {
  makeFolder(path.join(home, '.agent'));
  writeFileAtomic(path.join(home, '.agent', 'program'), program.join('\n'));
}

function createFolder(project: string, folder: string): boolean {
  const target = path.join(project, folder);
  refuseLinks(project, folder);
  if (existsSync(target)) return false;
  makeFolder(target, 0o755);
  return true;
}

function createFiles(project: string, files: readonly InitFile[]): string[] {
  return files.flatMap(({ name, content }) => {
    try {
      writeNewFile(path.join(project, name), content(), { mode: 0o644 });
      return [name];
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return [];
      throw error;
    }
  });
}

/** A cloned project could lead our files elsewhere. */
function refuseLinks(project: string, folder: string): void {
  const steps = folder.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/'));
  for (const step of steps) {
    const isLink = lstatSync(path.join(project, step), { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink) throw new Fault('PathBlocked', { en: `${step} is a link`, zh: `${step} 是链接` });
  }
}
