// The programs that run other programs, send files or write where they are told, as data; command-caution.ts reads it.

export interface Caution {
  /** interpreter: runs the file it is given; launcher: runs what its arguments say; runner: fetches what it runs. */
  readonly kind?: 'interpreter' | 'launcher' | 'runner';
  /** Refused, abbreviated too. */
  readonly long?: readonly string[];
  /** Refused letters, also inside a cluster such as `-xzI`. */
  readonly short?: string;
  /** Refused where a word begins with one of these, value attached or not: `-B/x`, `@options`. */
  readonly starts?: readonly string[];
  /** A word with this sign in it names a file to send; a plain address may hold it. */
  readonly fileSign?: string;
  /** Refused as whole words, wherever they stand. */
  readonly words?: readonly string[];
  /** The first word is a cluster of letters even without a dash. */
  readonly bundled?: boolean;
}

export const INTERPRETERS =
  'sh bash dash zsh ksh mksh ash fish csh tcsh rbash yash oksh loksh pdksh rzsh rksh elvish nu xonsh osh ysh ion murex rc es posh ' +
  'python pypy ipython bpython ptpython micropython graalpy jython hy xonsh-cat node nodejs d8 qjs mujs gjs cjs rhino ' +
  'perl raku ruby jruby truffleruby php lua luajit fennel tclsh jimsh wish expect autoexpect Rscript julia octave-cli ' +
  'groovy groovysh scala scala-cli amm kotlin kotlinc pwsh powershell cmd osascript guile racket gosh csi chibi-scheme ' +
  'mit-scheme scheme sbcl clisp ecl ccl janet clojure clj bb lein elixir iex escript jshell jbang bsh ts-node tsx java ' +
  'ocaml ocamlrun swipl gprolog dart swift crystal rdmd rust-script cling gforth gs ghostscript gimp sage wasmtime wasmer mono';

// Their arguments are a program, or name one; only a pattern that spells out every word can match.
export const LAUNCHERS =
  'env xargs parallel sudo doas su runuser chroot nohup timeout nice ionice chrt taskset time watch setsid stdbuf unbuffer ' +
  'script strace ltrace gdb gdbserver lldb dlv rr valgrind perf heaptrack bpftrace stap unshare nsenter flock systemd-run ' +
  'systemctl service at batch crontab busybox toybox command exec eval source builtin trap coproc awk gawk mawk nawk goawk ' +
  'original-awk socat nc ncat netcat telnet ftp lftp ncftp docker podman nerdctl buildah ctr crictl kubectl oc lxc ' +
  'lxc-attach lxc-execute machinectl systemd-nspawn flatpak snap vagrant ansible ansible-playbook salt wine dotnet ' +
  'vim vi view nvim ex ed red emacs emacsclient nano rnano pico joe jed kak hx helix micro rvim rview gvim vimdiff vimtutor ' +
  'less more most pg zless zmore bzmore xzless man info sqlite3 duckdb psql mysql mariadb mongosh mongo redis-cli clickhouse ' +
  'bwrap firejail nsjail setpriv capsh setarch linux32 linux64 start-stop-daemon run-parts daemonize chpst setuidgid envdir ' +
  'softlimit entr tmux screen dtach abduco byobu ssh-agent sshpass autossh dbus-run-session dbus-launch xvfb-run fakeroot ' +
  'fakechroot faketime eatmydata proxychains proxychains4 torsocks proot prlimit choom m4 chronic ifne pee logsave catchsegv ' +
  'lualatex luatex latexmk R ghc ghci runghc runhaskell stack erl irb dc bc octave gnuplot scilab maxima gap gp cpan cpanm ' +
  'pkexec gosu sudoedit visudo su-exec sg newgrp runcon cross-env watchexec nodemon hyperfine concurrently rlwrap tini ' +
  'dumb-init direnv mise asdf pyenv rbenv nix-shell guix ld.so gtimeout gxargs genv pdsh mosh mail mailx mutt neomutt ' +
  'sendmail exim procmail fetchmail fzf sk ranger mc nnn lf vifm tig lazygit xterm konsole gnome-terminal kitty alacritty ' +
  'foot xinit startx xdg-open qemu-user box64';

