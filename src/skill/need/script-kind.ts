// What a file of a skill is to the reader of needs: code of a language, instructions, a list of variables, or nothing to read.

/** `reference`: instructions beside SKILL.md; `packages`: a list of packages, or a lock of some. */
export type ScriptKind =
  | 'python'
  | 'javascript'
  | 'shell'
  | 'other'
  | 'instructions'
  | 'variables'
  | 'reference'
  | 'packages';

const KINDS: readonly (readonly [RegExp, ScriptKind])[] = [
  [/\.pyw?$/, 'python'],
  [/\.(?:[cm]?[jt]sx?)$/, 'javascript'],
  [/\.(?:sh|bash|zsh|ksh|command)$/, 'shell'],
  [/\.(?:md|mdx|markdown)$/, 'reference'],
  [/\.(?:rb|pl|pm|php|go|rs|r|R|ps1|lua|java|kt|swift|cs|jl|ex|exs)$/, 'other'],
];
/** Tests, types, and what was made from other files. */
const NOT_RUN =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|fixtures?|testdata|examples?|node_modules|vendor|third_party|__pycache__|\.git|\.venv|venv|dist)\/|(?:^|\/)(?:test_[^/]*|conftest|[^/]*_test)\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$|\.d\.[cm]?ts$|\.min\.[cm]?js$|(?:^|[/.-])(?:eslint|prettier|vite|vitest|jest|webpack|rollup|tailwind|postcss|tsup)\.config\./;
const SAMPLE = /(?:^|\/)\.?env(?:\.[\w-]+)*\.(?:example|sample|template|dist)$|(?:^|\/)(?:example|sample)\.env$/;

const PACKAGES =
  /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|constraints[\w.-]*\.txt|requirements\/[\w./-]+\.(?:txt|in)|pyproject\.toml|package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|[^/]+\.py\.lock)$/;

/** `head` is the beginning of the file, for those without a suffix. */
export function scriptKind(path: string, head: () => string): ScriptKind | undefined {
  if (path === 'SKILL.md') return 'instructions';
  if (SAMPLE.test(path)) return 'variables';
  if (NOT_RUN.test(path)) return undefined;
  if (PACKAGES.test(path)) return 'packages';
  const known = KINDS.find(([shape]) => shape.test(path));
  if (known) return known[1];
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? undefined : kindOfShebang(head());
}

function kindOfShebang(head: string): ScriptKind | undefined {
  const program = interpreterOf(head);
  if (program === undefined) return undefined;
  if (/^(?:python[\d.]*|uv)$/.test(program)) return 'python';
  if (/^(?:node|bun|deno|tsx|ts-node)$/.test(program)) return 'javascript';
  return /^(?:ba|z|k|da)?sh$/.test(program) ? 'shell' : 'other';
}

const RUNS: Readonly<Partial<Record<ScriptKind, string>>> = { python: 'python3', javascript: 'node', shell: 'bash' };
const BY_SUFFIX: Readonly<Record<string, string>> = {
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
  r: 'Rscript',
  ps1: 'pwsh',
  lua: 'lua',
};

/** The program that runs it, unless it is a module of another script. */
export function runnerOf(path: string, kind: ScriptKind, text: string): string | undefined {
  const named = interpreterOf(text.slice(0, 200));
  if (named !== undefined) return /^python/.test(named) ? 'python3' : named;
  return RUNS[kind] ?? BY_SUFFIX[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}

/** The program of the first line: `#!/usr/bin/env -S uv run --script` is uv. */
function interpreterOf(head: string): string | undefined {
  const [, line] = /^#!\s*([^\r\n]{1,200})/.exec(head) ?? [];
  const words = line?.split(/\s+/).filter((word) => !/^-|=/.test(word)) ?? [];
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  return names[0] === 'env' ? names[1] : names[0];
}
