// What a person decides about later runs with their own commands, as one union: names, digests and ids, never contents.
import { isRecord, type Json } from '../../base/json.ts';

/** Digests of the skill's files; null where there are none. */
export interface SkillChange {
  readonly skill: string;
  readonly version?: string;
  /** Where it comes from. */
  readonly source?: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Whose log it belongs to: that of the project, or the user's own. */
export const OWNER_SCOPES = ['project', 'user'] as const;
export type OwnerScope = (typeof OWNER_SCOPES)[number];

const SKILL_COMMANDS = [
  'install',
  'update',
  'uninstall',
  'restore',
  'restore --purge',
  'rollback',
  'curate',
  'lock',
] as const;
const GRANT_COMMANDS = ['grants add', 'grants revoke'] as const;
const KEY_COMMANDS = ['keys generate', 'keys trust', 'keys revoke'] as const;
const SCHEDULE_COMMANDS = ['jobs enable', 'jobs disable'] as const;
const FILE_COMMANDS = [
  ...(['init', 'trust', 'edit', 'roles new', 'roles add-skill'] as const),
  ...(['runs apply', 'runs discard', 'runs undo', 'homes clear', 'prepare', 'environments prune'] as const),
] as const;

export interface ScheduleChange {
  readonly command: (typeof SCHEDULE_COMMANDS)[number];
  readonly schedule: string;
  /** Why it was disabled, in the person's words. */
  readonly reason?: string;
}

export interface GrantChange {
  readonly command: (typeof GRANT_COMMANDS)[number];
  readonly grant?: string;
  readonly skill?: string;
  /** What it lets the skill do. */
  readonly what?: string;
  /** The digest, or the folder, it is bound to. */
  readonly bound?: string;
  readonly network?: boolean;
  readonly writes?: boolean | readonly string[];
  /** What its code may reach beyond the sandbox: names, never values. */
  readonly reach?: Readonly<Record<string, Json>>;
  readonly tier?: string;
  readonly expires?: string;
}

/** What is about to change, as it is known before. */
export type OwnerChange =
  | {
      readonly command: (typeof SKILL_COMMANDS)[number];
      readonly scope: OwnerScope;
      readonly skills: readonly SkillChange[];
    }
  | GrantChange
  | ScheduleChange
  | { readonly command: (typeof KEY_COMMANDS)[number]; readonly name: string; readonly key?: string }
  | {
      readonly command: (typeof FILE_COMMANDS)[number];
      /** Which way, where a command has several: the operation of an edit, `revoke` of trust. */
      readonly operation?: string;
      readonly files: readonly string[];
    }
  /** A person has seen these breaks of the log, and goes on with it as it is. */
  | { readonly command: 'log verify'; readonly scope: OwnerScope; readonly breaks: readonly SeenBreak[] };

interface SeenBreak {
  readonly part: number;
  readonly why: string;
  /** The digest of the part as it was found. */
  readonly found: string;
}

type OwnerCommand = OwnerChange['command'];

/** What is known only afterwards. */
export interface OwnerFacts {
  readonly grant?: string;
  readonly key?: string;
  /** The digest of the edited file, of everything that is trusted, or of what a schedule is bound to; null where there is none. */
  readonly before?: string | null;
  readonly after?: string | null;
}

export type OwnerEvent =
  /** Where an older part is the one before: how far it went when this one began, and why it does not simply go on. */
  | {
      readonly type: 'log-start';
      readonly part: number;
      /** The oldest part that is kept. */
      readonly from: number;
      readonly previous: { readonly events: number; readonly hash: string } | null;
      readonly broken?: string;
    }
  | { readonly type: 'log-continued'; readonly part: number }
  | { readonly type: 'begin'; readonly act: string; readonly change: OwnerChange }
  | { readonly type: 'end'; readonly act: string; readonly state: 'done'; readonly facts?: OwnerFacts }
  | { readonly type: 'end'; readonly act: string; readonly state: 'failed'; readonly error: string };

/** One line of the log: the event, when, by which user of the machine, and what came before it. */
export type OwnerRecord = OwnerEvent & {
  readonly seq: number;
  readonly ts: string;
  readonly uid: number | null;
  readonly prev: string;
};

const COMMANDS: readonly string[] = [
  ...SKILL_COMMANDS,
  ...GRANT_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...KEY_COMMANDS,
  ...FILE_COMMANDS,
  'log verify',
] satisfies OwnerCommand[];

/** Keys count for every project of the user. */
export function scopeOf(change: OwnerChange): OwnerScope {
  if ('scope' in change) return change.scope;
  return KEY_COMMANDS.some((command) => command === change.command) ? 'user' : 'project';
}

/** A line that has the parts of its kind; what stands in them was sealed by us. */
export function readOwnerRecord(value: Record<string, unknown>): OwnerRecord | undefined {
  const isLine = typeof value.seq === 'number' && typeof value.ts === 'string' && typeof value.prev === 'string';
  return isLine && isEvent(value) && isLineOf(value) ? value : undefined;
}

function isLineOf(value: OwnerEvent & Record<string, unknown>): value is OwnerRecord & Record<string, unknown> {
  return value.uid === null || typeof value.uid === 'number';
}

function isEvent(value: Record<string, unknown>): value is OwnerEvent & Record<string, unknown> {
  switch (value.type) {
    case 'log-start':
      return typeof value.part === 'number' && typeof value.from === 'number';
    case 'log-continued':
      return typeof value.part === 'number';
    case 'begin':
      return typeof value.act === 'string' && isChange(value.change);
    case 'end':
      return typeof value.act === 'string' && (value.state === 'done' || typeof value.error === 'string');
    default:
      return false;
  }
}

function isChange(value: unknown): value is OwnerChange {
  if (!isRecord(value) || typeof value.command !== 'string' || !COMMANDS.includes(value.command)) return false;
  if (SCHEDULE_COMMANDS.some((command) => command === value.command)) return typeof value.schedule === 'string';
  if ('skills' in value) return Array.isArray(value.skills) && value.skills.every(isSkillChange);
  if ('breaks' in value) return Array.isArray(value.breaks) && value.breaks.every(isRecord);
  if ('files' in value) return Array.isArray(value.files) && value.files.every((file) => typeof file === 'string');
  return true;
}

function isSkillChange(value: unknown): value is SkillChange {
  const isDigest = (digest: unknown) => digest === null || typeof digest === 'string';
  return isRecord(value) && typeof value.skill === 'string' && isDigest(value.before) && isDigest(value.after);
}
