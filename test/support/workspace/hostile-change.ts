// Hostile change sets: what a script leaves in its layer so that a careless yes would hurt whoever owns the project.

export interface HostileChange {
  readonly name: string;
  /** Python, run in a folder of its own below the project. */
  readonly code: string;
  /** Below that folder: what must not be there after `--yes`. */
  readonly held: readonly string[];
  /** Why it waits, or is never applied. */
  readonly why: RegExp;
  /** Files that are there before, below that folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Not even a careless program could apply it. */
  readonly impossible?: true;
  /** At S1 no local socket can be made. */
  readonly needsSockets?: true;
}

const put = (...names: readonly string[]) => names.map((name) => `put(${JSON.stringify(name)})`).join('\n');
const link = (at: string, target: string) => `link(${JSON.stringify(at)}, ${JSON.stringify(target)})`;

/** What the code may use. */
export const PRELUDE = `import os, socket, stat
def put(name, text='x'):
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    open(name, 'w').write(text)
def link(at, target):
    os.makedirs(os.path.dirname(at) or '.', exist_ok=True)
    os.symlink(target, at)
`;

/** A file by each of these names. */
const NAMED: readonly (readonly [name: string, file: string, why: RegExp])[] = [
  ['git in capitals', '.GIT/hooks/pre-commit', /git/],
  ['git with a blank behind it', '.git /config', /git/],
  ['git with a dot behind it', '.git./config', /git/],
  ['git in full-width letters', '.ｇｉｔ/config', /git/],
  ['git as Windows shortens it', 'deep/GIT~1/config', /git/],
  ['git as a file that leads elsewhere', 'sub/.git', /git/],
  ['a module of git', 'x/y/.gitmodules', /git/],
  ['attributes of git', '.gitattributes', /git/],
  ['instructions in capitals', 'AGENTS.MD', /agents/],
  ['instructions deep below', 'a/b/c/d/Claude.md', /agents/],
  ['instructions in full-width letters', 'ＣＬＡＵＤＥ.md', /agents/],
  ['a skill', 'new/SKILL.md', /agents/],
  ['commands of an agent', 'pkg/.Claude/commands/x.md', /agents/],
  ['rules of an agent', 'deep/a/b/.cursor/rules/r.mdc', /agents/],
  ['servers of an agent', 'app/.mcp.json', /agents/],
  ['settings of Skillwright', 'inner/.agent/config.json', /Skillwright/],
  ['tasks of an editor', 'sub/.VSCode/tasks.json', /editors/],
  ['a workspace of an editor', 'x.CODE-WORKSPACE', /editors/],
  ['a workflow', '.github/workflows/x.yml', /CI/],
  ['a pipeline', 'ci/Jenkinsfile', /CI/],
  ['a hook', 'x/.Husky/_/h', /hooks/],
  ['a shell that enters the folder', 'docs/.envrc', /shell/],
  ['a shell that starts', '.bashrc', /shell/],
  ['a container', 'box/.devcontainer.json', /containers/],
  ['a registry of packages', 'web/.npmrc', /package|secret/],
  ['a debugger', 'src/.gdbinit', /interpreters/],
  ['a secret', 'conf/.env', /secret/],
  ['a secret in capitals', 'conf/.ENV.Production', /secret/],
  ['a key', 'keys/id_ed25519', /secret/],
];

const byName = NAMED.map(([name, file, why]) => ({ name, code: put(file), held: [file], why }));

const REPOSITORIES: readonly HostileChange[] = [
  {
    name: 'a repository by its shape',
    code: put('r/HEAD', 'r/objects/k', 'r/refs/heads/k', 'r/config'),
    held: ['r/config'],
    why: /repository/,
  },
  {
    name: 'a repository by its shape in other letters',
    code: put('r/head', 'r/OBJECTS/k', 'r/Refs/heads/k', 'r/config'),
    held: ['r/config'],
    why: /repository/,
  },
  {
    name: 'a repository whose parts are links',
    code: `${put('o/k', 'f/heads/k', 'r/HEAD', 'r/config')}\n${link('r/objects', '../o')}\n${link('r/refs', '../f')}`,
    held: ['r/config', 'r/objects', 'r/refs'],
    why: /repository/,
  },
  {
    name: 'a repository that the project had half of',
    files: { 'r/HEAD': 'ref: refs/heads/m\n', 'r/objects/k': '' },
    code: put('r/refs/heads/k', 'r/config'),
    held: ['r/refs/heads/k', 'r/config'],
    why: /repository/,
  },
  {
    name: 'a repository with its objects elsewhere',
    code: put('x/HEAD', 'x/commondir', 'y/objects/k'),
    held: ['x/HEAD', 'x/commondir'],
    why: /git/,
  },
];

