// What a server says of its tools, as data that nobody believes: bounded, and named by its bytes.
import { canonicalJson, isRecord, type Json, toJson } from '../../base/json.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import { mirrorsFairly } from './mirrored-header.ts';

/** A tool of a server, as it was defined when it was looked at. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  /** What the server says of its risk: shown, never believed. */
  readonly annotations?: Json;
  /** Of all that it says about itself: another description is another tool. */
  readonly digest: Digest;
}

/** A name that can stand in a list of tools, in a grant and in a record. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/;
const LONGEST = 64 * 1024;

/** Undefined for what is no tool, cannot be named, or is too long to be read by a person. */
export function readServerTool(value: unknown): ServerTool | undefined {
  if (!isRecord(value)) return undefined;
  const { name, title, description, inputSchema: input, outputSchema, annotations: told } = value;
  if (typeof name !== 'string' || !NAME.test(name) || name.includes('..') || !isRecord(input)) return undefined;
  const whole = toJson({ name, title, description, inputSchema: input, outputSchema, annotations: told });
  const bytes = canonicalJson(whole);
  if (bytes.length > LONGEST || !isRecord(whole) || !mirrorsFairly(input)) return undefined;
  const { inputSchema = {}, annotations } = whole;
  return {
    name,
    description: [title, description].filter((text) => typeof text === 'string').join(': '),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    digest: makeDigest(bytes),
  };
}
