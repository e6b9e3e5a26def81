// Git runs other programs through many options, settings and subcommands; only what is known to be plain passes.
import { isAbbreviation } from './abbreviation.ts';

const PLAIN_GLOBAL = new Set(['--no-pager', '-P', '--version', '--no-optional-locks', '--literal-pathspecs']);

const PLAIN_COMMANDS = new Set(
  (
    'add annotate apply archive blame branch cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit ' +
    'count-objects describe diff diff-index diff-tree fetch for-each-ref format-patch fsck grep init log ls-files ls-remote ' +
    'ls-tree merge merge-base mv name-rev notes pull push range-diff rebase reflog remote reset restore rev-list rev-parse ' +
    'revert rm shortlog show show-branch show-ref sparse-checkout stash status switch tag verify-commit verify-tag version worktree'
  ).split(' '),
);

const REFUSED_LONG = [
  '--exec',
  '--exec-path',
  '--config',
  '--config-env',
  '--upload-pack',
  '--receive-pack',
  '--open-files-in-pager',
  '--ext-diff',
  '--textconv',
  '--extcmd',
  '--template',
  '--output',
  '--output-directory',
  '--separate-git-dir',
  '--git-dir',
  '--work-tree',
  '--strategy',
  '--gpg-sign',
  '--interactive',
  '--remote',
];

// Letters that mean a program or a setting, but only to these subcommands.
const REFUSED_SHORT: Record<string, string> = {
  clone: 'cu',
  grep: 'O',
  rebase: 'xis',
  merge: 's',
  pull: 's',
  archive: 'o',
  'format-patch': 'o',
  'ls-remote': 'u',
};

/** Why a prefix rule does not cover this git command. */
export function refuseGit(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word, index) => index > 0 && !PLAIN_GLOBAL.has(word));
  const command = argv[at];
  if (at === -1 || command === undefined) return undefined;
  if (!PLAIN_COMMANDS.has(command)) return `git ${command} can run another program`;
  for (const word of argv.slice(at + 1)) {
    if (isRefused(command, word)) return `git ${command} ${word} can run another program`;
  }
  return undefined;
}

function isRefused(command: string, word: string): boolean {
  if (/^(ext|fd)::/i.test(word) || /^(ssh|git\+ssh):\/\/-/i.test(word)) return true;
  if (word.startsWith('--')) {
    const name = word.split('=', 1)[0] ?? word;
    if (name.length === 2) return false;
    // --text is an everyday option that happens to begin --textconv.
    return name !== '--text' && REFUSED_LONG.some((option) => isAbbreviation(name, option));
  }
  const letters = Object.hasOwn(REFUSED_SHORT, command) ? (REFUSED_SHORT[command] ?? '') : '';
  return /^-[^-]/.test(word) && [...letters].some((letter) => word.includes(letter));
}
