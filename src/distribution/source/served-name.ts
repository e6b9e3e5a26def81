// How a skill of a server is written: as a person names it, and as the lock keeps it.

export interface ServedName {
  readonly server: string;
  /** Its name, or the address of its SKILL.md. */
  readonly skill: string;
}

const WRITTEN = /^(mcp:(?=[a-z0-9][a-z0-9-]{0,39}:(?!\/\/)))?([a-z0-9][a-z0-9-]{0,39}):(?!\/\/)(.+)$/s;
const REPOSITORY = /^[\w.-]+\/[\w.-]+(?:\.git)?\/?$/;

/** `SERVER:SKILL` where the settings have that server, and `mcp:SERVER:SKILL` wherever; `github:OWNER/NAME` is a repository. */
export function readServedName(written: string, servers: readonly string[]): ServedName | undefined {
  const [, prefix, server = '', skill = ''] = WRITTEN.exec(written) ?? [];
  const isMeant =
    prefix !== undefined || (servers.includes(server) && !(server === 'github' && REPOSITORY.test(skill)));
  return isMeant && server !== '' ? { server, skill } : undefined;
}

/** As the lock keeps it: a name would not say which skill of the server it was. */
export function servedLocation(server: string, uri: string): string {
  return `mcp:${server}:${uri}`;
}
