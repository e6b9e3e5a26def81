// The grant that "always" would be: as narrow as what was asked allows, and nothing where no grant fits.
import type { Digest } from '../../base/value/digest.ts';
import { toolOf } from '../../tools/list.ts';
import type { ToolName } from '../../tools/tool-name.ts';
import { type GrantedCall, type GrantTarget, NO_PLAIN_FILE, whyTooWide } from '../grant/grant.ts';
import { NO_SANDBOX, type Tier } from '../tier.ts';
import type { OfferedGrant } from './facts.ts';

export interface AlwaysWish {
  /** As people call it. */
  readonly skill: string;
  readonly digest: Digest;
  readonly tool: ToolName;
  readonly granted: Omit<GrantedCall, 'project' | 'tool' | 'network' | 'tier'>;
  readonly network: boolean;
  readonly tier: Tier | undefined;
  /** The project folder: paths are granted below it. */
  readonly project: string;
  readonly now: number;
}

export function alwaysGrant(wish: AlwaysWish): OfferedGrant | undefined {
  const target = targetOf(wish);
  if (!target || whyTooWide(target) !== undefined) return undefined;
  const { skill, digest, network, tier, now } = wish;
  const isOwnTool = target.kind === 'tool';
  return {
    skill,
    bound: { digest },
    target,
    network,
    // A tool of our own changes the file it is granted for; what a program changes is shown as ever.
    writes: isOwnTool && toolOf(target.tool).about === 'files',
    tier: isOwnTool ? NO_SANDBOX : (tier ?? NO_SANDBOX),
    created: now,
    expires: null,
  };
}

/** An action or a script with any arguments, a command or a shell script with exactly its words, a tool for exactly its file or host. */
function targetOf({ tool, granted, project }: AlwaysWish): GrantTarget | undefined {
  const { action, script, argv, shell, runs = [], paths = {}, url, remote } = granted;
  const isLasting = !runs.some(({ sha256 }) => sha256 === NO_PLAIN_FILE);
  switch (toolOf(tool).about) {
    case 'script':
      if (action !== undefined) return { kind: 'action', action };
      return script === undefined ? undefined : { kind: 'script', script, words: [], exact: false };
    case 'command':
      if (!argv || !isLasting) return undefined;
      return { kind: 'command', words: argv, exact: true, ...(runs.length > 0 && { runs }) };
    case 'shell':
      if (shell === undefined || !isLasting) return undefined;
      return { kind: 'shell', script: shell, ...(runs.length > 0 && { runs }) };
    case 'files':
      return ofOnePath(tool, Object.values(paths), project);
    case 'address':
      return ofHost(tool, url);
    case 'server':
      return remote === undefined ? undefined : { kind: 'tool', tool, pattern: remote };
  }
}

/** A pattern speaks of one path, so a move has none. */
function ofOnePath(tool: ToolName, [file, other]: readonly string[], project: string): GrantTarget | undefined {
  if (file === undefined || other !== undefined || !file.startsWith(`${project}/`)) return undefined;
  const pattern = file.slice(project.length + 1);
  return /[*?[\]{}\\!]/.test(pattern) ? undefined : { kind: 'tool', tool, pattern };
}

function ofHost(tool: ToolName, url: string | undefined): GrantTarget | undefined {
  const host = url === undefined ? undefined : URL.parse(url)?.hostname;
  return host ? { kind: 'tool', tool, pattern: `domain:${host}` } : undefined;
}
