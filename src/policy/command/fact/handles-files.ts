// Programs for files, archives and text: options that run a program, write a file, load a configuration or change the system.
import type { ProgramFacts } from './fact.ts';

export const HANDLES_FILES: Readonly<Record<string, ProgramFacts>> = {
  // Judged by its script.
  sed: {},
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
  install: { long: ['--strip-program'] },
  sort: { long: ['--compress-program', '--output'], short: 'oT' },
  split: { long: ['--filter'] },
  rg: { long: ['--pre', '--hostname-bin'] },
  ack: { long: ['--pager', '--ackrc'] },
  ag: { long: ['--pager'] },
  patch: { long: ['--ed'], short: 'e' },
  sdiff: { long: ['--diff-program'], short: 'o' },
  diff3: { long: ['--diff-program'] },
  bat: { long: ['--pager'] },
  delta: { long: ['--pager'] },
  date: { long: ['--set'], short: 's' },
};
