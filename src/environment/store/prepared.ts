// Which environments a person consented to for the code of a skill: kept under home like a grant, bound to digest and entry.

import { type Digest, digestName, isDigest } from '../../base/value/digest.ts';
import { isListOf, isObject, isText, isWord } from '../../base/value/shape.ts';
import { openPrivateFolder } from '../../policy/private-folder.ts';

export interface PreparedPart {
  readonly ecosystem: 'python' | 'node';
  /** The hash of the lock's entry: what was consented to. */
  readonly entry: Digest;
  /** In the store. */
  readonly name: string;
  /** The program it was built for; empty for npm packages. */
  readonly interpreter: string;
}

export interface PreparedSkill {
  readonly skill: string;
  readonly digest: Digest;
  readonly parts: readonly PreparedPart[];
}

const isParts = isListOf(
  isObject<PreparedPart>({
    ecosystem: isWord(['python', 'node']),
    entry: isDigest,
    name: isText,
    interpreter: isText,
  }),
);

export function readPrepared(home: string, project: string, digest: Digest): PreparedSkill | undefined {
  const record = openPrivateFolder(home, 'prepared', project).get(digestName(digest));
  return record && toPrepared(record);
}

export function listPrepared(home: string, project: string): PreparedSkill[] {
  return openPrivateFolder(home, 'prepared', project)
    .all()
    .flatMap((record) => toPrepared(record) ?? []);
}

/** One part takes the place of the one of its ecosystem. */
export function writePrepared(
  home: string,
  project: string,
  { skill, digest }: Pick<PreparedSkill, 'skill' | 'digest'>,
  part: PreparedPart,
): void {
  const folder = openPrivateFolder(home, 'prepared', project);
  const others = readPrepared(home, project, digest)?.parts.filter(({ ecosystem }) => ecosystem !== part.ecosystem);
  const id = digestName(digest);
  folder.remove(id);
  folder.add(id, { skill, digest, parts: [...(others ?? []), part] });
}

function toPrepared({ skill, digest, parts }: Record<string, unknown>): PreparedSkill | undefined {
  return typeof skill === 'string' && isDigest(digest) && isParts(parts) ? { skill, digest, parts } : undefined;
}
