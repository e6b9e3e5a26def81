// What most skills are: a prompt named like its folder, open to all, with nothing to say about it.
import { parseSkill } from '../skill/manifest.ts';
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import type { RecordBuffer } from './record-buffer.ts';

export function isPlain({ manifest, diagnostics }: ParsedSkill, name: string): boolean {
  if (manifest === undefined || diagnostics.length > 0 || manifest.name !== name) return false;
  const isOpen = manifest.userInvocable && !manifest.disableModelInvocation;
  return isOpen && manifest.command === undefined && manifest.entry === undefined;
}

/** The key of a record: the frontmatter, then the name of the folder, because both decide what is read. */
export function nameBehind(frontmatter: Buffer, length: number, name: string): number {
  return length + frontmatter.write(`\0${name}`, length);
}

/** What a skill may do that was remembered and can no longer be read: nothing, so that no remembered byte opens anything. */
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
    // Once it was read without a word; with less to refuse it reads the same.
    const { manifest } = parseSkill(text, { path: '', folderName: this.name, blockAngleBrackets: false });
    return manifest ?? { ...CLOSED, name: this.name, description: this.description };
  }
}
