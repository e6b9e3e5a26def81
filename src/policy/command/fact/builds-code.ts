// Compilers and build tools: options that put another tool, a plugin or a file of commands in their place.
import type { ProgramFacts } from './fact.ts';

/** What any of the compilers obeys: another tool in its place, a library loaded into it, a file of more options. */
const COMPILER: ProgramFacts = {
  words: ['-load', '-Xclang', '-cc1'],
  long: ['--config', '--gcc-toolchain', '--sysroot'],
  starts: [
    '-B',
    '@',
    '-wrapper',
    '-specs',
    '--specs',
    '-fplugin',
    '-fpass-plugin',
    '-iplugindir',
    '-fuse-ld',
    '--ld-path',
    '-ccc-',
    '-Wl,',
    '-Wa,',
    '-Wp,',
    '-Xlinker',
    '-Xassembler',
  ],
};

export const BUILDS_CODE: Readonly<Record<string, ProgramFacts>> = {
  make: {
    long: ['--eval', '--file', '--makefile', '--directory', '--environment-overrides', '--include-dir'],
    short: 'fCEI',
  },
  gmake: { long: ['--eval', '--file', '--makefile', '--directory', '--include-dir'], short: 'fCEI' },
  cmake: { words: ['-P', '-E', '--build'], long: ['--build', '--toolchain'], starts: ['-C'] },
  ctest: {
    long: ['--script', '--script-new-process', '--dashboard', '--build-and-test', '--test-command', '--test-dir'],
    short: 'SDTM',
  },
  gcc: COMPILER,
  tcc: { ...COMPILER, starts: ['-run', '-B', '@'] },
  rustc: { long: ['--codegen', '--sysroot'], starts: ['-C', '-Z', '@'] },
  ld: { long: ['-plugin', '--plugin', '-dynamic-linker', '--dynamic-linker'], starts: ['@'] },
  ar: { long: ['--plugin'], starts: ['@'] },
  nm: { long: ['--plugin'], starts: ['@'] },
  javac: {
    long: ['-processor', '-processorpath', '--processor-path', '-Xplugin', '--processor-module-path'],
    starts: ['-J', '@'],
  },
  gradle: { long: ['--init-script', '--build-file', '--settings-file', '--project-dir'], short: 'Ibcp' },
  ninja: { short: 'fC' },
  bazel: {
    words: ['run'],
    starts: ['--run_under', '--bazelrc', '--shell_executable', '--override_repository', '--workspace_status_command'],
  },
  go: {
    words: ['run', 'generate', 'tool', 'env', '-exec', '-toolexec'],
    long: ['-exec', '-toolexec', '-vettool', '-overlay'],
    // Of a linker of its own, inside its flags.
    fileSign: '-extld',
  },
  cargo: { words: ['run', 'r', 'install', 'xtask', '-Z'], long: ['--config'], starts: ['-C'] },
  rustup: { carries: ['run'], words: ['run', 'toolchain', 'default', 'override'] },
  nim: { words: ['e', 'r'], short: 'r' },
};
