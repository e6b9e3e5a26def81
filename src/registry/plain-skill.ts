// The most common skill: a prompt named like its folder, without restrictions or diagnostics.
import { parseSkill } from '../skill/manifest.ts';
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import type { RecordBuffer } from './record-buffer.ts';

export function isPlain({ manifest, diagnostics }: ParsedSkill, name: string): boolean {
  if (manifest === undefined || diagnostics.length > 0 || manifest.name !== name) return false;
  const isOpen = manifest.userInvocable && !manifest.disableModelInvocation;
  return isOpen && manifest.command === undefined && manifest.entry === undefined;
}

/** The key of a record: the frontmatter, then the folder in its root, because both decide the result. */
export function folderBehind(frontmatter: Buffer, length: number, folderName: string): number {
  return length + frontmatter.write(`\0${folderName}`, length);
}

/** The permissions of a cached skill that can no longer be parsed: none, so that a damaged cache grants nothing. */
const CLOSED = {
  allowedTools: [],
  disableModelInvocation: true,
  userInvocable: false,
  runMode: 'subagent',
  network: false,
  deterministic: true,
} as const;

/** Holds bytes, not values: of ten thousand skills a list needs the name and the description, a run one manifest. */
export class PlainSkill {
  readonly name: string;
  readonly #records: RecordBuffer;
  readonly #at: number;

  constructor(name: string, records: RecordBuffer, at: number) {
    this.name = name;
    this.#records = records;
    this.#at = at;
  }

  get description(): string {
    return this.#records.valueAt(this.#at);
  }

  get userInvocable(): true {
    return true;
  }

  readManifest(): Manifest {
    const key = this.#records.keyAt(this.#at);
    const text = key.toString('utf8', 0, key.lastIndexOf(0));
    // It was parsed without diagnostics once; a more lenient parse gives the same result.
    const { manifest } = parseSkill(text, { path: '', folderName: this.name, blockAngleBrackets: false });
    return manifest ?? { ...CLOSED, name: this.name, description: this.description };
  }
}
