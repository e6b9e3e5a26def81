// What a script printed, on its way to a person: colours pass, everything else that a terminal obeys is shown instead.
import { visibleLines } from '../../base/text.ts';

/** A pipe gets the bytes as they are. */
export function showScriptOutput(bytes: Uint8Array, stream: NodeJS.WriteStream): void {
  if (bytes.length > 0) stream.write(stream.isTTY ? forTerminal(Buffer.from(bytes).toString('utf8')) : bytes);
}

const COLOUR = new RegExp(`(${'\u001b'}\\[[0-9;]*m)`);
const PLAIN = '\u001b[0m';

/** Whatever colour it ended in is not ours. */
export function forTerminal(text: string): string {
  const parts = text.split(COLOUR);
  // Every second part is a colour; a bare return only goes back on the script's own line.
  const shown = parts.map((part, at) =>
    at % 2 === 1
      ? part
      : part
          .split(/(\r(?!\n))/)
          .map(keepReturn)
          .join(''),
  );
  return shown.join('') + (parts.length > 1 ? PLAIN : '');
}

function keepReturn(part: string): string {
  return part === '\r' ? part : visibleLines(part);
}
