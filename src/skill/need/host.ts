// Hosts in addresses: which name and port an address leads to, and which names nobody connects to.
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
