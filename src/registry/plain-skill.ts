// What most skills are: a prompt named like its folder, open to people, nothing to say about it. Remembered as one line.
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import { dropPrototypes } from './free-value.ts';

/** The memory the lines stand in; it may be replaced by a larger one that begins with the same bytes. */
export interface Memory {
  content: Buffer;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;

/** The line of a plain skill without its end; undefined where there is more to tell than that. */
export function writePlain({ manifest, diagnostics }: ParsedSkill, name: string): string | undefined {
  if (manifest === undefined || diagnostics.length > 0 || manifest.name !== name || !manifest.userInvocable)
    return undefined;
  if (manifest.command !== undefined || manifest.entry !== undefined) return undefined;
  const description = JSON.stringify(manifest.description).slice(1, -1);
  return `${description}\t${JSON.stringify({ ...manifest, description: undefined })}`;
}

/** Shows what lists need and reads the rest when it is asked for: ten thousand manifests are never held at once. */
export class PlainSkill {
  readonly name: string;
  readonly #memory: Memory;
  readonly #at: number;

  constructor(name: string, memory: Memory, at: number) {
    this.name = name;
    this.#memory = memory;
    this.#at = at;
  }

  get userInvocable(): true {
    return true;
  }

  get description(): string {
    const { content } = this.#memory;
    const written = content.toString('utf8', this.#at, content.indexOf(TAB, this.#at));
    return written.includes('\\') ? JSON.parse(`"${written}"`) : written;
  }

  readManifest(): Manifest {
    const { content } = this.#memory;
    const start = content.indexOf(TAB, this.#at) + 1;
    const rest = JSON.parse(content.toString('utf8', start, content.indexOf(LINE_FEED, start)));
    dropPrototypes(rest.metadata);
    dropPrototypes(rest.unknown);
    return { ...rest, description: this.description };
  }
}
