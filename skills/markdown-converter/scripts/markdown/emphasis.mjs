// Runs of `*`, `_` and `~~`, matched the CommonMark way, with one addition: Chinese, Japanese and Korean
// characters count as a word boundary, because their sentences have no spaces.

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const TAGS = { 1: 'em', 2: 'strong' };

/** Adds the run to the chain of delimiters that can still be matched. */
export function makeDelimiter(state, run, at, end) {
  const before = characterBefore(state.text, at);
  const after = characterAt(state.text, end);
  const delimiter = {
    type: 'delimiter',
    character: run[0],
    length: run.length,
    count: run.length,
    ...sides(run[0], before, after),
    closes: [],
    opens: [],
    previous: state.lastDelimiter,
    next: undefined,
  };
  if (state.lastDelimiter) state.lastDelimiter.next = delimiter;
  state.lastDelimiter = delimiter;
  return delimiter;
}

function sides(character, before, after) {
  const leans = (to, from) => !isSpace(to) && (!isMark(to) || isSpace(from) || isMark(from) || WIDE.test(from));
  const left = leans(after, before);
  const right = leans(before, after);
  if (character !== '_') return { canOpen: left, canClose: right };
  return { canOpen: left && (!right || isMark(before)), canClose: right && (!left || isMark(after)) };
}

/** Pairs what stands above `bottom` in the chain, and takes it off the chain. */
export function matchDelimiters(state, bottom) {
  const floors = new Map();
  let closer = firstAbove(state, bottom);
  while (closer) {
    const opener = closer.canClose ? findOpener(closer, bottom, floors) : undefined;
    if (opener) closer = pair(state, opener, closer);
    else {
      if (closer.canClose) floors.set(floorKey(closer), closer.previous);
      const next = closer.next;
      if (!closer.canOpen) unlink(state, closer);
      closer = next;
    }
  }
  state.lastDelimiter = bottom;
  if (bottom) bottom.next = undefined;
}

function firstAbove(state, bottom) {
  let first;
  for (let one = state.lastDelimiter; one && one !== bottom; one = one.previous) first = one;
  return first;
}

function findOpener(closer, bottom, floors) {
  const floor = floors.get(floorKey(closer));
  for (let opener = closer.previous; opener && opener !== bottom && opener !== floor; opener = opener.previous) {
    if (opener.character === closer.character && opener.canOpen && fits(opener, closer)) return opener;
  }
  return undefined;
}

// The rule of three: a run that both opens and closes must not be cut unevenly.
function fits(opener, closer) {
  if (!closer.canOpen && !opener.canClose) return true;
  return closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

function floorKey({ character, canOpen, length }) {
  return `${character}${canOpen}${length % 3}`;
}

/** Returns the next delimiter to look at. */
function pair(state, opener, closer) {
  const width = closer.character === '~' || (opener.count >= 2 && closer.count >= 2) ? 2 : 1;
  const tag = closer.character === '~' ? 'del' : TAGS[width];
  opener.opens.push(tag);
  closer.closes.push(tag);
  opener.count -= width;
  closer.count -= width;
  opener.next = closer;
  closer.previous = opener;
  if (opener.count === 0) unlink(state, opener);
  if (closer.count > 0) return closer;
  const next = closer.next;
  unlink(state, closer);
  return next;
}

function unlink(state, delimiter) {
  if (delimiter.previous) delimiter.previous.next = delimiter.next;
  if (delimiter.next) delimiter.next.previous = delimiter.previous;
  else state.lastDelimiter = delimiter.previous;
}

/** Each delimiter becomes the tags it closes, what is left of it, and the tags it opens. */
export function spreadDelimiters(tokens) {
  return tokens.flatMap((token) => {
    if (token.type !== 'delimiter') return [token];
    return [
      ...token.closes.map((tag) => ({ type: 'close', tag })),
      ...(token.count > 0 ? [{ type: 'text', text: token.character.repeat(token.count) }] : []),
      ...token.opens.toReversed().map((tag) => ({ type: 'open', tag })),
    ];
  });
}

function isSpace(character) {
  return character === '' || /\s/.test(character);
}

function isMark(character) {
  return /[\p{P}\p{S}]/u.test(character);
}

function characterAt(text, at) {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text, at) {
  const isPair = at > 1 && /[\udc00-\udfff]/.test(text[at - 1]);
  return text.slice(isPair ? at - 2 : at - 1, at);
}
