// Files in a home that shells, interpreters and tools read when they start: gone from a lasting home before each call.
import { lstatSync } from 'node:fs';
import { removeTree } from '../../base/files.ts';
import { namesIfThere } from '../../base/read-file.ts';
import { inProject } from '../../workspace/transaction/project-tree.ts';

/** Each runs code, or makes other code run, in whatever starts the program of that name. */
const START_FILES = [
  // Shells.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...['.zshenv', '.zshrc', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.mkshrc', '.shrc', '.shinit'],
  ...['.cshrc', '.tcshrc', '.login', '.logout', '.xonshrc', '.config/fish', '.config/nushell', '.config/powershell'],
  ...['.config/xonsh', '.config/elvish', '.config/bash', '.config/zsh'],
  // Python: the packages of the user, among them usercustomize and sitecustomize.
  ...['.pythonrc', '.pythonrc.py', '.pythonstartup', '.pythonstartup.py', '.pdbrc', '.pydistutils.cfg', '.ipython'],
  ...['.local/lib', '.jupyter', '.pip', '.config/pip', '.config/uv', '.config/pypoetry', '.config/pdb'],
  // JavaScript: folders that `require` looks into last, and settings that preload files.
  ...['.node_modules', '.node_libraries', 'node_modules', 'package.json', '.npmrc', '.yarnrc', '.yarnrc.yml'],
  ...['.bunfig.toml', '.config/bun', '.config/yarn', '.config/pnpm', '.npm-init.js'],
  // Ruby, Perl, R, Julia, Lua and others.
  ...['.irbrc', '.pryrc', '.gemrc', '.gem', '.bundle', '.rdebugrc', '.local/share/gem', '.config/irb', '.perldb'],
  ...['.Rprofile', '.Renviron', '.R', '.config/R', '.julia/config', '.octaverc', '.ghci', '.ghc', '.ocamlinit'],
  ...['.guile', '.lldbinit', '.gdbinit', '.config/gdb', '.gradle/init.gradle', '.gradle/init.d', '.sbtrc', '.sbt'],
  ...['.mavenrc', '.m2/settings.xml', '.cargo/config', '.cargo/config.toml', '.cargo/env', '.javarc'],
  // Tools that run what their settings name.
  ...['.gitconfig', '.config/git', '.hgrc', '.config/hg', '.ssh', '.curlrc', '.wgetrc', '.netrc', '.psqlrc'],
  ...['.sqliterc', '.vimrc', '.vim', '.config/nvim', '.exrc', '.emacs', '.emacs.d', '.config/emacs', '.lesskey'],
  ...['.screenrc', '.tmux.conf', '.config/tmux', '.nanorc', '.mailcap', '.config/direnv', '.envrc'],
];

/** Where a folder on the way is a link, the link is removed: what it leads to is not the home's. */
export function removeStartFiles(home: string): void {
  const there = new Set(namesIfThere(home));
  for (const file of START_FILES) {
    const steps = file.split('/');
    if (!there.has(steps[0] ?? '')) continue;
    const above = steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('/'));
    if (above.some((folder) => removeUnlessFolder(home, folder))) continue;
    inProject(home, file, ({ at }) => removeTree(at));
  }
}

/** Whether no folder is there, afterwards. */
function removeUnlessFolder(home: string, below: string): boolean {
  return inProject(home, below, ({ at }) => {
    const entry = lstatSync(at, { throwIfNoEntry: false });
    if (entry?.isSymbolicLink()) removeTree(at);
    return !entry?.isDirectory();
  });
}
