// The environment of a process: built from an allow-list, never inherited; some names are always refused.
import path from 'node:path';

export interface EnvironmentOptions {
  /** The source of the few allowed values. */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** The private folder of this call; it is the process's home unless there is another. */
  readonly work: string;
  /** A home that outlasts the call. */
  readonly home?: string | undefined;
  readonly debug?: boolean;
  /** Values the skill declared and the user gave. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Folders of resolved interpreters, after the system's own. */
  readonly programs?: readonly string[];
  /** The user's own certificate file, for callers that asked for it. */
  readonly certificates?: string;
}

export interface BuiltEnvironment {
  readonly env: Record<string, string>;
  /** Declared names that may not be set. */
  readonly refused: string[];
}

export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const ALLOWED = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;

// Variables that make loaders, interpreters and tools run code or open files.
const DENIED = new RegExp(
  `^(?:${[
    '(?:LD|DYLD|GIT|GEM|BUNDLE|DENO|BUN|NPM_CONFIG|MALLOC|DBUS|XDG|COMPLUS|CORECLR|DOTNET)_.*',
    '(?:PYTHON|BASH|PERL|RUBY).*|NODE_(?!ENV$).*',
    'SKILLWRIGHT_.*|SKILL_DEBUG|PATH|HOME|TMPDIR|TMP|TEMP|PWD|OLDPWD|SHELL|LANG|LANGUAGE|LC_.*|TZ|TZDIR',
    'ENV|IFS|PS[0-4]|SHELLOPTS|CDPATH|GLOBIGNORE|PROMPT_COMMAND|ZDOTDIR|FPATH|PSMODULEPATH',
    'GCONV_PATH|LOCPATH|NLSPATH|GETCONF_DIR|GLIBC_TUNABLES|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|RESOLV_.*',
    'TERMINFO|TERMINFO_DIRS|TERMCAP|LESS(?:OPEN|CLOSE|KEY.*)?|.*PAGER|EDITOR|VISUAL|BROWSER',
    'OPENSSL_(?:CONF|ENGINES|MODULES).*|SSLKEYLOGFILE|SSH_(?:ASKPASS|AUTH_SOCK).*|GPG_AGENT_INFO',
    '(?:JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS|CLASSPATH|LUA_(?:INIT|PATH|CPATH).*|PHPRC|PHP_INI_SCAN_DIR|R_(?:PROFILE|ENVIRON).*',
  ].join('|')})$`,
  'i',
);

export function buildEnvironment(options: EnvironmentOptions): BuiltEnvironment {
  const env = { ...ownValues(options), ...allowedValues(options) };
  return { env, refused: addSecrets(env, options) };
}

/** True for a name that no skill, secret or setting may set. */
export function isDenied(name: string): boolean {
  return !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || DENIED.test(name);
}

function ownValues({
  work,
  home = work,
  host,
  debug,
  programs = [],
  certificates,
}: EnvironmentOptions): Record<string, string> {
  return {
    // What a script starts by the name of its own interpreter is that one, with its packages.
    PATH: [...programs.filter((folder) => path.isAbsolute(folder) && !folder.includes(':')), SYSTEM_PATH].join(':'),
    HOME: home,
    TMPDIR: work,
    LANG: 'C.UTF-8',
    // For a Python that a script starts itself; the one started here gets flags and no environment.
    PYTHONNOUSERSITE: '1',
    PYTHONPYCACHEPREFIX: path.join(work, '.pycache'),
    ...((debug ?? host.SKILL_DEBUG === '1') && { SKILL_DEBUG: '1' }),
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
  };
}

// The C library reads locale and time zone as file names: plain names pass, paths do not.
function allowedValues({ host }: EnvironmentOptions): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && ALLOWED.test(name) && /^(?!.*\.\.)[\w+-][\w.@:,+/-]*$/.test(value)) values[name] = value;
  }
  return values;
}

function addSecrets(env: Record<string, string>, { secrets = {} }: EnvironmentOptions): string[] {
  const refused: string[] = [];
  for (const [name, value] of Object.entries(secrets)) {
    if (isDenied(name) || value.includes('\0')) refused.push(name);
    else env[name] = value;
  }
  return refused;
}
