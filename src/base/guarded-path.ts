// Which paths of a project other tools execute or obey, wherever they are opened: nobody changes them by the way.
import type { Text } from './language.ts';
import { foldPath } from './paths.ts';

/** Who obeys it, as it completes "obeyed by …". */
export type Obeyed = Text;

const GIT: Obeyed = { en: 'git', zh: 'git' };
const AGENTS: Obeyed = { en: 'coding agents', zh: '编程智能体' };
const SKILLWRIGHT: Obeyed = { en: 'Skillwright', zh: 'Skillwright' };
const EDITORS: Obeyed = { en: 'editors', zh: '编辑器' };
const CI: Obeyed = { en: 'CI services', zh: 'CI 服务' };
const HOOKS: Obeyed = { en: 'hooks of git', zh: 'git 钩子' };
const SHELL: Obeyed = { en: 'the shell, on entering the folder', zh: '进入目录时的 shell' };
const CONTAINERS: Obeyed = { en: 'containers', zh: '容器' };
const PACKAGES: Obeyed = { en: 'package managers', zh: '包管理器' };

/** A folder or a file of that name, at any depth. */
const NAMES = new Map<string, Obeyed>([
  ['.git', GIT],
  ['.gitmodules', GIT],
  ['.gitattributes', GIT],
  ['.gitconfig', GIT],
  ['.lfsconfig', GIT],
  ['.agent', SKILLWRIGHT],
  ['.agents', AGENTS],
  ['.claude', AGENTS],
  ['.claude.json', AGENTS],
  ['.codex', AGENTS],
  ['.cursor', AGENTS],
  ['.cursorrules', AGENTS],
  ['.windsurf', AGENTS],
  ['.windsurfrules', AGENTS],
  ['.clinerules', AGENTS],
  ['.roo', AGENTS],
  ['.gemini', AGENTS],
  ['.opencode', AGENTS],
  ['.continue', AGENTS],
  ['.aider.conf.yml', AGENTS],
  ['agents.md', AGENTS],
  ['agents.override.md', AGENTS],
  ['claude.md', AGENTS],
  ['claude.local.md', AGENTS],
  ['gemini.md', AGENTS],
  ['skill.md', AGENTS],
  ['.mcp.json', AGENTS],
  ['mcp.json', AGENTS],
  ['.vscode', EDITORS],
  ['.idea', EDITORS],
  ['.zed', EDITORS],
  ['.vim', EDITORS],
  ['.vimrc', EDITORS],
  ['.nvimrc', EDITORS],
  ['.exrc', EDITORS],
  ['.nvim.lua', EDITORS],
  ['.dir-locals.el', EDITORS],
  ['.dir-locals-2.el', EDITORS],
  ['.lvimrc', EDITORS],
  ['.editorconfig', EDITORS],
  ['.github', CI],
  ['.gitlab-ci.yml', CI],
  ['.gitlab', CI],
  ['.gitea', CI],
  ['.forgejo', CI],
  ['.circleci', CI],
  ['.travis.yml', CI],
  ['.buildkite', CI],
  ['.woodpecker.yml', CI],
  ['.woodpecker', CI],
  ['.drone.yml', CI],
  ['.cirrus.yml', CI],
  ['azure-pipelines.yml', CI],
  ['bitbucket-pipelines.yml', CI],
  ['appveyor.yml', CI],
  ['jenkinsfile', CI],
  ['.husky', HOOKS],
  ['.githooks', HOOKS],
  ['.lefthook', HOOKS],
  ['lefthook.yml', HOOKS],
  ['lefthook.yaml', HOOKS],
  ['.pre-commit-config.yaml', HOOKS],
  ['.overcommit.yml', HOOKS],
  ['.lintstagedrc', HOOKS],
  ['.lintstagedrc.json', HOOKS],
  ['.envrc', SHELL],
  ['.direnv', SHELL],
  ['.tool-versions', SHELL],
  ['.mise.toml', SHELL],
  ['mise.toml', SHELL],
  ['.autoenv', SHELL],
  ['.bashrc', SHELL],
  ['.bash_profile', SHELL],
  ['.profile', SHELL],
  ['.zshrc', SHELL],
  ['.zshenv', SHELL],
  ['.devcontainer', CONTAINERS],
  ['.devcontainer.json', CONTAINERS],
  ['.dockerignore', CONTAINERS],
  ['.gitpod.yml', CONTAINERS],
  ['.npmrc', PACKAGES],
  ['.yarnrc', PACKAGES],
  ['.yarnrc.yml', PACKAGES],
  ['.pnpmfile.cjs', PACKAGES],
  ['.cargo', PACKAGES],
  ['pip.conf', PACKAGES],
  ['.pypirc', PACKAGES],
]);

/** In the root of the project only: elsewhere these are ordinary names. */
const TOP_NAMES = new Map<string, Obeyed>([
  ['agents', SKILLWRIGHT],
  ['bin', SKILLWRIGHT],
]);

/** Together they make a folder a repository, whatever it is called. */
const BARE_REPOSITORY = ['head', 'objects', 'refs'];

/** Give the path below the project. Undefined: an ordinary path. */
export function obeyedBy(relativePath: string): Obeyed | undefined {
  const steps = foldPath(relativePath).split('/');
  const top = TOP_NAMES.get(steps[0] ?? '');
  if (top) return top;
  for (const step of steps) {
    const found = NAMES.get(step) ?? (isShortName(step) ? GIT : undefined);
    if (found) return found;
  }
  return undefined;
}

/** Whether these names in one folder make it a repository to git, which then obeys its settings. */
export function isRepositoryShape(names: Iterable<string>): boolean {
  const folded = new Set([...names].map(foldPath));
  return BARE_REPOSITORY.every((name) => folded.has(name));
}

/** What Windows calls `.git` where it shortens names. */
function isShortName(step: string): boolean {
  return /^git~\d+$/.test(step);
}
