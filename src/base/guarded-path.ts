// Which paths of a project other tools execute or obey, wherever they are opened: nobody changes them by the way.
import { isHiddenFile } from './hidden-files.ts';
import type { Text } from './language.ts';
import { foldPath } from './paths.ts';

/** Who obeys it, as it completes "obeyed by …". */
export type Obeyed = Text;

const GIT: Obeyed = { en: 'git', zh: 'git' };
const REPOSITORY: Obeyed = { en: 'git, as a repository of its own', zh: 'git（视为独立仓库）' };
const MERCURIAL: Obeyed = { en: 'Mercurial', zh: 'Mercurial' };
const AGENTS: Obeyed = { en: 'coding agents', zh: '编程智能体' };
const SKILLWRIGHT: Obeyed = { en: 'Skillwright', zh: 'Skillwright' };
const EDITORS: Obeyed = { en: 'editors', zh: '编辑器' };
const CI: Obeyed = { en: 'CI services', zh: 'CI 服务' };
const HOOKS: Obeyed = { en: 'hooks of git', zh: 'git 钩子' };
const SHELL: Obeyed = { en: 'the shell, on entering the folder', zh: '进入目录时的 shell' };
const CONTAINERS: Obeyed = { en: 'containers', zh: '容器' };
const PACKAGES: Obeyed = { en: 'package managers', zh: '包管理器' };
const INTERPRETERS: Obeyed = { en: 'interpreters and debuggers, on starting', zh: '启动时的解释器与调试器' };
const SECRET: Obeyed = { en: 'whoever reads this secret', zh: '读取该机密的程序' };

/** A folder or a file of that name, at any depth. */
const NAMES = new Map<string, Obeyed>([
  ['.git', GIT],
  ['.gitmodules', GIT],
  ['.gitattributes', GIT],
  ['.gitconfig', GIT],
  ['.lfsconfig', GIT],
  // With one of these, a repository has its settings or its objects in another folder.
  ['commondir', GIT],
  ['config.worktree', GIT],
  ['gitdir', GIT],
  ['.hg', MERCURIAL],
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
  ['qwen.md', AGENTS],
  ['skill.md', AGENTS],
  ['.kiro', AGENTS],
  ['.qwen', AGENTS],
  ['.claude-plugin', AGENTS],
  ['.goosehints', AGENTS],
  ['.opencode.json', AGENTS],
  ['opencode.json', AGENTS],
  ['opencode.jsonc', AGENTS],
  ['.mcp.json', AGENTS],
  ['mcp.json', AGENTS],
  ['.vscode', EDITORS],
  ['.idea', EDITORS],
  ['.zed', EDITORS],
  ['.helix', EDITORS],
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
  ['.gitlab-ci.yaml', CI],
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
  ['.pre-commit-config.yaml', HOOKS],
  ['.overcommit.yml', HOOKS],
  ['.envrc', SHELL],
  ['.direnv', SHELL],
  ['.tool-versions', SHELL],
  ['.mise', SHELL],
  ['.autoenv', SHELL],
  ['.bashrc', SHELL],
  ['.bash_profile', SHELL],
  ['.bash_login', SHELL],
  ['.bash_logout', SHELL],
  ['.profile', SHELL],
  ['.zshrc', SHELL],
  ['.zshenv', SHELL],
  ['.zprofile', SHELL],
  ['.zlogin', SHELL],
  ['.zlogout', SHELL],
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
  ['.rprofile', INTERPRETERS],
  ['.renviron', INTERPRETERS],
  ['.pdbrc', INTERPRETERS],
  ['.gdbinit', INTERPRETERS],
  ['.lldbinit', INTERPRETERS],
  ['.irbrc', INTERPRETERS],
  ['.pryrc', INTERPRETERS],
]);

/** The same for names that vary. */
const NAME_PATTERNS: readonly (readonly [RegExp, Obeyed])[] = [
  // What Windows calls `.git` where it shortens names.
  [/^git~\d+$/, GIT],
  [/\.code-workspace$/, EDITORS],
  [/^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/, HOOKS],
  [/^(?:\.lintstagedrc(?:\..+)?|lint-staged\.config\..+)$/, HOOKS],
  [/^\.?mise(?:\..+)?\.toml$/, SHELL],
];

