// Programs for documents, pictures and pages: options that load a filter, a macro, a script or an extension.
import type { ProgramFacts } from './fact.ts';

export const MAKES_DOCUMENTS: Readonly<Record<string, ProgramFacts>> = {
  pandoc: {
    long: ['--filter', '--lua-filter', '--pdf-engine', '--pdf-engine-opt', '--defaults', '--data-dir'],
    short: 'FLd',
    // A reader or a writer of its own.
    fileSign: '.lua',
  },
  groff: { short: 'UMFL' },
  troff: { short: 'UMF' },
  asciinema: { words: ['rec', 'record', 'stream', 'session'], long: ['--command'], short: 'c' },
  pdflatex: { long: ['--shell-escape', '-shell-escape', '--enable-write18', '-enable-write18'] },
  xelatex: { long: ['--shell-escape', '-shell-escape', '--enable-write18', '-enable-write18'] },
  chromium: {
    starts: [
      '--renderer-cmd-prefix',
      '--utility-cmd-prefix',
      '--gpu-launcher',
      '--browser-subprocess-path',
      '--load-extension',
    ],
  },
  blender: { long: ['--python', '--python-expr', '--python-text', '--python-console', '--addons'], short: 'P' },
  inkscape: { long: ['--shell', '--actions', '--actions-file'] },
  soffice: { starts: ['macro:', 'vnd.sun.star.script:', '-env:'] },
  magick: { words: ['-script'], starts: ['msl:', 'ephemeral:', '@'] },
};
