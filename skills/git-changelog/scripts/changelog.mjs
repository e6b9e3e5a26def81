#!/usr/bin/env node
// Writes a changelog from the commits of a git repository.
// Usage: changelog.mjs [--from NAME] [--to NAME] [--releases N] [--path PATH] [--title T] [--lang en|zh] [--authors yes|no] [--output FILE]
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCommits } from './commit.mjs';
import { findReleases, isShallow } from './release.mjs';
import { renderChangelog } from './render.mjs';

const USAGE =
  'usage: changelog.mjs [--from NAME] [--to NAME] [--releases N] [--path PATH] [--title T] [--lang en|zh] [--authors yes|no] [--output FILE]';
const FILE_NAME = 'CHANGELOG.md';
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
    const text = renderChangelog(releases, {
      ...options,
      language: options.lang,
      isShallow: releases.length > 0 && isShallow(),
      withAuthors: options.authors === 'yes',
    });
    const output = chooseOutput(options.output);
    mkdirSync(path.dirname(output), { recursive: true });
    writeFileSync(output, text);
    console.log(describe(releases, output, options.lang));
    return 0;
  } catch (error) {
    return fail(error.message, 1);
  }
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
      },
    });
    const count = Number(values.releases);
    const isGood = ['en', 'zh'].includes(values.lang) && ['yes', 'no'].includes(values.authors);
    return isGood && Number.isInteger(count) && count >= 1 && count <= MAX_RELEASES ? { ...values, count } : undefined;
  } catch {
    return undefined;
  }
}

/** Beside the other outputs unless told otherwise; a folder gets the usual name. */
function chooseOutput(asked = path.join('mybox', 'output', FILE_NAME)) {
  const isFolder = asked.endsWith('/') || statSync(asked, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? path.join(asked, FILE_NAME) : asked;
}

function describe(releases, output, language) {
  const changes = releases.reduce((sum, { commits }) => sum + commits.length, 0);
  return language === 'zh'
    ? `✅ 更新日志已生成: ${output} (${changes} 项变更)`
    : `✅ changelog written: ${output} (${changes} ${changes === 1 ? 'change' : 'changes'})`;
}

function localeLanguage() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh' : 'en';
}

function fail(message, code) {
  console.error(message);
  return code;
}
