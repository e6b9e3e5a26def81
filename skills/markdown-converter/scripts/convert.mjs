#!/usr/bin/env node
// Turns a Markdown file into a web page or into plain text.
// Usage: convert.mjs INPUT [--to html|text] [--output OUTPUT] [--title TITLE] [--lang CODE] [--contents auto|yes|no]
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseBlocks } from './markdown/block.mjs';
import { splitFrontMatter } from './markdown/front-matter.mjs';
import { renderHtml } from './markdown/html.mjs';
import { detectLanguage } from './markdown/language.mjs';
import { renderPage } from './markdown/page.mjs';
import { renderText } from './markdown/text.mjs';

const USAGE =
  'usage: convert.mjs INPUT [--to html|text] [--output OUTPUT] [--title TITLE] [--lang CODE] [--contents auto|yes|no]';
const EXTENSIONS = { html: '.html', text: '.txt' };
const CONTENTS = ['auto', 'yes', 'no'];
const MAX_BYTES = 32 * 1024 * 1024;

process.exitCode = main(process.argv.slice(2));

function main(args) {
  const options = readOptions(args);
  if (options === undefined) return fail(USAGE, 2);
  try {
    const source = readSource(options.input);
    const output = chooseOutput(options);
    const result = convert(source, options);
    mkdirSync(path.dirname(output), { recursive: true });
    writeFileSync(output, result);
    console.log(`✅ ${saysChinese() ? '转换完成' : 'converted'}: ${shown(output)} (${sizeOf(result)})`);
    return 0;
  } catch (error) {
    return fail(`${saysChinese() ? '转换失败' : 'not converted'}: ${error.message}`, 1);
  }
}

function convert(source, { input, to, title, lang, contents }) {
  const { text, values } = splitFrontMatter(source);
  const document = parseBlocks(text);
  if (to === 'text') return renderText(document);
  const { body, headings } = renderHtml(document);
  const named = title || values.title || headings[0]?.title || path.basename(input, path.extname(input));
  const language = [lang, values.language, detectLanguage(text)].find((code) =>
    /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/.test(code ?? ''),
  );
  const style = readFileSync(path.join(import.meta.dirname, '..', 'assets', 'page.css'), 'utf8');
  return renderPage({ body, headings, title: named, language, style, contents });
}

function readOptions(args) {
  try {
    const text = { type: 'string' };
    const { values, positionals } = parseArgs({
      args,
      options: {
        to: { ...text, default: 'html' },
        output: text,
        title: text,
        lang: text,
        contents: { ...text, default: 'auto' },
      },
      allowPositionals: true,
    });
    const isGood =
      positionals.length === 1 && Object.hasOwn(EXTENSIONS, values.to) && CONTENTS.includes(values.contents);
    return isGood ? { input: positionals[0], ...values } : undefined;
  } catch {
    return undefined;
  }
}

function readSource(input) {
  if (statSync(input).size > MAX_BYTES) throw new Error(`${input} is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  const bytes = readFileSync(input);
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes).replaceAll('\0', '\ufffd');
}

/** Beside the other outputs unless told otherwise; a folder gets the name of the input. */
function chooseOutput({ input, to, output }) {
  const name = path.basename(input, path.extname(input)) + EXTENSIONS[to];
  const asked = output || path.join('mybox', 'output', name);
  const isFolder = asked.endsWith('/') || statSync(asked, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? path.join(asked, name) : asked;
  const isInput = statSync(file, { throwIfNoEntry: false }) && realpathSync(file) === realpathSync(input);
  if (isInput) throw new Error(`the output would replace the input ${input}`);
  return file;
}

/** As seen from the working folder, where that is shorter. */
function shown(file) {
  const inside = path.relative('.', file);
  return inside.startsWith('..') ? file : inside;
}

function saysChinese() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '');
}

function sizeOf(text) {
  const bytes = Buffer.byteLength(text);
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}KB`;
}

function fail(message, code) {
  console.error(message);
  return code;
}
