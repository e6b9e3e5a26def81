// The patterns that several rules are made of. Each is short: what may lie between two of them is counted by the shape.
import { cue } from './rule.ts';

export const SHELL =
  '(?:sudo\\s{1,4}(?:-\\w{1,20}\\s{1,4}){0,3})?(?:/(?:usr/)?bin/)?(?:env\\s{1,4})?(?:ba|z|da|k|fi)?sh\\b';
export const INTERPRETER = `(?:${SHELL}|(?:sudo\\s{1,4})?(?:python[\\d.]{0,4}|node|perl|ruby|php)\\b(?!\\s{1,4}-(?:m|c|e)\\b)|iex\\b|Invoke-Expression\\b|source\\s{1,4}/dev/stdin)`;
export const SEND_WORD =
  '\\b(?:curl\\b|wget\\b|ncat?\\b|socat\\b|scp\\b|rsync\\b|sftp\\b|requests\\.(?:post|put)|urlopen|fetch\\(|axios|http\\.request|Invoke-RestMethod|httpx\\.)';

export const FETCH = cue('\\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\\b');
export const PIPE_TO_INTERPRETER = cue(`\\|\\s{0,8}${INTERPRETER}`);
export const SEND = cue(SEND_WORD);
export const PIPED = cue('\\|');

export const SECRET_PLACE = cue(
  '\\.ssh/(?:id_|\\*|authorized_keys)',
  '\\.aws/credentials',
  '\\.netrc\\b',
  '\\.git-credentials',
  '\\.kube/config',
  '\\.gnupg/',
  '\\.docker/config\\.json',
  '\\.config/gcloud',
  '\\.npmrc\\b',
  '\\.pypirc\\b',
  '/etc/shadow',
  '(?<=[/\\\\"\'])Login Data\\b',
  'Cookies\\.binarycookies',
  'find-generic-password',
  'wallet\\.dat',
  '\\.config/solana/id\\.json',
  'login\\.keychain',
);

/** An address that is no picture and none of this machine. */
export const ADDRESS = cue('\\bhttps?://(?!localhost|127\\.|0\\.0\\.0\\.0|\\[::1)[^\\s"\'`)<>]{3,200}');

export const LINE = /\n/;
export const COMMAND = /[\n;|]/;

const INSTALLER =
  /^(?:(?:get|install|setup|bootstrap|init|cli|sh|bash|download)(?:[-_.]\w{1,20}){0,3}|[\w.-]{1,40}\.(?:sh|bash|ps1|py))$/i;
const ONLY_INSTALLER = /^(?:get|install|setup|bootstrap)(?:[-_.]\w{1,20}){0,2}$/i;

/**
 * Whether an address looks like that of a named installer: encrypted, a host with a name, a path made of words.
 * Numbers for a host, a port, a path that nobody can read, a raw text without a name: those are how loaders are kept.
 */
export function isPlainInstaller(address: string): boolean {
  const parts = /^(?:(https?):\/\/)?([^\s/:?#]{1,253})(:\d+)?(\/[^\s?#]{0,2000})?/i.exec(address);
  if (parts === null) return false;
  const [, scheme, host = '', port, path = ''] = parts;
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  if (scheme?.toLowerCase() === 'http' || port !== undefined) return false;
  if (!/^(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}$/i.test(host) || host.includes('xn--')) return false;
  if (scheme === undefined) return ONLY_INSTALLER.test(last);
  if (isShortened(host, segments) || [...host.split('.'), ...segments].some(isScrambled)) return false;
  return !/^raw$/i.test(segments.at(-2) ?? '') || INSTALLER.test(last);
}

/** A tiny host with one name behind it. */
function isShortened(host: string, segments: readonly string[]): boolean {
  const [last = ''] = segments;
  return (
    segments.length === 1 &&
    /^[\w-]{1,5}\.[a-z]{2,3}$/i.test(host) &&
    !/^(?:get|install|setup)/i.test(last) &&
    !INSTALLER.test(last)
  );
}

/** Letters and digits in turn, or four words of a name that was drawn by lot. */
export function isScrambled(part: string): boolean {
  if (/^[a-z]+(?:-[a-z]+){3,}$/i.test(part)) return part.length > 24;
  if (part.length < 6 || /[.]/.test(part)) return false;
  return (part.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0) >= 2 && !/^v?\d+(?:[-_]\w+)*$/i.test(part);
}
