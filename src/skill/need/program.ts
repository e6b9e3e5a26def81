// Programs by name: what every system has, what interpreters there are, and what words in prose can only mean a program.

/** Builtins of the shell, and what a small Linux system has; nobody has to install them. */
const BASE = new Set(
  `alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit
  export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray
  readonly return select set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset
  until wait while : . [ [[ if then else elif fi for do done case esac function in time coproc !
  arch b2sum base32 base64 basename basenc cat chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dircolors
  dirname du env expand expr factor fmt fold groups head hostid hostname id install join link ln logname ls md5sum mkdir
  mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv ptx readlink realpath rm rmdir
  runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac
  tail tee timeout touch tr truncate tsort tty uname unexpand uniq unlink uptime users vdir wc who whoami yes
  awk gawk mawk sed grep egrep fgrep find xargs tar gzip gunzip zcat bzip2 xz diff cmp patch which whereis ps pgrep pkill
  killall top free mount umount su sudo sh bash dash clear tput reset more less ed getconf locale iconv getopt logger
  flock setsid renice lsof ss ip ping column rev script watch open start cmd powershell osascript xdg-open pbcopy pbpaste
  shasum md5 sw_vers defaults say wslpath cygpath`.split(/\s+/),
);

export function isBaseProgram(name: string): boolean {
  return BASE.has(name);
}

/** Programs that words in prose name and can hardly mean anything else. */
const TOOLS = new Set(
  `python python3 node nodejs npm npx pnpm yarn bun bunx deno uv uvx pip pip3 pipx git gh glab docker podman kubectl helm
  terraform aws gcloud az ffmpeg ffprobe imagemagick magick pandoc libreoffice soffice pdftotext pdftoppm qpdf poppler
  tesseract ghostscript yt-dlp curl wget jq yq ripgrep rg sqlite3 psql redis-cli ruby perl php java mvn gradle go cargo
  rustc dotnet swift xcodebuild chromium playwright semgrep codeql wrangler vercel netlify flyctl heroku supabase stripe
  openssl gpg ssh rsync make cmake gcc clang brew latexmk pdflatex xelatex typst graphviz mermaid-cli mmdc sox whisper
  himalaya op tmux`.split(/\s+/),
);

/** What prose calls a program, where a shell calls it otherwise. */
const CALLED: Readonly<Record<string, string>> = {
  python: 'python3',
  'node.js': 'node',
  nodejs: 'node',
  imagemagick: 'convert',
  poppler: 'pdftotext',
  'poppler-utils': 'pdftotext',
  libreoffice: 'soffice',
  graphviz: 'dot',
  ghostscript: 'gs',
  ripgrep: 'rg',
  'mermaid-cli': 'mmdc',
  homebrew: 'brew',
};
/** Tools that go by the name of a service. */
const CLI_OF: Readonly<Record<string, string>> = { github: 'gh', gitlab: 'glab', azure: 'az', '1password': 'op' };
/** With a capital also a service, a package or a plain word. */
const ALSO_OTHERWISE = /^(?:go|make|swift|op|az|uv|aws|sox|whisper|playwright|vercel|netlify|supabase|stripe)$/;

/** A program in prose, with the word that names it. */
export interface SaidProgram {
  readonly name: string;
  readonly said: string;
}

/** Programs by the names that people write: `Python 3.9+`, `Node.js`, `git`, `Stripe CLI`. */
export function programsInProse(text: string): SaidProgram[] {
  return [...text.matchAll(/[A-Za-z0-9][\w.+-]*/g)].flatMap(([word], at, all) => {
    const said = word.replace(/[.+]+$/, '');
    const behind = text.slice((all[at]?.index ?? 0) + word.length);
    const name = programCalled(said, behind);
    return name === undefined ? [] : [{ name, said }];
  });
}

function programCalled(said: string, behind: string): string | undefined {
  const small = said.toLowerCase();
  const isCli = /^\s+CLI\b/i.test(behind);
  if (isCli && CLI_OF[small] !== undefined) return CLI_OF[small];
  if (/^python3?(?:\.\d+)*$/.test(small)) return 'python3';
  if (said !== small && ALSO_OTHERWISE.test(small) && !isCli && !/^\s+v?\d/.test(behind)) return undefined;
  return CALLED[small] ?? (TOOLS.has(small) ? small : undefined);
}

/** The name of a program where a word is one: no path of the skill or project, no pattern, nothing computed. */
export function programName(word: string): string | undefined {
  const name = /^\/(?:usr\/(?:local\/)?)?s?bin\//.test(word) ? word.slice(word.lastIndexOf('/') + 1) : word;
  return /^[A-Za-z][\w.+-]{0,63}$/.test(name) && !/\.(?:py|sh|js|mjs|cjs|ts|rb|pl|md|txt|json|ya?ml|exe)$/.test(name)
    ? name
    : undefined;
}