const LINKS: readonly HostileChange[] = [
  ['a link to the accounts', 'l', '/etc/passwd', /leads out/],
  ['a link to what a process knows', 'l', '/proc/self/environ', /leads out/],
  ['a link above the project', 'l', '../../../outside', /leads out/],
  ['a link that goes down and up', 'sub/l', 'd/../../../../outside', /leads out/],
  ['a link as Windows reads it', 'l', '..\\..\\..\\outside', /leads out/],
  ['a link to another drive', 'l', 'C:/outside', /leads out/],
  ['a link to a secret', 'public/config.txt', '../conf/.env', /secret/],
  ['a link to settings of git', 'public/x', '../.git/config', /git/],
  ['instructions as a link', 'CLAUDE.md', 'notes.md', /agents/],
  ['a folder of workflows as a link', '.github', 'docs', /CI/],
  ['hooks as a link', '.husky', 'tools', /hooks/],
].map(([name, at, target, why]) => ({
  name: String(name),
  code: link(String(at), String(target)),
  held: [String(at)],
  why: why as RegExp,
}));

const IN_PLACE: readonly HostileChange[] = [
  {
    name: 'a plain file becomes a link that leads out',
    files: { 'a.txt': 'own' },
    code: `os.remove('a.txt')\n${link('a.txt', '/etc/passwd')}`,
    held: [],
    why: /leads out/,
  },
  {
    name: 'workflows become a file',
    files: { '.github/workflows/x.yml': 'own' },
    code: "import shutil; shutil.rmtree('.github'); put('.github')",
    held: [],
    why: /CI/,
  },
  {
    name: 'instructions are deleted',
    files: { 'AGENTS.md': 'own' },
    code: "os.remove('AGENTS.md')",
    held: [],
    why: /agents/,
  },
  {
    name: 'instructions get another name, and a file theirs',
    files: { 'AGENTS.md': 'own' },
    code: "os.rename('AGENTS.md', 'was.md'); put('n.md'); os.rename('n.md', 'AGENTS.md')",
    held: [],
    why: /agents/,
  },
  {
    name: 'a secret is deleted',
    files: { '.env': 'TOKEN=own' },
    code: "os.remove('.env')",
    held: [],
    why: /secret/,
  },
  {
    name: 'a secret is exchanged',
    files: { '.env': 'TOKEN=own' },
    code: "put('n', 'TOKEN=evil'); os.rename('n', '.env')",
    held: [],
    why: /secret/,
  },
  {
    name: 'the mode of a hook is changed',
    files: { '.husky/pre-commit': 'own' },
    code: "os.remove('.husky/pre-commit'); put('.husky/pre-commit', 'evil')",
    held: [],
    why: /hooks/,
  },
];

const TWINS: readonly HostileChange[] = [
  ['another case', 'README.md', 'readme.md'],
  ['another form of an accent', 'caf\u00e9.txt', 'cafe\u0301.txt'],
  ['full-width letters', 'run.txt', 'ｒｕｎ.txt'],
  ['a dot behind it', 'Makefile', 'Makefile.'],
  ['a ligature', 'office.txt', 'o\ufb03ce.txt'],
].map(([name = '', own = '', twin = '']) => ({
  name: `a twin in ${name}`,
  files: { [own]: 'own' },
  code: put(twin),
  held: [twin],
  why: /do not tell it from/,
}));

const MORE_TWINS: readonly HostileChange[] = [
  { name: 'two twins at once', code: put('A.txt', 'a.txt'), held: ['A.txt', 'a.txt'], why: /do not tell it from/ },
  {
    name: 'a folder that is a twin',
    files: { 'docs/a.md': 'own' },
    code: put('Docs/evil.md'),
    held: ['Docs'],
    why: /do not tell it from/,
  },
];

const ODD: readonly HostileChange[] = [
  { name: 'a pipe', code: "os.mkfifo('p')", held: ['p'], why: /no plain file/, impossible: true },
  {
    name: 'a local socket',
    code: "s = socket.socket(socket.AF_UNIX); s.bind('s')",
    held: ['s'],
    why: /no plain file/,
    impossible: true,
    needsSockets: true,
  },
  { name: 'a line break in a name', code: "put('a\\nb')", held: ['a\nb'], why: /nobody can read/ },
  { name: 'an escape in a name', code: "put('a\\x1b[2Jb')", held: ['a\u001b[2Jb'], why: /nobody can read/ },
  { name: 'a name that is read backwards', code: "put('a\\u202egnp.sh')", held: ['a\u202egnp.sh'], why: /nobody can/ },
  {
    name: 'git with a character of no width',
    code: "put('.g\\u200bit/config')",
    held: ['.g\u200bit'],
    why: /nobody can/,
  },
  { name: 'a name with a tag', code: "put('x\\U000e0041')", held: ['x\u{e0041}'], why: /nobody can read/ },
  { name: 'a backslash in a name', code: "put('..\\\\..\\\\x')", held: ['..\\..\\x'], why: /nobody can read/ },
  {
    name: 'a name that is no text',
    code: "open(b'bad\\xff\\xfe', 'w').write('x')",
    held: ['bad'],
    why: /no plain file/,
    impossible: true,
  },
  {
    name: 'folders without end',
    code: "os.makedirs('/'.join(['d'] * 60)); put('/'.join(['d'] * 60) + '/x')",
    held: [Array.from({ length: 60 }, () => 'd').join('/')],
    why: /too deep/,
    impossible: true,
  },
];

export const HOSTILE: readonly HostileChange[] = [
  ...byName,
  ...REPOSITORIES,
  ...LINKS,
  ...IN_PLACE,
  ...TWINS,
  ...MORE_TWINS,
  ...ODD,
];
