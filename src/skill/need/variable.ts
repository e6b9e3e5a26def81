// Names of environment variables: which are of the machine and its interpreters, and which a person would have to give.

/** Set by every machine, shell, interpreter or by the sandbox itself; nobody is asked about them. */
const STANDARD = new Set(
  `HOME PATH PWD OLDPWD TMPDIR TMP TEMP USER LOGNAME USERNAME SHELL SHLVL LANG LANGUAGE TERM TERM_PROGRAM COLORTERM COLUMNS
  LINES TZ DISPLAY WAYLAND_DISPLAY EDITOR VISUAL PAGER HOSTNAME HOST MAIL UID EUID GID PPID RANDOM SECONDS LINENO IFS
  OPTARG OPTIND OPTERR REPLY FUNCNAME PIPESTATUS HOSTTYPE OSTYPE MACHTYPE OS PS1 PS2 PS4 EPOCHSECONDS EPOCHREALTIME
  PROMPT_COMMAND COMP_WORDS COMP_CWORD COMPREPLY DIRSTACK GROUPS HISTFILE HISTSIZE SRANDOM ZSH_VERSION ZSH_NAME
  NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI DEBUG VERBOSE NODE_ENV NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS
  NODE_TLS_REJECT_UNAUTHORIZED NODE_USE_ENV_PROXY VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV SSL_CERT_FILE
  SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY
  APPDATA LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH PROGRAMFILES PROGRAMDATA SYSTEMROOT WINDIR COMSPEC PATHEXT
  SYSTEMDRIVE COMPUTERNAME PROCESSOR_ARCHITECTURE ALLUSERSPROFILE PUBLIC MSYSTEM WSL_DISTRO_NAME WSL_INTEROP
  SSH_AUTH_SOCK SSH_CONNECTION SSH_TTY SSH_CLIENT DBUS_SESSION_BUS_ADDRESS JAVA_HOME GOPATH GOROOT CARGO_HOME
  CLAUDE_PLUGIN_ROOT CLAUDE_PROJECT_DIR CLAUDE_SKILL_DIR SKILL_DIR SKILL_ROOT SKILL_PATH
  SKILL_OUTPUT_DIR SKILL_DEBUG`.split(/\s+/),
);
const STANDARD_PREFIX =
  /^(?:LC_|XDG_|PYTHON|BASH_|BASH$|ZSH_|npm_|NPM_CONFIG_|PIP_|UV_|PROGRAMFILES|SKILLWRIGHT_|DYLD_|LD_)/i;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{1,127}$/;

/** Whether it is a name that a person would have to give a value for. */
export function isOwnVariable(name: string): boolean {
  return NAME.test(name) && !STANDARD.has(name.toUpperCase()) && !STANDARD_PREFIX.test(name) && /[A-Z]/.test(name);
}

const SHOUTED = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const SECRET_END =
  /(?:_API_KEY|_APIKEY|_TOKEN|_SECRET|_SECRET_KEY|_ACCESS_KEY|_ACCESS_KEY_ID|_PASSWORD|_API_TOKEN|_AUTH_TOKEN|_CLIENT_ID|_CLIENT_SECRET|_PAT|_DSN|_CREDENTIALS|_WEBHOOK_URL)$/;

/** Names in prose that can hardly be anything else. */
export function variablesInText(text: string): string[] {
  const names = [...text.matchAll(SHOUTED)].map(([name]) => name);
  return [...new Set(names.filter((name) => SECRET_END.test(name) && isOwnVariable(name)))];
}

/** Names in the form of constants, for text that says by itself that it speaks of variables. */
export function shoutedNames(text: string): string[] {
  return [...new Set([...text.matchAll(SHOUTED)].map(([name]) => name).filter(isOwnVariable))];
}
