// Package managers: words that fetch and run a program, and options that change whose settings they obey.
import type { Caution } from './caution.ts';

export const FETCHES_PACKAGES: Readonly<Record<string, Caution>> = {
  npx: { kind: 'runner' },
  pnpx: { kind: 'runner' },
  bunx: { kind: 'runner' },
  uvx: { kind: 'runner' },
  pipx: { kind: 'runner', words: ['run', 'runpip'] },
  npm: {
    words: ['exec', 'x', 'init', 'create', 'innit', 'config', 'c', 'set', 'explore', 'edit', 'pkg', 'get'],
    long: [
      '--script-shell',
      '--node-options',
      '--prefix',
      '--userconfig',
      '--globalconfig',
      '--call',
      '--shell',
      '--git',
    ],
    short: 'cC',
  },
  pnpm: {
    words: ['exec', 'dlx', 'create', 'config', 'init', 'setup'],
    long: ['--script-shell', '--dir', '--shell-mode', '--call'],
    short: 'Cc',
  },
  yarn: {
    words: ['exec', 'dlx', 'create', 'config', 'init', 'node'],
    long: ['--cwd', '--script-shell', '--use-yarnrc'],
  },
  bun: {
    words: ['x', 'exec', 'repl', 'create', 'c', 'init', '-'],
    long: ['--eval', '--print', '--preload', '--require', '--import', '--config', '--define', '--cwd'],
    short: 'eprcd',
  },
  deno: {
    words: ['eval', 'repl', 'task', 'install', 'x', 'jupyter', 'serve', 'upgrade', '-'],
    long: [
      '--allow-run',
      '--allow-all',
      '--allow-ffi',
      '--preload',
      '--import',
      '--require',
      '--config',
      '--import-map',
    ],
    short: 'Ac',
  },
  pip: {
    words: ['install', 'download', 'wheel', 'config'],
    long: ['--python', '--editable', '--config-settings', '--global-option', '--target', '--prefix'],
    short: 'eC',
  },
  uv: { words: ['run', 'tool', 'x'], long: ['--python', '--config-file', '--directory'] },
  poetry: { words: ['run', 'shell', 'config', 'self'], long: ['--directory'], short: 'C' },
  hatch: { words: ['run', 'shell', 'env', 'test', 'python'], long: ['--config'] },
  pipenv: { words: ['run', 'shell'] },
  conda: { words: ['run', 'config', 'init'] },
  nix: { words: ['run', 'shell', 'develop', 'eval', 'repl'], long: ['--expr', '--command', '--option'] },
  bundle: { words: ['exec', 'config', 'console', 'open', 'plugin'] },
  rails: { words: ['runner', 'r', 'console', 'c', 'dbconsole', 'db', 'new', 'plugin'] },
  gem: { words: ['exec', 'open', 'install', 'i', 'update'], long: ['--config-file'] },
  apt: { long: ['--option', '--config-file'], short: 'oc' },
  'apt-get': { long: ['--option', '--config-file'], short: 'oc' },
  dpkg: { long: ['--pre-invoke', '--post-invoke', '--root', '--admindir'] },
};
