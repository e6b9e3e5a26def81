// What most skills are: a prompt named like its folder, open to all, with nothing to say about it.
import { parseSkill } from '../skill/manifest.ts';
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import { head } from './read-head.ts';

const BLOCK = 1024 * 1024;

/** Where descriptions are remembered. */
export interface Descriptions {
  describe(at: number): string;
}

export function isPlain({ manifest, diagnostics }: ParsedSkill, name: string): boolean {
  if (manifest === undefined || diagnostics.length > 0 || manifest.name !== name) return false;
  const isOpen = manifest.userInvocable && !manifest.disableModelInvocation;
  return isOpen && manifest.command === undefined && manifest.entry === undefined;
}

/** Keeps frontmatter as it was read, side by side: one piece of memory for thousands of files. */
export class HeadStore {
  block = Buffer.allocUnsafe(BLOCK);
  #used = 0;

  /** Copies what was read last, and says where it stands in the block of this moment. */
  keep(length: number): number {
    if (this.#used + length > this.block.length) {
      this.block = Buffer.allocUnsafe(Math.max(BLOCK, length));
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += head.copy(this.block, at, 0, length);
    return at;
  }
}

/** Holds bytes, not values: of ten thousand skills a list needs the name and the description, a run one manifest. */
export class PlainSkill {
  readonly name: string;
  readonly #descriptions: Descriptions;
  readonly #description: number;
  readonly #block: Buffer;
  readonly #start: number;
  readonly #end: number;

  /** `description` is its place among the descriptions, `length` that of the frontmatter that was read last. */
  constructor(name: string, descriptions: Descriptions, description: number, heads: HeadStore, length: number) {
    this.name = name;
    this.#descriptions = descriptions;
    this.#description = description;
    this.#start = heads.keep(length);
    this.#end = this.#start + length;
    this.#block = heads.block;
  }

  get description(): string {
    return this.#descriptions.describe(this.#description);
  }

  get userInvocable(): true {
    return true;
  }

  readManifest(): Manifest {
    const text = this.#block.toString('utf8', this.#start, this.#end);
    // Once it was read without a word; with less to refuse it reads the same.
    const { manifest } = parseSkill(text, { path: '', folderName: this.name, blockAngleBrackets: false });
    if (manifest === undefined) throw new Error(`${this.name} could be read before`);
    return manifest;
  }
}
