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

export function isTool(word: string): boolean {
  return TOOLS.has(word.toLowerCase());
}

/** The name of a program where a word is one: no path of the skill or project, no pattern, nothing computed. */
export function programName(word: string): string | undefined {
  const name = /^\/(?:usr\/(?:local\/)?)?s?bin\//.test(word) ? word.slice(word.lastIndexOf('/') + 1) : word;
  return /^[A-Za-z][\w.+-]{0,63}$/.test(name) && !/\.(?:py|sh|js|mjs|cjs|ts|rb|pl|md|txt|json|ya?ml|exe)$/.test(name)
    ? name
    : undefined;
}
