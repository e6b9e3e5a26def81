// A sed script can run programs and write files; only scripts of a plain shape pass a prefix rule.

// No backslash and no bracket: they move the end of an address, and a command could hide behind it.
const ADDRESS = String.raw`(?:(?:\d+|\$|/[^/\\[\n]*/)(?:,(?:\d+|\$|/[^/\\[\n]*/))?!?)?`;
const PLAIN_SCRIPT = new RegExp(`^${ADDRESS}(?:[pdq=]|s([/#,])(?:(?!\\1)[^\\n])*\\1(?:(?!\\1)[^\\n])*\\1[gpI0-9]*)$`);
const PLAIN_FLAG = /^(-[nrEsu]+|--quiet|--silent|--regexp-extended|--sandbox|--posix|--null-data|-z)$/;

/** Why a prefix rule does not cover this sed command. */
export function refuseSed(argv: readonly string[]): string | undefined {
  let scripts = 0;
  for (let index = 1; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (PLAIN_FLAG.test(word)) continue;
    if (word === '-e' || word === '--expression') {
      index++;
    } else if (word.startsWith('-') && word !== '-') return `sed ${word} is not a plain option`;
    else if (scripts > 0) continue;
    scripts++;
    const script = argv[index] ?? '';
    if (!PLAIN_SCRIPT.test(script)) return 'this sed script could run a program or write a file';
  }
  return undefined;
}
