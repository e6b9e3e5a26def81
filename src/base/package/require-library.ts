// The code of the library, shared with the command line: loaded from beside this file, which a bundler cannot take along.
import { createRequire } from 'node:module';

export function requireLibrary(): unknown {
  try {
    // A CommonJS bundle made by somebody else has no `import.meta.url`.
    return createRequire(import.meta.url ?? '/')('../library.cjs');
  } catch (error) {
    if (!isMissingLibrary(error)) throw error;
    throw new Error(
      'the files of the package skillwright are not beside its code: leave it out of the bundle (esbuild: --external:skillwright, rolldown: external: ["skillwright"]) and install it where the bundle runs',
      { cause: error },
    );
  }
}

function isMissingLibrary(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND' && /library\.cjs/.test(error.message)
  );
}
