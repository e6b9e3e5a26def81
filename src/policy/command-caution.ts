// Which programs run other programs, and through which of their options; prefix rules must not stretch over those.

export interface Caution {
  /** interpreter: runs the file it is given; launcher: runs what its arguments say; runner: fetches what it runs. */
  readonly kind?: 'interpreter' | 'launcher' | 'runner';
  /** Refused, abbreviated too. */
  readonly long?: readonly string[];
  /** Refused letters, also inside a cluster such as `-xzI`. */
  readonly short?: string;
  /** Refused as whole words, wherever they stand. */
  readonly words?: readonly string[];
  /** The first word is a cluster of letters even without a dash. */
  readonly bundled?: boolean;
}

const INTERPRETERS =
  'sh bash dash zsh ksh mksh ash fish csh tcsh rbash python pypy node nodejs perl ruby php lua luajit tclsh wish expect ' +
  'Rscript julia groovy scala kotlin pwsh powershell cmd osascript guile racket elixir escript jshell ts-node tsx jruby java';

// Their arguments are a program, or name one; only a pattern that spells out every word can match.
const LAUNCHERS =
  'env xargs parallel sudo doas su runuser chroot nohup timeout nice ionice chrt taskset time watch setsid stdbuf unbuffer ' +
  'script strace ltrace gdb lldb valgrind perf unshare nsenter flock systemd-run systemctl service at batch crontab busybox ' +
  'toybox command exec eval source builtin trap coproc awk gawk mawk nawk socat nc ncat netcat docker podman nerdctl kubectl ' +
  'vim vi view nvim ex ed emacs nano less more most man info sqlite3 psql mysql mongosh redis-cli bwrap firejail setpriv ' +
  'capsh start-stop-daemon run-parts entr tmux screen ssh-agent dbus-run-session xvfb-run fakeroot proot prlimit choom m4 ' +
  'lualatex luatex R ghci runghc erl irb dc bc octave gnuplot cpan cpanm pkexec gosu ' +
  'su-exec sg runcon cross-env watchexec nodemon hyperfine concurrently rlwrap tini dumb-init direnv mise asdf pyenv rbenv ' +
  'ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 gtimeout gxargs genv pdsh mosh';

const OTHERS: Record<string, Caution> = {
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
      '--remote-name',
      '--upload-file',
    ],
    short: 'KoOT',
  },
  wget: { long: ['--use-askpass', '--execute', '--config', '--input-file', '--post-file', '--body-file'], short: 'ei' },
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
  gcc: { words: ['-wrapper', '-B'], long: ['-specs', '-fplugin', '--specs'] },
  cc: { words: ['-wrapper', '-B'], long: ['-specs', '-fplugin', '--specs'] },
  clang: { words: ['-load', '-B'], long: ['-fplugin', '-fpass-plugin', '--config'] },
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
  date: { long: ['--set'], short: 's' },
};

const CAUTIONS = new Map<string, Caution>([
  ...INTERPRETERS.split(' ').map((name): [string, Caution] => [name.toLowerCase(), { kind: 'interpreter' }]),
  ...LAUNCHERS.split(' ').map((name): [string, Caution] => [name.toLowerCase(), { kind: 'launcher' }]),
  ...Object.entries(OTHERS),
]);

/** The bare name of a program: without folder and `.exe`, in small letters. */
export function programName(word: string): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return base.replace(/\.(exe|cmd|bat|com)$/, '');
}

/** `python3.12` is as dangerous as `python`. */
export function cautionFor(program: string): Caution | undefined {
  return CAUTIONS.get(program) ?? CAUTIONS.get(program.replace(/(?<=[a-z])-?\d+(\.\d+)*$/, ''));
}

/** A shell, an interpreter, or anything else that turns its arguments into a program. */
export function runsOtherPrograms(word: string): boolean {
  return cautionFor(programName(word))?.kind !== undefined;
}
