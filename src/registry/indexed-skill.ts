// One skill of the index: list fields are in memory, the manifest is parsed on demand.
import type { Diagnostic } from '../base/diagnostic.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import { kindOf } from '../skill/kind.ts';
import type { Kind, Manifest, Source } from '../skill/skill.ts';
import { type SkillId, skillIdOf } from '../skill/skill-id.ts';
import { PlainSkill } from './plain-skill.ts';
import type { Root } from './roots.ts';
import type { WalkedFolder } from './walk.ts';

interface SkillOrder {
  readonly root: Root;
  readonly place: WalkedFolder;
  readonly fileName: string;
  readonly reading: Manifest | PlainSkill;
  readonly diagnostics: readonly Diagnostic[];
}

export class IndexedSkill {
  readonly name: string;
  /** Relative to the root: `name` or `org/name`. */
  readonly folderName: string;
  /** The real path of the folder, when it was reached through a link. */
  readonly realFolder?: string;
  readonly kind: Kind;
  diagnostics: readonly Diagnostic[];
  state: 'visible' | 'shadowed' = 'visible';
  /** The skill_id that shadows it. */
  shadowedBy?: SkillId;
  readonly #root: Root;
  readonly #fileName: string;
  #reading: Manifest | PlainSkill;

  constructor({ root, place, fileName, reading, diagnostics }: SkillOrder) {
    this.name = reading.name;
    this.folderName = place.folderName;
    if (place.realFolder !== undefined) this.realFolder = place.realFolder;
    this.kind = reading instanceof PlainSkill ? 'prompt' : kindOf(reading, place.folder);
    this.diagnostics = diagnostics;
    this.#root = root;
    this.#fileName = fileName;
    this.#reading = reading;
  }

  /** `source:name@version`, or `source:name` where the author gave no version. */
  get skillId(): SkillId {
    return skillIdOf(this.source, this.name, this.manifest.version);
  }

  get source(): Source {
    return this.#root.source;
  }

  get root(): string {
    return this.#root.folder;
  }

  get folder(): AbsolutePath {
    return absolutePath(`${this.#root.folder}/${this.folderName}`);
  }

  get file(): string {
    return `${this.folder}/${this.#fileName}`;
  }

  get description(): string {
    return this.#reading.description;
  }

  get userInvocable(): boolean {
    return this.#reading.userInvocable;
  }

  get manifest(): Manifest {
    const reading = this.#reading;
    if (!(reading instanceof PlainSkill)) return reading;
    const manifest = reading.readManifest();
    this.#reading = manifest;
    return manifest;
  }
}
