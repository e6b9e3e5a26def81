// Words that other tools use for what a command here does.

export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['add', 'install'],
  ['remove', 'uninstall'],
  ['rm', 'uninstall'],
  ['ls', 'list'],
  ['find', 'search'],
  ['logs', 'runs list'],
  ['status', 'doctor'],
]);
