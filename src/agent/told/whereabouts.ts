// What a model is told of where it is: folders, what is hidden, how confined scripts are, what is asked about, time limits.
import path from 'node:path';
import { isRecordFile } from '../../base/hidden-files.ts';
import { isInside } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';

export interface Whereabouts {
  readonly project: string;
  readonly output: string;
  /** Absolute paths of files and folders that calls do not see. */
  readonly hidden: readonly string[];
  readonly sandbox: { readonly tier: string; readonly isConfined: boolean; readonly notEnforced: readonly string[] };
  readonly seconds: { readonly script: number; readonly command: number; readonly longest: number };
  /** Tools that a person is asked about, and those that the settings refuse. */
  readonly asked: readonly string[];
  readonly denied: readonly string[];
  /** The only programs that are started; absent: any. */
  readonly programs?: readonly string[] | undefined;
}

const HIDDEN_NAMES = 20;

/** One line a fact; nothing in it changes while a run goes on. */
export function describeWhereabouts(where: Whereabouts): string {
  const { project, output, seconds, asked, denied, programs } = where;
  return [
    `project folder: ${visible(project)}`,
    'working folder: the project folder; relative paths of scripts, commands and file tools start there',
    `output folder: ${visible(shortened(output, project))} ($SKILL_OUTPUT_DIR); what is written there is delivered at once`,
    'other writes in the project: kept in a layer over it, which later steps see; a person applies them at the end',
    'writes elsewhere: refused, but for the temporary folder of a call ($TMPDIR), which is gone afterwards',
    'skill folder: the `path` of its `skill`; there it is for scripts, too, read-only',
    `hidden: ${hiddenLine(where)}`,
    `sandbox: ${sandboxLine(where)}`,
    'network: off for scripts and commands, unless a skill declares it and a person agrees',
    `time limits: a script ${seconds.script} s, a command ${seconds.command} s; a skill may declare up to ${seconds.longest} s for its scripts`,
    ...(asked.length > 0 ? [`a person is asked about: ${asked.join(', ')}`] : []),
    ...(denied.length > 0 ? [`refused by the settings: ${denied.join(', ')}`] : []),
    ...(programs ? [`only these programs are started: ${programs.map(visible).join(', ')}`] : []),
  ].join('\n');
}

function hiddenLine({ hidden, project }: Whereabouts): string {
  const secrets = hidden.map((file) => shortened(file, project)).filter((file) => !isRecordFile(file));
  const names = secrets.map((file) => visible(file)).sort();
  const rule = 'records below .agent; files with secrets, by name (such as .env and private keys): permission denied';
  if (names.length === 0) return `${rule}; here: none`;
  const more = names.length > HIDDEN_NAMES ? [`and ${names.length - HIDDEN_NAMES} more`] : [];
  return `${rule}; here: ${[...names.slice(0, HIDDEN_NAMES), ...more].join(', ')}`;
}

function sandboxLine({ sandbox: { tier, isConfined, notEnforced } }: Whereabouts): string {
  if (!isConfined) return `${tier}, nothing confines scripts and commands here, and a person must have granted that`;
  const open = notEnforced.length > 0 ? `; not enforced: ${notEnforced.join(', ')}` : '';
  return `${tier}, scripts and commands see the system, the project and their skill, nothing else of this machine${open}`;
}

function shortened(file: string, project: string): string {
  return isInside(project, file) ? path.relative(project, file) : file;
}
