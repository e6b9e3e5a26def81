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
  ...['.config/xonsh', '.config/elvish', '.config/bash', '.config/zsh', '.local/share/fish', '.tcshrc'],
  // Python: the packages of the user, among them usercustomize and sitecustomize.
  ...['.pythonrc', '.pythonrc.py', '.pythonstartup', '.pythonstartup.py', '.pdbrc', '.pydistutils.cfg', '.ipython'],
  ...['.local/lib', '.jupyter', '.pip', '.config/pip', '.config/uv', '.config/pypoetry', '.config/pdb'],
  ...['.config/ipython', '.local/share/jupyter', '.config/matplotlib', '.matplotlib', '.condarc', '.config/conda'],
  // JavaScript: folders that `require` looks into last, and settings that preload files.
  ...['.node_modules', '.node_libraries', 'node_modules', 'package.json', '.npmrc', '.yarnrc', '.yarnrc.yml'],
  ...['.bunfig.toml', '.config/bun', '.config/yarn', '.config/pnpm', '.npm-init.js', '.puppeteerrc.cjs'],
  ...['.puppeteerrc.js', '.config/puppeteer', '.babelrc', '.eslintrc', '.eslintrc.js', '.eslintrc.cjs'],
  ...['.eslintrc.json', '.eslintrc.yml', '.eslintrc.yaml', '.prettierrc'],
  // Ruby, Perl, R, Julia, Lua and others.
  ...['.irbrc', '.pryrc', '.gemrc', '.gem', '.bundle', '.rdebugrc', '.local/share/gem', '.config/irb', '.perldb'],
  ...['.Rprofile', '.Renviron', '.R', '.config/R', '.julia/config', '.octaverc', '.ghci', '.ghc', '.ocamlinit'],
  ...['.guile', '.lldbinit', '.gdbinit', '.config/gdb', '.gradle/init.gradle', '.gradle/init.d', '.sbtrc', '.sbt'],
  ...['.mavenrc', '.m2/settings.xml', '.cargo/config', '.cargo/config.toml', '.cargo/env', '.javarc'],
  ...['.gradle/init.gradle.kts', '.gradle/gradle.properties', '.config/go', '.erlang', '.iex.exs', '.mix', 'R'],
  ...['.clojure', '.lein', '.groovy', '.sbclrc', '.eclrc', '.clisprc', '.clisprc.lisp', '.ccl-init.lisp', '.racketrc'],
  ...['.config/racket', '.csirc', '.local/share/racket', '.tclshrc', '.wishrc', '.config/swi-prolog', '.swiplrc'],
  ...['.plrc', '.config/octave', '.gforthrc', '.composer', '.config/composer', '.luarocks', '.config/guile', '.jq'],
  ...['.gdbearlyinit', '.config/lldb'],
  // Tools that run what their settings name.
  ...['.gitconfig', '.config/git', '.hgrc', '.config/hg', '.ssh', '.curlrc', '.wgetrc', '.netrc', '.psqlrc'],
  ...['.sqliterc', '.vimrc', '.vim', '.config/nvim', '.exrc', '.emacs', '.emacs.d', '.config/emacs', '.lesskey'],
  ...['.gvimrc', '.nvimrc', '.config/vim', '.local/share/nvim', '.less', '.config/lesskey', '.config/curlrc'],
  ...['.config/wget', '.aria2', '.config/aria2', '.config/yt-dlp', '.config/yt-dlp.conf', '.yt-dlp', 'yt-dlp.conf'],
  ...['.config/youtube-dl', '.config/ImageMagick', '.magick', '.pandoc', '.local/share/pandoc', '.latexmkrc', 'texmf'],
  ...['.config/latexmk', '.config/sqlite3', '.subversion', '.config/tig', '.lftprc', '.lftp/rc', '.config/lftp/rc'],
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
