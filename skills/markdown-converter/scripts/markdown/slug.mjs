// Ids for headings: readable, and each given once.

/** Returns a function that gives every title an id of its own. */
export function makeSlugs() {
  const used = new Map();
  return (title) => {
    const base = slugOf(title);
    let id = base;
    while (used.has(id)) {
      const next = used.get(base) + 1;
      used.set(base, next);
      id = `${base}-${next}`;
    }
    used.set(id, 0);
    return id;
  };
}

function slugOf(title) {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\s-]/gu, '')
    .trim();
  return words.replace(/\s+/g, '-') || 'section';
}
