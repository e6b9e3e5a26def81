// What most skills are: a prompt named like its folder, open to all, with nothing to say about it.
import { parseSkill } from '../skill/manifest.ts';
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import type { GrowingBuffer } from './growing-buffer.ts';

/** Where descriptions are remembered. */
export interface Descriptions {
  describe(at: number): string;
}

export function isPlain({ manifest, diagnostics }: ParsedSkill, name: string): boolean {
  if (manifest === undefined || diagnostics.length > 0 || manifest.name !== name) return false;
  const isOpen = manifest.userInvocable && !manifest.disableModelInvocation;
  return isOpen && manifest.command === undefined && manifest.entry === undefined;
}

/** Holds bytes, not values: of ten thousand skills a list needs the name and the description, a run one manifest. */
export class PlainSkill {
  readonly name: string;
  readonly #descriptions: Descriptions;
  readonly #description: number;
  readonly #heads: GrowingBuffer;
  readonly #start: number;
  readonly #end: number;

  /** `head` is its frontmatter as it was read. */
  constructor(name: string, descriptions: Descriptions, description: number, heads: GrowingBuffer, head: Uint8Array) {
    this.name = name;
    this.#descriptions = descriptions;
    this.#description = description;
    this.#heads = heads;
    this.#start = heads.add(head);
    this.#end = this.#start + head.length;
  }

  get description(): string {
    return this.#descriptions.describe(this.#description);
  }

  get userInvocable(): true {
    return true;
  }

  readManifest(): Manifest {
    const text = this.#heads.text(this.#start, this.#end);
    // Once it was read without a word; with less to refuse it reads the same.
    const { manifest } = parseSkill(text, { path: '', folderName: this.name, blockAngleBrackets: false });
    if (manifest === undefined) throw new Error(`${this.name} could be read before`);
    return manifest;
  }
}
