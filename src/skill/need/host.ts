// Hosts in addresses and in prose: which name and port an address leads to, and which names nobody connects to.
import { isIP } from 'node:net';

export interface HostName {
  readonly name: string;
  /** Where it is not 443. */
  readonly port?: number;
}

/** Stands in a text for what is only known when it runs; a name between the two may be resolved. */
export const HOLE_START = '\u0001';
export const HOLE_END = '\u0002';
export const HOLE = new RegExp(`${HOLE_START}[^${HOLE_END}]*${HOLE_END}`, 'g');

const ADDRESS =
  /^(https?|wss?):\/\/(?:[^\s/?#@]*@)?(\[[0-9a-f:.]+\]|[^\s/?#:[\]"'`<>\\]+)(?::(\d{1,5}))?(?![^/?#\s"'`<>\\,;)\]])/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The host an address leads to; undefined for what is no address, or leads to this machine, or stands for any. */
export function hostIn(address: string): HostName | undefined {
  const [, scheme = '', written = '', digits] = ADDRESS.exec(address) ?? [];
  const name = nameOf(written.toLowerCase());
  if (name === undefined || isNobody(name)) return undefined;
  const usual = /^(?:https|wss)$/i.test(scheme) ? 443 : 80;
  const port = digits === undefined ? usual : Number(digits);
  if (port === 0 || port > 65535) return undefined;
  return { name, ...(port !== 443 && { port }) };
}

/** One unknown label in front stands for any; an unknown name anywhere else is not known at all. */
function nameOf(written: string): string | undefined {
  const [first = '', ...rest] = written.replace(HOLE, '*').replace(/\.$/, '').split('.');
  const labels = [first.includes('*') ? '*' : first, ...rest];
  if (!rest.every((label) => LABEL.test(label)) || !(first.includes('*') || LABEL.test(first))) {
    return isIP(written.replace(/[[\]]/g, '')) ? written : undefined;
  }
  // A wildcard directly under a top-level domain would be everybody.
  if (labels.length < (first.includes('*') ? 3 : 2)) return undefined;
  if (isIP(written)) return written;
  return /^[a-z]{2,}$|^xn--/.test(labels.at(-1) ?? '') ? labels.join('.') : undefined;
}

const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local)$/;
const PLACEHOLDER =
  /^(?:(?:www\.|api\.|app\.|\*\.)?(?:your|my|some|host|server|domain|site|foo|bar|acme|test|mysite|website|yoursite|company|yourcompany|mycompany|yourdomain|mydomain|mystore|yourstore|placeholder|sample)[\w-]*\.[\w.]+|.*\byour-?[\w-]*\..*|domain\.com|host\.com|a\.com|b\.com|x\.y|foo\.bar)$/;
/** Names of vocabularies: they are compared, never connected to. */
const VOCABULARY =
  /^(?:(?:www\.)?w3\.org|schemas\.(?:openxmlformats\.org|microsoft\.com|xmlsoap\.org|android\.com|liboffice\.org)|json-schema\.org|schema\.org|purl\.org|purl\.oclc\.org|ns\.adobe\.com|xmlns\.com|ogp\.me|(?:www\.)?sitemaps\.org|docs\.oasis-open\.org|openoffice\.org|maven\.apache\.org|xml\.org|relaxng\.org|creativecommons\.org|opensource\.org|(?:www\.)?apache\.org|(?:www\.)?gnu\.org|(?:www\.)?idpf\.org|(?:www\.)?daisy\.org|dublincore\.org|www\.inkscape\.org|sodipodi\.sourceforge\.net|json\.schemastore\.org)$/;

function isNobody(name: string): boolean {
  return RESERVED.test(name) || PLACEHOLDER.test(name) || VOCABULARY.test(name) || isThisMachine(name);
}

function isThisMachine(name: string): boolean {
  return /^(?:127\.|0\.0\.0\.0$|\[::1?\]$)/.test(name);
}

/** A bare name, as in `host: "api.host.tld"`. */
export function bareHost(text: string): HostName | undefined {
  return /^[\w*.-]+\.[a-z]{2,}(?::\d+)?$/i.test(text) ? hostIn(`https://${text}`) : undefined;
}

const ADDRESS_IN_TEXT = /\b(?:https?|wss?):\/\/[^\s`'"<>()[\]，。；、）]+/gi;
const CODE_IN_TEXT = /`([^`]{1,200})`/g;
const DOTTED = /[A-Za-z0-9][\w-]*(?:\.[\w-]+)+/g;
/** Technologies that are named like hosts. */
const TECHNOLOGY = /^(?:asp|ado|vb|ml|json|math|system)\.net$|^(?:socket|draw)\.io$|^fast\.ai$/i;
/** Ends of file names and of names of libraries; no host that a skill would name ends like this. */
const FILE_END =
  /\.(?:[cm]?[jt]s|[jt]sx|json[lc5]?|ya?ml|toml|lock|md|mdx|txt|csv|tsv|xml|html?|s?css|pdf|docx?|xlsx?|pptx?|py|ipynb|rb|lua|cpp|hpp|java|kt|php|sql|vue|ini|cfg|conf|env|log|exe|bat|ps1|zip|gz|png|jpe?g|svg|wasm)$/i;

/** Hosts that prose names: every address with a scheme; a bare name where it can hardly be a technology or a file. */
export function hostsInProse(text: string): HostName[] {
  const addresses = [...text.matchAll(ADDRESS_IN_TEXT)].map(([address]) => address);
  const rest = withoutAddresses(text);
  const code = [...rest.matchAll(CODE_IN_TEXT)].flatMap(([, inner = '']) => dottedIn(inner));
  const prose = dottedIn(rest.replace(CODE_IN_TEXT, ' ')).filter((name) => !isTechnology(name));
  const bare = [...code, ...prose].filter((name) => !FILE_END.test(name)).map((name) => `https://${name}`);
  return [...addresses, ...bare].flatMap((address) => hostIn(address) ?? []);
}

export function withoutAddresses(text: string): string {
  return text.replace(ADDRESS_IN_TEXT, ' ');
}

function dottedIn(text: string): string[] {
  return [...text.matchAll(DOTTED)].map(([name]) => name);
}

/** A capital behind the last dot is that of a name, or of the next sentence. */
function isTechnology(name: string): boolean {
  return TECHNOLOGY.test(name) || /\.[^.]*[A-Z][^.]*$/.test(name);
}
