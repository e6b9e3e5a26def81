#!/usr/bin/env node
// Writes a changelog from the commits of a git repository.
// Usage: changelog.mjs [--from NAME] [--to NAME] [--releases N] [--path PATH] [--title T] [--lang en|zh] [--authors yes|no] [--format markdown|json] [--output FILE]
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCommits } from './commit.mjs';
import { findReleases, isShallow } from './release.mjs';
import { renderChangelog } from './render.mjs';

const USAGE =
  'usage: changelog.mjs [--from NAME] [--to NAME] [--releases N] [--path PATH] [--title T] [--lang en|zh] [--authors yes|no] [--format markdown|json] [--output FILE]';
const FILE_NAMES = { markdown: 'CHANGELOG.md', json: 'changelog.json' };
const CHOICES = { lang: ['en', 'zh'], authors: ['yes', 'no'], format: Object.keys(FILE_NAMES) };
const MAX_RELEASES = 200;

process.exitCode = main(process.argv.slice(2));

function main(args) {
  const options = readOptions(args);
  if (options === undefined) return fail(USAGE, 2);
  try {
    const releases = findReleases(options).map((release) => ({
      ...release,
      ...readCommits({ ...options, ...release }),
    }));
    const output = chooseOutput(options);
    mkdirSync(path.dirname(output), { recursive: true });
    writeFileSync(output, render(releases, options));
    console.log(describe(releases, shown(output), options.lang));
    return 0;
  } catch (error) {
    return fail(error.message, 1);
  }
}

function render(releases, options) {
  const shallow = releases.length > 0 && isShallow();
  if (options.format === 'json') return `${JSON.stringify({ shallow, releases }, null, 2)}\n`;
  const withAuthors = options.authors === 'yes';
  return renderChangelog(releases, { ...options, language: options.lang, isShallow: shallow, withAuthors });
}

function readOptions(args) {
  try {
    const text = { type: 'string' };
    const names = ['from', 'path', 'title', 'output'];
    const { values } = parseArgs({
      args,
      options: {
        ...Object.fromEntries(names.map((name) => [name, text])),
        to: { ...text, default: 'HEAD' },
        releases: { ...text, default: '1' },
        lang: { ...text, default: localeLanguage() },
        authors: { ...text, default: 'yes' },
        format: { ...text, default: 'markdown' },
      },
    });
    const count = Number(values.releases);
    const isGood = Object.entries(CHOICES).every(([name, choices]) => choices.includes(values[name]));
    return isGood && Number.isInteger(count) && count >= 1 && count <= MAX_RELEASES ? { ...values, count } : undefined;
  } catch {
    return undefined;
  }
}

/** Beside the other outputs unless told otherwise; a folder gets the usual name. */
function chooseOutput({ output, format }) {
  const asked = output || path.join('mybox', 'output', FILE_NAMES[format]);
  const isFolder = asked.endsWith('/') || statSync(asked, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? path.join(asked, FILE_NAMES[format]) : asked;
}

function describe(releases, output, language) {
  const changes = releases.reduce((sum, { commits }) => sum + commits.length, 0);
  return language === 'zh'
    ? `✅ 更新日志已生成: ${output} (${changes} 项变更)`
    : `✅ changelog written: ${output} (${changes} ${changes === 1 ? 'change' : 'changes'})`;
}

/** As seen from the working folder, where that is shorter. */
function shown(file) {
  const inside = path.relative('.', file);
  return inside.startsWith('..') ? file : inside;
}

function localeLanguage() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh' : 'en';
}

function fail(message, code) {
  console.error(message);
  return code;
}
