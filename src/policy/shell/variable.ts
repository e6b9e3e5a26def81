// Which variables a script may set: those that neither the shell nor another program obeys.

/** Obeyed by the shell itself, or by programs of a family; set in a script they change what later commands do. */
const OBEYED =
  /^(?:PATH|IFS|ENV|HOME|PWD|OLDPWD|SHELL|USER|LOGNAME|CDPATH|GLOBIGNORE|GLOBSORT|FIGNORE|EXECIGNORE|FUNCNEST|OPTIND|OPTARG|OPTERR|TIMEFORMAT|TMOUT|TMPDIR|TEMP|TMP|MAIL\w*|PROMPT_\w+|PS\d|POSIXLY_CORRECT|SHELLOPTS|BASH\w*|HIST\w*|COMP_?\w*|READLINE\w*|INPUTRC|INSIDE_EMACS|histchars|auto_resume|EUID|UID|PPID|GROUPS|DIRSTACK|FUNCNAME|PIPESTATUS|RANDOM|SRANDOM|SECONDS|EPOCH\w*|LINENO|REPLY|MAPFILE|COPROC|_)$/;
const FAMILY =
  /^(?:LD_|DYLD_|GCONV_|GLIBC_|MALLOC_|GIT_|SSH_|PYTHON|PY_|PIP_|UV_|CONDA|VIRTUAL_ENV|NODE_|NPM_|YARN_|BUN_|DENO_|PERL|RUBY|GEM_|BUNDLE_|JAVA|JDK_|_JAVA|MAVEN_|GRADLE_|LUA_|PHP|TCL|GO(?!$)|GO[A-Z]|CARGO|RUST|CC$|CXX$|CPP$|LD$|AR$|AS$|CFLAGS|CXXFLAGS|LDFLAGS|MAKE|CMAKE_|DOCKER_|KUBE|AWS_|AZURE_|GOOGLE_|GH_|XDG_|DBUS_|DISPLAY|WAYLAND_|LESS|MAN|TERMINFO|TERMCAP|SKILL|CURL_|WGET|SSL_|OPENSSL_|RSYNC_|TAR_|GREP_|ZIP|UNZIP|GZIP|XZ_|BZIP|SUDO_|LS_|LOCPATH|NLSPATH|TEXTDOMAIN|R_|JULIA_|ELECTRON_|PLAYWRIGHT_|PUPPETEER_|CHROME_)/i;
const ROLE =
  /(?:EDITOR|VISUAL|PAGER|BROWSER|ASKPASS|_PROXY|_OPTIONS|_OPTS|_ARGS|_COMMAND|_CMD|_PATH|_HOME|_RC|_CONFIG)$/i;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A variable of the script's own: no program is started with it. */
export function isOwnVariable(name: string): boolean {
  return NAME.test(name) && !OBEYED.test(name) && !FAMILY.test(name) && !ROLE.test(name);
}

/** Programs get these; each is known to change no more than how they print. */
const HARMLESS = new Set(
  (
    'LANG LANGUAGE TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM CI SOURCE_DATE_EPOCH ' +
    'PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYTHONDONTWRITEBYTECODE PYTHONHASHSEED NODE_ENV DEBIAN_FRONTEND'
  ).split(' '),
);

/** May be set for other programs. */
export function isHarmlessExport(name: string): boolean {
  // Programs obey names in capitals.
  return HARMLESS.has(name) || /^LC_[A-Z]+$/.test(name) || (/^[a-z][a-z0-9_]*$/.test(name) && isOwnVariable(name));
}
