// Addresses: which are safe to follow, how they are written, and which in plain text become links.

const SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp']);
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/=]*$/;
const BARE = /(?<![\w@/])(?:https?:\/\/|www\.)[\w\-.~:/?#[\]@!$&'()*+,;=%]+/g;

/** The address as an attribute value may hold it, or undefined when following it could run something. */
export function safeAddress(href, { isPicture = false } = {}) {
  // Browsers drop control characters before they look at the scheme.
  const address = [...href.trim()].filter((character) => character > '\u001f' && character !== '\u007f').join('');
  const scheme = /^[^/?#]*?:/.exec(address)?.[0].slice(0, -1).toLowerCase();
  if (scheme === undefined || SCHEMES.has(scheme.trim())) return encode(address);
  return isPicture && PICTURE.test(address) ? address : undefined;
}

function encode(address) {
  return encodeURI(address.toWellFormed())
    .replace(/%25(?=[\da-fA-F]{2})/g, '%')
    .replace(/%5B|%5D/gi, decodeURI);
}

/** Bare addresses in text outside links become links. */
export function linkAddresses(tokens) {
  let linkDepth = 0;
  return tokens.flatMap((token) => {
    if (token.tag === 'a') linkDepth += token.type === 'open' ? 1 : -1;
    return token.type === 'text' && linkDepth === 0 ? splitAtAddresses(token.text) : [token];
  });
}

function splitAtAddresses(text) {
  const tokens = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(BARE)) {
    const address = trimAddress(found);
    if (!/\w\.?\w/.test(address.replace(/^(?:https?:\/\/|www\.)/, ''))) continue;
    if (index > at) tokens.push({ type: 'text', text: text.slice(at, index) });
    const href = address.startsWith('www.') ? `http://${address}` : address;
    tokens.push({ type: 'open', tag: 'a', href }, { type: 'text', text: address }, { type: 'close', tag: 'a' });
    at = index + address.length;
  }
  if (at < text.length) tokens.push({ type: 'text', text: text.slice(at) });
  return tokens;
}

// The full stop after an address ends the sentence, and a bracket around it is not part of it.
function trimAddress(address) {
  let unopened = count(address, ')') - count(address, '(');
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1];
    if (last === ')' && unopened > 0) unopened--;
    else if (!'?!.,:;*_~\'"'.includes(last)) break;
  }
  return address.slice(0, end);
}

function count(text, character) {
  return text.split(character).length - 1;
}