/** What any of the compilers obeys: another tool in its place, a library loaded into it, a file of more options. */
const COMPILER: Caution = {
  words: ['-load', '-Xclang', '-cc1'],
  long: ['--config', '--gcc-toolchain', '--sysroot'],
  starts: [
    '-B',
    '@',
    '-wrapper',
    '-specs',
    '--specs',
    '-fplugin',
    '-fpass-plugin',
    '-iplugindir',
    '-fuse-ld',
    '--ld-path',
    '-ccc-',
    '-Wl,',
    '-Wa,',
    '-Wp,',
    '-Xlinker',
    '-Xassembler',
  ],
};

export const OTHERS: Record<string, Caution> = {
  npx: { kind: 'runner' },
  pnpx: { kind: 'runner' },
  bunx: { kind: 'runner' },
  uvx: { kind: 'runner' },
  pipx: { kind: 'runner', words: ['run', 'runpip'] },
  find: {
    words: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from'],
  },
  fd: { long: ['--exec', '--exec-batch'], short: 'xX' },
  fdfind: { long: ['--exec', '--exec-batch'], short: 'xX' },
  tar: {
    long: [
      '--checkpoint-action',
      '--to-command',
      '--use-compress-program',
      '--rsh-command',
      '--rmt-command',
      '--info-script',
      '--new-volume-script',
      '--absolute-names',
    ],
    short: 'IFP',
    bundled: true,
  },
  star: { long: [], starts: ['compress-program=', '-compress-program=', 'rsh=', '-rsh='] },
  bsdtar: { long: ['--use-compress-program', '--options'], short: 'P', bundled: true },
  cpio: { long: ['--rsh-command', '--to-stdout'], short: 'H' },
  zip: { long: ['--unzip-command', '--test'], short: 'T' },
  ssh: { long: [], short: 'oFEISWLRDwJei' },
  scp: { long: [], short: 'oFSDJi' },
  sftp: { long: [], short: 'oFSDbJi' },
  rsync: { long: ['--rsh', '--rsync-path', '--daemon', '--config', '--password-file', '--early-input'], short: 'e' },
  curl: {
    long: [
      '--config',
      '--engine',
      '--unix-socket',
      '--abstract-unix-socket',
      '--output',
      '--output-dir',
      '--remote-name',
      '--remote-name-all',
      '--remote-header-name',
      '--upload-file',
      '--cookie-jar',
      '--dump-header',
      '--stderr',
      '--trace',
      '--trace-ascii',
      '--libcurl',
      '--etag-save',
      '--etag-compare',
      '--hsts',
      '--alt-svc',
      '--netrc-file',
      '--netrc',
      '--netrc-optional',
      '--cert',
      '--key',
      '--pubkey',
    ],
    short: 'KoOJTcDEn',
    starts: ['file:', 'scp:', 'sftp:'],
    fileSign: '@',
  },
  wget: {
    long: [
      '--use-askpass',
      '--execute',
      '--config',
      '--input-file',
      '--post-file',
      '--body-file',
      '--output-document',
      '--output-file',
      '--append-output',
      '--directory-prefix',
      '--load-cookies',
      '--save-cookies',
      '--certificate',
      '--private-key',
      '--warc-file',
    ],
    short: 'eiOoaP',
  },
  http: { long: ['--output', '--session', '--session-read-only', '--cert', '--cert-key'], short: 'o', fileSign: '@' },
  https: { long: ['--output', '--session', '--session-read-only', '--cert', '--cert-key'], short: 'o', fileSign: '@' },
  xh: { long: ['--output', '--session', '--session-read-only', '--cert', '--cert-key'], short: 'o', fileSign: '@' },
  aria2c: { long: ['--conf-path', '--input-file', '--dir', '--out', '--log'], short: 'idol', starts: ['--on-'] },
  'yt-dlp': {
    long: ['--exec', '--config-locations', '--downloader', '--external-downloader', '--plugin-dirs', '--alias'],
  },
  'youtube-dl': { long: ['--exec', '--config-location', '--external-downloader'] },
  rclone: { words: ['rc', 'rcd', 'serve', 'mount', 'config'], long: ['--config', '--password-command'] },
  sort: { long: ['--compress-program', '--output'], short: 'oT' },
  rg: { long: ['--pre', '--hostname-bin'] },
  ack: { long: ['--pager', '--ackrc'] },
  ag: { long: ['--pager'] },
  make: {
    long: ['--eval', '--file', '--makefile', '--directory', '--environment-overrides', '--include-dir'],
    short: 'fCEI',
  },
  gmake: { long: ['--eval', '--file', '--makefile', '--directory', '--include-dir'], short: 'fCEI' },
  cmake: { words: ['-P', '-E', '--build'], long: ['--build', '--toolchain'] },
  gcc: COMPILER,
  tcc: { ...COMPILER, starts: ['-run', '-B', '@'] },
  rustc: { long: ['--codegen', '--sysroot'], starts: ['-C', '-Z', '@'] },
  ld: { long: ['-plugin', '--plugin', '-dynamic-linker', '--dynamic-linker'], starts: ['@'] },
  ar: { long: ['--plugin'], starts: ['@'] },
  nm: { long: ['--plugin'], starts: ['@'] },
  javac: {
    long: ['-processor', '-processorpath', '--processor-path', '-Xplugin', '--processor-module-path'],
    starts: ['-J', '@'],
  },
  gradle: { long: ['--init-script', '--build-file', '--settings-file', '--project-dir'], short: 'Ibcp' },
  ninja: { short: 'fC' },
  just: { long: ['--justfile', '--working-directory', '--shell', '--set', '--command', '--evaluate'], short: 'fdc' },
  rake: { long: ['--rakefile', '--execute', '--execute-print', '--execute-continue', '--require'], short: 'fepErR' },
  bazel: { words: ['run'], starts: ['--run_under', '--bazelrc', '--shell_executable', '--override_repository'] },
  go: {
    words: ['run', 'generate', 'tool', 'env', '-exec', '-toolexec'],
    long: ['-exec', '-toolexec', '-vettool', '-overlay'],
  },
  cargo: { words: ['run', 'r', 'install', 'xtask', '-Z'], long: ['--config'] },
  npm: {
    words: ['exec', 'x', 'init', 'create', 'innit', 'config', 'c', 'set', 'explore', 'edit', 'pkg', 'get'],
    long: [
      '--script-shell',
      '--node-options',
      '--prefix',
      '--userconfig',
      '--globalconfig',
      '--call',
      '--shell',
      '--git',
    ],
    short: 'cC',
  },
  pnpm: {
    words: ['exec', 'dlx', 'create', 'config', 'init', 'setup'],
    long: ['--script-shell', '--dir', '--shell-mode', '--call'],
    short: 'Cc',
  },
  yarn: {
    words: ['exec', 'dlx', 'create', 'config', 'init', 'node'],
    long: ['--cwd', '--script-shell', '--use-yarnrc'],
  },
  bun: {
    words: ['x', 'exec', 'repl', 'create', 'c', 'init', '-'],
    long: ['--eval', '--print', '--preload', '--require', '--import', '--config', '--define', '--cwd'],
    short: 'eprcd',
  },
  deno: {
    words: ['eval', 'repl', 'task', 'install', 'x', 'jupyter', 'serve', 'upgrade', '-'],
    long: [
      '--allow-run',
      '--allow-all',
      '--allow-ffi',
      '--preload',
      '--import',
      '--require',
      '--config',
      '--import-map',
    ],
    short: 'Ac',
  },
  pip: {
    long: ['--python', '--editable', '--config-settings', '--global-option', '--target', '--prefix'],
    short: 'eC',
  },
  uv: { words: ['run', 'tool', 'x'], long: ['--python', '--config-file', '--directory'] },
  poetry: { words: ['run', 'shell', 'config', 'self'], long: ['--directory'], short: 'C' },
  pipenv: { words: ['run', 'shell'] },
  conda: { words: ['run', 'config', 'init'] },
  nix: { words: ['run', 'shell', 'develop', 'eval', 'repl'], long: ['--expr', '--command', '--option'] },
  bundle: { words: ['exec', 'config', 'console', 'open', 'plugin'] },
  rails: { words: ['runner', 'r', 'console', 'c', 'dbconsole', 'db', 'new', 'plugin'] },
  gem: { words: ['exec', 'open'], long: ['--config-file'] },
  gh: { words: ['alias', 'extension', 'ext', 'config', 'codespace', 'cs', 'browse'], long: ['--upload-pack'] },
  hg: { long: ['--config', '--ssh', '--remotecmd', '--cwd', '--debugger'], short: 'e' },
  svn: { long: ['--config-option', '--config-dir', '--diff-cmd', '--diff3-cmd', '--editor-cmd'] },
  tcpdump: { long: ['--postrotate-command'], short: 'zw' },
  openssl: { words: ['-engine', '-provider', '-provider-path'] },
  gpg: { long: ['--exec-path', '--photo-viewer', '--options', '--agent-program', '--dirmngr-program'] },
  pandoc: { long: ['--filter', '--lua-filter', '--pdf-engine', '--defaults', '--data-dir'], short: 'FLd' },
  pdflatex: { long: ['--shell-escape', '-shell-escape', '--enable-write18', '-enable-write18'] },
  xelatex: { long: ['--shell-escape', '-shell-escape', '--enable-write18', '-enable-write18'] },
  nmap: { long: ['--script', '--datadir'] },
  split: { long: ['--filter'] },
  patch: { long: ['--ed'], short: 'e' },
  sdiff: { long: ['--diff-program'], short: 'o' },
  diff3: { long: ['--diff-program'] },
  bat: { long: ['--pager'] },
  delta: { long: ['--pager'] },
  'ssh-keygen': { short: 'D' },
  'ssh-add': { short: 's' },
  ip: { words: ['netns', 'vrf'], short: 'b' },
  apt: { long: ['--option', '--config-file'], short: 'oc' },
  'apt-get': { long: ['--option', '--config-file'], short: 'oc' },
  dpkg: { long: ['--pre-invoke', '--post-invoke', '--root', '--admindir'] },
  chromium: {
    starts: [
      '--renderer-cmd-prefix',
      '--utility-cmd-prefix',
      '--gpu-launcher',
      '--browser-subprocess-path',
      '--load-extension',
    ],
  },
  blender: { long: ['--python', '--python-expr', '--python-text', '--python-console', '--addons'], short: 'P' },
  inkscape: { long: ['--shell', '--actions', '--actions-file'] },
  soffice: { starts: ['macro:', 'vnd.sun.star.script:', '-env:'] },
  magick: { words: ['-script'], starts: ['msl:', 'ephemeral:', '@'] },
  date: { long: ['--set'], short: 's' },
};

// The same program under another name.
export const ALIASES: Readonly<Record<string, string>> = {
  gtar: 'tar',
  gcpio: 'cpio',
  gfind: 'find',
  gsort: 'sort',
  gsplit: 'split',
  gdate: 'date',
  gpatch: 'patch',
  cc: 'gcc',
  'c++': 'gcc',
  'g++': 'gcc',
  cpp: 'gcc',
  gfortran: 'gcc',
  gnat: 'gcc',
  gdc: 'gcc',
  clang: 'gcc',
  'clang++': 'gcc',
  'ld.bfd': 'ld',
  'ld.gold': 'ld',
  'ld.lld': 'ld',
  lld: 'ld',
  ranlib: 'ar',
  libreoffice: 'soffice',
  convert: 'magick',
  mogrify: 'magick',
  aptitude: 'apt-get',
  'chromium-browser': 'chromium',
  'google-chrome': 'chromium',
  gradlew: 'gradle',
  glab: 'gh',
  latex: 'pdflatex',
  tex: 'pdflatex',
  etex: 'pdflatex',
  xetex: 'pdflatex',
  pdftex: 'pdflatex',
};
