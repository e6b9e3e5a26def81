// What must be gone also when a signal ends the program: it is removed first, then the signal does what it always does.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up with the first of: a signal, or a call of what is returned. */
export function cleanUpOnSignal(clean: () => void): () => void {
  const cleanOnce = () => {
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    clean();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    cleanOnce();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return cleanOnce;
}
