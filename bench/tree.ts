// Generated trees of skills: 8 KB SKILL.md with a folded description, two scripts and one reference each.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const WORDS =
  'report table chart invoice schema build deploy index query cache audit convert extract merge review'.split(' ');

/** Fills `<folder>/.claude/skills` with skills; the same count gives the same bytes. */
export function plantSkills(folder: string, count: number): void {
  const root = path.join(folder, '.claude', 'skills');
  for (let number = 0; number < count; number++) {
    const name = `${word(number)}-${word(number * 7 + 3)}-${String(number).padStart(5, '0')}`;
    const skill = path.join(root, name);
    mkdirSync(path.join(skill, 'scripts'), { recursive: true });
    mkdirSync(path.join(skill, 'references'));
    writeFileSync(path.join(skill, 'SKILL.md'), skillText(name, number));
    writeFileSync(path.join(skill, 'scripts', 'run.py'), `print("${name}")\n`);
    writeFileSync(path.join(skill, 'scripts', 'check.sh'), `echo ${name}\n`);
    writeFileSync(path.join(skill, 'references', 'guide.md'), `# Guide to ${name}\n`);
  }
}

function skillText(name: string, number: number): string {
  const topic = `${word(number)} ${word(number * 3 + 1)}`;
  const frontmatter = [
    '---',
    `name: ${name}`,
    'description: >-',
    `  Works on ${topic} files: reads them, checks their structure and writes a`,
    `  summary with the figures that matter. Use when somebody asks for a ${topic}`,
    '  or mentions one of the formats it knows.',
    'license: Apache-2.0',
    `version: 1.${number % 10}.0`,
    'allowed-tools: Read, Grep, Bash(git status:*)',
    'metadata:',
    '  author: bench',
    `  category: ${word(number)}`,
    '---',
    '',
  ].join('\n');
  const section = (title: number) =>
    `\n## Part ${title}\n\n${`The ${topic} is handled step by step, and each step says what it read. `.repeat(10)}\n`;
  let body = `# ${name}\n`;
  for (let part = 1; frontmatter.length + body.length < 8192; part++) body += section(part);
  return frontmatter + body;
}

function word(number: number): string {
  return WORDS[number % WORDS.length] ?? 'skill';
}
