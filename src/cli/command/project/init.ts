// `init`: the folders and settings a project needs; what is there already stays as it is.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../../base/assets.ts';
import { Fault } from '../../../base/errors.ts';
import { makeFolder, writeNewFile } from '../../../base/files.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { errorCode } from '../../../base/read-file.ts';
import { paint } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { isTrusted, trustedFiles, trustProject } from '../../../config/trust.ts';
import { WORKER_FILES } from '../../../task/shipped.ts';
import { type Command, textOption } from '../../frame/command.ts';

const SETTINGS = {
  execution: { default: 'ask', require_approval_for: ['write_file', 'run_script', 'network'] },
  security: { max_skill_body_lines: 500, block_angle_brackets_in_frontmatter: true },
};

const FOLDERS = ['.agent/skills', '.agent/evals', 'bin', '.claude/agents'];
const FILES: readonly { readonly name: string; content(): string }[] = [
  { name: '.agent/config.json', content: () => `${JSON.stringify(SETTINGS, undefined, 2)}\n` },
  { name: '.agent/.gitignore', content: () => 'runs/\n' },
  ...WORKER_FILES.map(({ file, asset }) => ({ name: file, content: () => readFileSync(assetPath(asset), 'utf8') })),
];

export const command: Command = {
  about: {
    en: 'Works on the current folder, or the one of --project. A folder without settings and roles of its own is trusted at once; any other needs `skillwright trust`.',
    zh: '作用于当前目录或 --project 指定的目录。原本没有配置与角色的目录会立即受信任；其他目录需运行 `skillwright trust`。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright init'],
  async run({ options, runtime, terminal }) {
    const project = path.resolve(textOption(options, 'project') ?? '.');
    const isNew = trustedFiles(project).length === 0;
    const created = [...FOLDERS.filter((folder) => createFolder(project, folder)), ...createFiles(project)];
    if (isNew) trustProject(project, runtime.home, runtime.clock.now());
    const trusted = isTrusted(project, runtime.home);
    const outcome = makeOutcome(
      runtime.answering('skillwright', 'own'),
      'success',
      summarize(created, visible(project)),
      {
        project,
        created,
        existing: [...FOLDERS, ...FILES.map(({ name }) => name)].filter((name) => !created.includes(name)),
        trusted,
      },
    );
    const list = created.map((name) => `  ${paint('+', 'green', terminal)} ${name}`);
    return { outcome, human: list.join('\n'), hint: nextStep(trusted)[runtime.language] };
  },
};

function createFolder(project: string, folder: string): boolean {
  const target = path.join(project, folder);
  refuseLinks(project, folder);
  if (existsSync(target)) return false;
  makeFolder(target, 0o755);
  return true;
}

function createFiles(project: string): string[] {
  return FILES.flatMap(({ name, content }) => {
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

function summarize(created: readonly string[], project: string): Text {
  return created.length === 0
    ? { en: `already set up: ${project}`, zh: `已初始化: ${project}` }
    : { en: `set up: ${project}`, zh: `初始化完成: ${project}` };
}

function nextStep(trusted: boolean): Text {
  return trusted
    ? { en: '`skillwright new <name>` writes a first skill.', zh: '`skillwright new <名称>` 创建第一个技能。' }
    : {
        en: 'This folder had settings or roles before; read them, then run `skillwright trust`.',
        zh: '此目录原有配置或角色；查看后运行 `skillwright trust`。',
      };
}
