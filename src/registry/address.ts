// A request that begins by addressing a skill: `@name …`, `运行技能 name …`, `run skill name …`.
// Without a space or a colon between them the words go on: `运行技能来转换文件` names no skill.
const ADDRESS =
  /^(?:运行技能|run(?: the)? skill)(?:\s*[:：]\s*|\s+|(?=["“'`@]))["“'`]?@?((?:project:|user:|builtin:)?[\p{L}\p{N}][\p{L}\p{N}._:/-]*)["'`”]?/iu;
const ADDRESS_START = /^(?:@|(?:运行技能|run(?: the)? skill)(?:\s*[:：]\s*|\s+|$)@?)/iu;

// `run skill for …` goes on as a sentence.
const NO_NAME = /^(?:a|an|and|for|from|in|it|of|on|or|that|the|this|to|which|with)$/i;

/** The same request with the name as a mention; others come back as they were. */
export function mentionAddressed(request: string): string {
  return request.replace(ADDRESS, (written, name: string) => (NO_NAME.test(name) ? written : `@${name}`));
}

/** What stands behind the address, the name first; undefined where nothing is addressed. */
export function behindAddress(text: string): string | undefined {
  const start = ADDRESS_START.exec(text.trim())?.[0];
  return start === undefined ? undefined : text.trim().slice(start.length).trim();
}
