// What a script printed: an outcome of its own, one JSON object, or plain text; and what it wants a model to look at.
import { isRecord, parseJson } from '../base/json.ts';
import type { Data, State } from '../base/outcome.ts';
import { parseCompact } from '../base/text/compact.ts';

export interface Printed {
  /** An outcome the script states itself. */
  readonly said?: { readonly state: Said; readonly summary: string; readonly data: Data };
  readonly data: Data;
  readonly analysis?: string;
}

/** Only the host knows of a timeout. */
const SAID = ['success', 'partial', 'pending', 'interrupted', 'error'] as const satisfies readonly State[];
type Said = (typeof SAID)[number];

const BANNER = '【LLM 二次分析任务】';

export async function readPrinted(stdout: string): Promise<Printed> {
  const at = stdout.indexOf(BANNER);
  const text = at < 0 ? stdout : stdout.slice(0, at);
  const analysis = at < 0 ? undefined : stdout.slice(at + BANNER.length).trim();
  const object = readObject(text);
  const said = object ? readSaid(object) : readSaid(await parseCompact(text));
  const data = object ?? (text.trim() === '' ? {} : { stdout: text });
  return { data, ...(said && { said }), ...(analysis !== undefined && { analysis }) };
}

function readObject(text: string): Data | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value = parseJson(text.trim());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readSaid(value: unknown): Printed['said'] {
  if (!isRecord(value)) return undefined;
  const { state, summary, data } = value;
  const known = SAID.find((one) => one === state);
  if (!known || typeof summary !== 'string' || !isRecord(data)) return undefined;
  return { state: known, summary, data };
}
