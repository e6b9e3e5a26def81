// The records of the last scan and those of this one, which are the same bytes until something differs.
import { RecordBuffer } from './record-buffer.ts';
import type { Witness } from './witness.ts';

export class ScanRecords {
  readonly known: RecordBuffer;
  /** The witnesses of the last scan count. */
  readonly isTrusted: boolean;
  readonly #start: number;
  /** The known records from here to `next` are kept as they are, and not copied one by one. */
  #from = 0;
  #next: number;
  #written: RecordBuffer | undefined;
  #places: Map<string, number> | undefined;

  /** `start`: where the first record lies in the content. */
  constructor(content: Buffer, start: number, isTrusted: boolean) {
    this.known = new RecordBuffer(content);
    this.isTrusted = isTrusted;
    this.#start = start;
    this.#next = start;
  }

  /** Scans see the same skills in the same order, so the next record is nearly always the right one. */
  placeOf(folderName: string): number | undefined {
    if (this.#isNext(folderName)) return this.#next;
    this.#places ??= listPlaces(this.known, this.#start);
    return this.#places.get(folderName);
  }

  /** Keeps a known record, with what was seen of its file now. */
  keep(place: number, witness: Witness | undefined): void {
    const end = this.known.endOf(place);
    const isCurrent = this.known.hasWitness(place, witness) && (this.isTrusted || witness === undefined);
    if (place !== this.#next || !isCurrent) {
      const records = this.rewrite();
      records.setWitness(records.addCopy(this.known.slice(place, end)), witness);
      this.#from = end;
    }
    this.#next = end;
  }

  /** Leaves out the known record of a folder that is read differently now. */
  drop(folderName: string): void {
    if (!this.#isNext(folderName)) return;
    this.rewrite();
    this.#next = this.known.endOf(this.#next);
    this.#from = this.#next;
  }

  /** Where new records are added, behind what is kept so far. */
  rewrite(): RecordBuffer {
    const kept = this.known.slice(this.#from, this.#next);
    if (this.#written) this.#written.addCopy(kept);
    else this.#written = new RecordBuffer(kept);
    this.#from = this.#next;
    return this.#written;
  }

  /** The whole content, if it is another than the known one. */
  changed(): Buffer | undefined {
    if (this.#written) return this.rewrite().slice(0);
    return this.#next < this.known.length ? this.known.slice(0, this.#next) : undefined;
  }

  #isNext(folderName: string): boolean {
    return this.known.isNamed(this.#next, folderName);
  }
}

function listPlaces(known: RecordBuffer, start: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < known.length; at = known.endOf(at)) {
    places.set(known.nameAt(at), at);
  }
  return places;
}
