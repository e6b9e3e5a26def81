// What lies in a folder for skills or in agents/ and is none, and why: nothing else would ever say a word about it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import { listFolder } from '../../registry/walk.ts';
import type { Runtime } from '../runtime.ts';

const AGENT_FILES = ['agent.yaml', 'agent.yml'];

export function findNoSkills({ project, roots }: Pick<Runtime, 'project' | 'roots'>, deep: boolean): Diagnostic[] {
  const own = roots.filter(({ source }) => source !== 'builtin');
  return [
    ...own.flatMap(({ folder }) => [...strayFiles(folder), ...foldersWithoutSkill(folder, deep)]),
    ...rolesWithoutFile(path.join(project, 'agents')),
  ];
}

/** Markdown beside the folders of skills. */
function strayFiles(root: string): Diagnostic[] {
  return entriesOf(root)
    .filter(
      (entry) => entry.isFile() && /\.md$/i.test(entry.name) && !/^(?:readme|changelog|license)\./i.test(entry.name),
    )
    .map(({ name }) => tell('skill-without-folder', path.join(root, name), WITHOUT_FOLDER, move(name)));
}

const WITHOUT_FOLDER: Text = {
  en: 'no skill: a skill is a folder with a SKILL.md, and this file lies in no folder of its own',
  zh: '不是技能: 技能是含有 SKILL.md 的目录，而此文件没有自己的目录',
};

function move(name: string): Text {
  const folder = /^skill\.md$/i.test(name) ? 'NAME' : name.replace(/\.md$/i, '');
  return { en: `move it to ${folder}/SKILL.md`, zh: `请移至 ${folder}/SKILL.md` };
}

const LIKE_IT = /^skills?\.(?:txt|markdown|mdx|md\.txt)$/i;

/** A file that was meant as SKILL.md, and skills that lie too deep to be found. */
function foldersWithoutSkill(root: string, deep: boolean): Diagnostic[] {
  return foldersIn(root).flatMap((folder) => {
    const entries = entriesOf(folder);
    const like = entries.find((entry) => entry.isFile() && LIKE_IT.test(entry.name));
    if (existsSync(path.join(folder, SKILL_FILE))) return [];
    if (like) return [tell('skill-file-name', path.join(folder, like.name), NOT_READ, RENAME)];
    if (entries.length === 0) return [tell('folder-empty', folder, EMPTY, FILL)];
    if (deep) return [];
    const below = foldersIn(folder).flatMap((one) => (existsSync(path.join(one, SKILL_FILE)) ? [] : foldersIn(one)));
    return below
      .map((one) => path.join(one, SKILL_FILE))
      .filter((file) => existsSync(file))
      .map((file) => tell('skill-too-deep', file, TOO_DEEP, MOVE_UP));
  });
}

const SKILL_FILE = 'SKILL.md';
const NOT_READ: Text = { en: 'no skill: only SKILL.md is read', zh: '不是技能: 只读取 SKILL.md' };
const RENAME: Text = { en: 'call it SKILL.md', zh: '请改名为 SKILL.md' };
const EMPTY: Text = { en: 'no skill: the folder is empty', zh: '不是技能: 目录为空' };
const FILL: Text = { en: 'write a SKILL.md in it, or remove it', zh: '请在其中编写 SKILL.md，或删除该目录' };
const TOO_DEEP: Text = {
  en: 'not found: skills lie in the folder for skills, or one namespace below it',
  zh: '不会被找到: 技能须位于技能目录中，或其下一层命名空间中',
};
const MOVE_UP: Text = { en: 'move its folder up, or list with --deep', zh: '请上移其目录，或使用 --deep' };

function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}

function rolesWithoutFile(agents: string): Diagnostic[] {
  return foldersIn(agents)
    .filter((folder) => !AGENT_FILES.some((file) => existsSync(path.join(folder, file))))
    .map((folder) =>
      tell(
        'role-without-file',
        folder,
        { en: 'no role: there is no agent.yaml in it', zh: '不是角色: 其中没有 agent.yaml' },
        {
          en: 'write its agent.yaml, or move the folder elsewhere',
          zh: '请编写 agent.yaml，或将目录移至别处',
        },
      ),
    );
}

function tell(code: string, place: string, message: Text, fix: Text): Diagnostic {
  return diagnose({ code, severity: 'warning', path: place, message, fix });
}

/** A folder that cannot be listed is named by whoever reads it. */
function entriesOf(folder: string): ReturnType<typeof listFolder> {
  try {
    return listFolder(folder);
  } catch {
    return [];
  }
}
