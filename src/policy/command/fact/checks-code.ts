// Test runners and linters: options that load a plugin, a hook, or a configuration that is code.
import type { ProgramFacts } from './fact.ts';

export const CHECKS_CODE: Readonly<Record<string, ProgramFacts>> = {
  pytest: {
    long: ['--config-file', '--override-ini', '--rootdir', '--confcutdir', '--pyargs', '--pdbcls'],
    short: 'pco',
  },
  coverage: { words: ['run'], long: ['--rcfile'] },
  pylint: { long: ['--init-hook', '--load-plugins', '--rcfile'] },
  flake8: { long: ['--config', '--append-config'] },
  mypy: { long: ['--config-file', '--python-executable', '--install-types'] },
  eslint: {
    long: ['--rulesdir', '--config', '--plugin', '--parser', '--format', '--resolve-plugins-relative-to'],
    short: 'cf',
  },
  prettier: { long: ['--plugin', '--plugin-search-dir', '--config'] },
  mocha: {
    long: ['--require', '--import', '--loader', '--config', '--package', '--opts', '--file', '--reporter', '--ui'],
    short: 'rRun',
    starts: ['--node-option', '--experimental-loader'],
  },
  // Any setting of its configuration is an option, in either spelling.
  jest: {
    starts: [
      '--config',
      '--env',
      '--filter',
      '--global',
      '--module',
      '--preset',
      '--project',
      '--reporters',
      '--resolver',
      '--root',
      '--runner',
      '--setup',
      '--snapshotS',
      '--snapshot-s',
      '--testE',
      '--test-e',
      '--testR',
      '--test-r',
      '--testS',
      '--test-s',
      '--transform',
      '--watchPlugins',
      '--watch-plugins',
    ],
    short: 'c',
  },
  cppcheck: { long: ['--addon', '--addon-python', '--clang', '--project', '--exe'], starts: ['--clang'] },
  'clang-tidy': {
    starts: ['-load', '--load', '-config', '--config', '-extra-arg', '--extra-arg', '-vfsoverlay', '--vfsoverlay'],
  },
};
