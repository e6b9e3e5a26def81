// Whether an overlay has copied a file up from the project, asked of the mark that it leaves on the copy.
import { spawnSync } from 'node:child_process';
import type { LauncherHost } from './launcher.ts';
import { callNumber } from './seccomp-table.ts';

/** Perl's syscall takes no literal text. */
const ASK = `my ($number, $file) = @ARGV;
for my $mark ('trusted.overlay.origin', 'user.overlay.origin') {
  my $name = $mark;
  exit 0 if syscall($number + 0, $file, $name, 0, 0) >= 0;
}
exit 1;
`;

/** Give the file as it lies in the upper folder. */
export function isCopiedUp(file: string, { perl, architecture }: LauncherHost): boolean {
  const words = ['-e', ASK, String(callNumber(architecture, 'lgetxattr')), file];
  return spawnSync(perl, words, { cwd: '/', env: { PERL_BADLANG: '0' }, stdio: 'ignore' }).status === 0;
}
