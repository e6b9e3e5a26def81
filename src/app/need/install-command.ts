// How a missing program is installed: as the author says, else by the package manager of this machine.
import { isRecord } from '../../base/json.ts';
import { findProgram } from '../../process/program.ts';
import type { Manifest } from '../../skill/skill.ts';
import type { Runtime } from '../runtime.ts';

export function installCommand(program: string, manifest: Manifest, runtime: Runtime): string {
  const isHere = (name: string) => findProgram(name, { path: runtime.env.PATH ?? '', project: runtime.project });
  return byAuthor(program, manifest, isHere) ?? byManager(program, isHere);
}

type IsHere = (name: string) => string | undefined;

const PLAIN = /^[@\w][\w@./+:-]{0,100}$/;
/** Kinds of `metadata.openclaw.install`: the program that installs, the words before the package, and where the package is named. */
const INSTALLERS: Readonly<Record<string, { readonly words: string; readonly fields: readonly string[] }>> = {
  brew: { words: 'brew install', fields: ['formula', 'cask', 'package'] },
  node: { words: 'npm install -g', fields: ['package'] },
  npm: { words: 'npm install -g', fields: ['package'] },
  uv: { words: 'uv tool install', fields: ['package'] },
  pip: { words: 'pip install --user', fields: ['package'] },
  go: { words: 'go install', fields: ['module', 'package'] },
  apt: { words: 'apt-get install -y', fields: ['package', 'formula'] },
};

/** Only words that mean nothing else to a shell, and only with an installer that is here. */
function byAuthor(program: string, { metadata = {} }: Manifest, isHere: IsHere): string | undefined {
  const blocks = ['openclaw', 'clawdbot', 'clawdis'].map((key) => metadata[key]).filter(isRecord);
  const steps = blocks.flatMap(({ install }) => (Array.isArray(install) ? install : [])).filter(isRecord);
  for (const step of steps) {
    const installer = typeof step.kind === 'string' ? INSTALLERS[step.kind] : undefined;
    const named = installer?.fields.map((field) => step[field]).find((value) => typeof value === 'string');
    const brings = Array.isArray(step.bins) && step.bins.includes(program);
    if (!installer || !brings || typeof named !== 'string' || !PLAIN.test(named)) continue;
    if (isHere(installer.words.split(' ')[0] ?? '')) return `${installer.words} ${named}`;
  }
  return undefined;
}

/** Where the package has another name than the program. */
const PACKAGES: Readonly<Record<string, string>> = {
  soffice: 'libreoffice',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdfimages: 'poppler-utils',
  magick: 'imagemagick',
  convert: 'imagemagick',
  tesseract: 'tesseract-ocr',
  rg: 'ripgrep',
  fd: 'fd-find',
  dot: 'graphviz',
  gs: 'ghostscript',
  pdflatex: 'texlive-latex-base',
  xelatex: 'texlive-xetex',
  ffprobe: 'ffmpeg',
  psql: 'postgresql-client',
  node: 'nodejs',
  npx: 'npm',
  gpg: 'gnupg',
  Rscript: 'r-base-core',
  pip: 'python3-pip',
  pip3: 'python3-pip',
};
/** Not in the collections of most systems. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  uv: 'pip install --user uv',
  uvx: 'pip install --user uv',
  bun: 'npm install -g bun',
  bunx: 'npm install -g bun',
  deno: 'npm install -g deno',
  tsx: 'npm install -g tsx',
  pnpm: 'npm install -g pnpm',
  yarn: 'npm install -g yarn',
  playwright: 'npm install -g playwright',
  semgrep: 'pip install --user semgrep',
  'yt-dlp': 'pip install --user yt-dlp',
};
const MANAGERS: readonly (readonly [string, string])[] = [
  ['apt-get', 'apt-get install -y'],
  ['dnf', 'dnf install -y'],
  ['apk', 'apk add'],
  ['pacman', 'pacman -S'],
  ['zypper', 'zypper install'],
];

function byManager(program: string, isHere: IsHere): string {
  const elsewhere = ELSEWHERE[program];
  if (elsewhere !== undefined) return elsewhere;
  const found = MANAGERS.find(([name]) => isHere(name));
  const words = found?.[1] ?? 'brew install';
  const isDebian = found?.[0] === 'apt-get';
  return `${words} ${(isDebian ? PACKAGES[program] : undefined) ?? program}`;
}
