// `read_file` on an observation of the run itself: what the context shows by its ends, or no more, opened in pieces.
import { readFile } from '../../tools/read-file.ts';
import { readPart } from '../../tools/run/read-part.ts';
import type { ToolArguments } from '../../tools/tool.ts';
import type { Acted } from '../acted.ts';
import { outcomeText } from '../outcome-text.ts';
import type { Session } from '../session.ts';

/** Undefined where the path names none: then it is a file of the project. Throws a Fault for arguments that do not fit. */
export async function readObservation(args: ToolArguments, session: Session): Promise<Acted | undefined> {
  const named = typeof args.path === 'string' ? args.path.trim().split(' ', 1)[0] : undefined;
  const seen = named && session.state.observations.findLast(({ ref }) => ref === named);
  if (!named || !seen) return undefined;
  const text = session.readKept(seen);
  if (text === undefined) return { state: 'error', text: `${named} is no longer kept`, effect: false };
  const { requireArguments } = await import('../../tools/tool-call.ts');
  requireArguments(readFile.name, args);
  const data = { ...readPart(keptFile(named, text), { ...args, path: named }) };
  return {
    state: 'success',
    text: outcomeText({ state: 'success', summary: `did ${readFile.name}`, data }),
    effect: false,
  };
}

function keptFile(path: string, text: string): Parameters<typeof readPart>[0] {
  const bytes = Buffer.from(text);
  const stats = { size: bytes.length };
  return {
    readWhole: () => ({ path, bytes, stats }),
    readRange: (_, { offset, length }) => ({ path, bytes: bytes.subarray(offset, offset + length), stats }),
  };
}
