// The name of the exception that ended a script, as its language prints it on stderr.

const NAME = /^(?:Uncaught )?(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)(?: \[\w+\])?(?::|$)/;

/** Undefined where no exception was printed. */
export function exceptionIn(stderr: string): string | undefined {
  const lines = stderr.trimEnd().split('\n');
  const trace = lines.findLastIndex((line) => /^\s+(?:File ".*", line \d+|at .+)/.test(line));
  if (trace < 0) return undefined;
  // Python says it below the trace, Node above.
  const isPython = /^\s+File "/.test(lines[trace] ?? '');
  const line = isPython
    ? lines.slice(trace).find((one) => /^\S/.test(one))
    : lines.slice(0, trace).findLast((one) => /^\S/.test(one));
  return NAME.exec(line?.trimEnd() ?? '')?.[1];
}
