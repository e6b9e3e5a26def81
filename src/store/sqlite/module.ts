// Loads node:sqlite on first use: commands without state do not pay for it, and early Node 24 warns when it is loaded.

export function loadSqlite(): typeof import('node:sqlite') {
  return withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite'));
}

/** Suppresses that one warning; every other one passes. */
export function withoutSqliteWarning<T>(load: () => T): T {
  const original = process.emitWarning;
  const pass = original.bind(process) as (...given: unknown[]) => void;
  process.emitWarning = (...given: unknown[]) => {
    const [warning, kind] = given;
    const isSqlite = kind === 'ExperimentalWarning' && String(warning).startsWith('SQLite is an experimental feature');
    if (!isSqlite) pass(...given);
  };
  try {
    return load();
  } finally {
    process.emitWarning = original;
  }
}
