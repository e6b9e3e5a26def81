// The code of the library, shared with the command line: loaded from beside this file, which a bundler cannot take along.
import { createRequire } from 'node:module';

/** A function of the library: the part it is in is loaded by the first call. */
export function late(part: string, name: string): (...given: readonly unknown[]) => unknown {
  const lateCall = (...given: readonly unknown[]) => {
    const made: unknown = Reflect.get(requirePart(part), name);
    if (typeof made !== 'function') throw new Error(`${part}.cjs of the package skillwright has no ${name}`);
    return made(...given);
  };
  return Object.defineProperty(lateCall, 'name', { value: name });
}

export function requirePart(part: string): object {
  try {
    // A CommonJS bundle made by somebody else has no `import.meta.url`.
    return createRequire(import.meta.url ?? '/')(`../${part}.cjs`);
  } catch (error) {
    if (!isMissing(part, error)) throw error;
    throw new Error(
      'the files of the package skillwright are not beside its code: leave it out of the bundle (esbuild: --external:skillwright, rolldown: external: ["skillwright"]) and install it where the bundle runs',
      { cause: error },
    );
  }
}

function isMissing(part: string, error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'MODULE_NOT_FOUND' &&
    error.message.includes(`${part}.cjs`)
  );
}