/** A folder of that name in one of the other, at any depth. */
const NESTED_NAMES = new Map<string, Obeyed>([
  ['.yarn/plugins', PACKAGES],
  ['.yarn/releases', PACKAGES],
  // Compiled code that the next command runs, where home is the project or lies in it.
  ['.cache/skillwright', SKILLWRIGHT],
]);

/** In the root of the project only: elsewhere these are ordinary names. */
const TOP_NAMES = new Map<string, Obeyed>([
  ['agents', SKILLWRIGHT],
  ['bin', SKILLWRIGHT],
]);

/** All of one row together make a folder a repository, whatever it is called. */
const REPOSITORY_SHAPES = [
  ['head', 'objects', 'refs'],
  ['head', 'commondir'],
];

/** What one project has guarded beyond those names. */
export interface Guarded {
  readonly places: readonly GuardedPlace[];
}

/** A file or a folder, with everything below it. */
export interface GuardedPlace {
  /** Below the project, as `foldPath` writes it; empty for the whole of it. */
  readonly path: string;
  readonly by: Obeyed;
}

/** Who obeys a path below the project; undefined for an ordinary one. */
export type PathGuard = (below: string) => Obeyed | undefined;

/** The one guard: of changes that are applied, of results, of file tools. `namesIn` are the names in a folder, read once. */
export function openGuard(guarded: Guarded, namesIn: (folder: string) => Iterable<string>): PathGuard {
  const known = new Map<string, Set<string>>();
  const foldedNames = (folder: string): Set<string> => {
    const names = known.get(folder) ?? new Set([...namesIn(folder)].map(foldPath));
    known.set(folder, names);
    return names;
  };
  return (below) => obeyedBy(below, guarded) ?? (isInRepository(below, foldedNames) ? REPOSITORY : undefined);
}

/** By the path alone. Undefined: an ordinary path. */
export function obeyedBy(below: string, { places }: Guarded): Obeyed | undefined {
  return obeyedName(below) ?? obeyedPlace(foldPath(below), places) ?? (isHiddenFile(below) ? SECRET : undefined);
}

/** By the names in it, which are obeyed in every project. */
export function obeyedName(below: string): Obeyed | undefined {
  const steps = foldPath(below).split('/');
  const top = TOP_NAMES.get(steps[0] ?? '');
  if (top) return top;
  for (const [at, step] of steps.entries()) {
    const found = NAMES.get(step) ?? NESTED_NAMES.get(`${steps[at - 1]}/${step}`) ?? obeyedPattern(step);
    if (found) return found;
  }
  return undefined;
}

/** A link at this path would lead what is obeyed below it to another place. */
export function obeyedBelow(below: string, { places }: Guarded): Obeyed | undefined {
  const folded = foldPath(below);
  const last = folded.slice(folded.lastIndexOf('/') + 1);
  const nested = [...NESTED_NAMES].find(([name]) => name.startsWith(`${last}/`));
  return nested?.[1] ?? places.find(({ path }) => path.startsWith(`${folded}/`))?.by;
}

function obeyedPlace(folded: string, places: readonly GuardedPlace[]): Obeyed | undefined {
  return places.find(({ path }) => path === '' || folded === path || folded.startsWith(`${path}/`))?.by;
}

function obeyedPattern(step: string): Obeyed | undefined {
  return NAME_PATTERNS.find(([pattern]) => pattern.test(step))?.[1];
}

/** Whether git takes a folder above for a repository once this path is there, beside all that was asked about before. */
function isInRepository(below: string, foldedNames: (folder: string) => Set<string>): boolean {
  const steps = below.split('/');
  return steps.some((step, at) => {
    const names = foldedNames(steps.slice(0, at).join('/')).add(foldPath(step));
    return REPOSITORY_SHAPES.some((shape) => shape.every((name) => names.has(name)));
  });
}
