// A labelled routing set on disk: skills to choose from, requests with the skills that fit, requests with skills that must not win.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { isRecord, type Json, parseJson } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import type { RankDocument } from '../../registry/rank/stream.ts';

export interface RoutingQuery {
  readonly id: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly language: string;
}

export interface RoutingNegative {
  readonly query: string;
  readonly notRelevant: readonly string[];
}

export interface RoutingSet {
  readonly pool: readonly RankDocument[];
  readonly queries: readonly RoutingQuery[];
  readonly negatives: readonly RoutingNegative[];
}

/** Reads pool.jsonl, queries.jsonl and, where there is one, negatives.jsonl. */
export function readRoutingSet(folder: string): RoutingSet {
  const pool = readLines(folder, 'pool.jsonl', true, toDocument);
  const known = new Set(pool.map(({ id }) => id));
  const queries = readLines(folder, 'queries.jsonl', true, (line) => toQuery(line, known));
  const negatives = readLines(folder, 'negatives.jsonl', false, toNegative);
  return { pool, queries, negatives };
}

type Line = Record<string, unknown>;

function readLines<T>(folder: string, name: string, required: boolean, read: (line: Line) => T): T[] {
  const file = path.join(folder, name);
  const text = readTextIfThere(file);
  if (text === undefined && required) throw new Fault('DataNotFound', visible(file));
  const items: T[] = [];
  for (const [at, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      items.push(read(asRecord(parseJson(line))));
    } catch (error) {
      throw new Fault('ParamInvalid', `${visible(file)}:${at + 1}: ${reason(error)}`, { cause: error });
    }
  }
  if (required && items.length === 0) throw new Fault('DataNotFound', `${visible(file)} has no lines`);
  return items;
}

function toDocument(line: Line): RankDocument {
  const headings = line.headings === undefined ? [] : texts(line, 'headings');
  const examples = line.examples === undefined ? [] : texts(line, 'examples');
  return {
    id: text(line, 'id'),
    digest: '',
    name: text(line, 'name'),
    description: text(line, 'description'),
    headings,
    bodyStart: line.body_head === undefined ? '' : text(line, 'body_head'),
    examples,
  };
}

function toQuery(line: Line, known: ReadonlySet<string>): RoutingQuery {
  const relevant = texts(line, 'relevant');
  if (relevant.length === 0) throw new TypeError('"relevant" names no skill');
  const missing = relevant.find((id) => !known.has(id));
  if (missing !== undefined) throw new TypeError(`"relevant" names ${visible(missing)}, which is not in the pool`);
  const language = line.lang === undefined ? 'unknown' : text(line, 'lang');
  return { id: text(line, 'id'), query: text(line, 'query'), relevant, language };
}

function toNegative(line: Line): RoutingNegative {
  return { query: text(line, 'query'), notRelevant: texts(line, 'not_relevant') };
}

function asRecord(value: Json): Line {
  if (!isRecord(value)) throw new TypeError('not a JSON object');
  return value;
}

function text(line: Line, key: string): string {
  const value = line[key];
  if (typeof value !== 'string') throw new TypeError(`"${key}" must be a text`);
  return value;
}

function texts(line: Line, key: string): string[] {
  const value = line[key];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new TypeError(`"${key}" must be a list of texts`);
  }
  return value;
}

function reason(error: unknown): string {
  return error instanceof Error ? visible(error.message) : String(error);
}
