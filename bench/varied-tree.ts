// Generated skills whose words are spread as in real ones: few everywhere, most in one or two skills.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface VariedTree {
  /** One request for each hundredth skill, in words of its description. */
  readonly requests: readonly string[];
}

const VOCABULARY = 50_000;
/** Words every text is full of and no index keeps, and their share. */
const COMMON = 'the of to and a in for is with it'.split(' ');
const COMMON_SHARE = 0.2;
const SYLLABLES = 'ba co de fi gu ha jo ki lu me no pa ri so tu va we xi yo za bre cla dri flo gru'.split(' ');
const BODY_BYTES = 8192;

/** Fills `<folder>/.claude/skills`; the same count gives the same bytes. */
export function plantVariedSkills(folder: string, count: number): VariedTree {
  const root = path.join(folder, '.claude', 'skills');
  const random = randomNumbers(count);
  const requests: string[] = [];
  for (let number = 0; number < count; number++) {
    const name = `${words(random, 2).join('-')}-${number}`;
    const topic = words(random, 24);
    if (number % 100 === 0) requests.push(`please ${topic.slice(0, 9).join(' ')} for me`);
    const skill = path.join(root, name);
    mkdirSync(path.join(skill, 'scripts'), { recursive: true });
    mkdirSync(path.join(skill, 'references'));
    writeFileSync(path.join(skill, 'SKILL.md'), skillText(name, topic, random));
    writeFileSync(path.join(skill, 'scripts', 'run.py'), `print("${name}")\n`);
    writeFileSync(path.join(skill, 'scripts', 'check.sh'), `echo ${name}\n`);
    writeFileSync(path.join(skill, 'references', 'guide.md'), `# Guide to ${name}\n`);
  }
  return { requests };
}

function skillText(name: string, topic: readonly string[], random: () => number): string {
  const head = `---\nname: ${name}\ndescription: Works on ${topic.join(' ')}. Use when somebody asks for ${topic[0]}.\n---\n`;
  let text = `${head}# ${name}\n`;
  while (text.length < BODY_BYTES) {
    const title = words(random, 3).join(' ');
    text += `\n## ${title}\n\n${words(random, 80).join(' ')}.\n\n\`\`\`sh\n# ${title}\necho ok\n\`\`\`\n`;
  }
  return text;
}

function words(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => {
    const isCommon = random() < COMMON_SHARE;
    return isCommon
      ? (COMMON[Math.floor(random() * COMMON.length)] ?? 'the')
      : word(Math.floor(VOCABULARY ** random()));
  });
}

function word(number: number): string {
  let text = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
