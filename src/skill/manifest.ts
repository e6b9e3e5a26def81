// The typed manifest of a skill, read leniently: what real files say, in the words the rest of the product uses.
import { readerFailed } from '../base/diagnostic.ts';
import { isRecord } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { truncate, visible } from '../base/text.ts';
import { KNOWN_FIELDS } from './field.ts';
import { type Findings, report } from './finding.ts';
import { readFrontmatter } from './read/frontmatter.ts';
import { inferDescription } from './read/infer.ts';
import { readActions, readParams } from './read/param.ts';
import {
  keepUnknown,
  type Reader,
  readAllowedTools,
  readCommand,
  readEntry,
  readFlag,
  readNames,
  readRequires,
  readText,
  readTimeout,
} from './read/read-field.ts';
import { respell } from './read/spelling.ts';
import { isUnsafe } from './safe-text.ts';
import type { Manifest, Param, ParsedSkill } from './skill.ts';

export interface Where {
  readonly path: string;
  readonly folderName: string;
  /** Whether tag-shaped text in name and description is refused; it is unless told otherwise. */
  readonly blockAngleBrackets?: boolean;
}

const NAME_LIMIT = 64;
export const DESCRIPTION_LIMIT = 1024;
// Enough to see what is wrong with a field.
const COMPLAINTS = 5;
const NAME_SHAPE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads a skill from the text of SKILL.md, or from its beginning as far as the frontmatter reaches. A skill that cannot
 * be used has no manifest; an error beside a manifest means that one part of it was refused. Never throws.
 * @example
 * const { manifest, diagnostics } = parseSkill(text, { path: 'notes/SKILL.md', folderName: 'notes' });
 */
export function parseSkill(text: string, where: Where): ParsedSkill {
  try {
    return readSkill(text, where);
  } catch (error) {
    return { diagnostics: [readerFailed(where.path, error)] };
  }
}

function readSkill(text: string, where: Where): ParsedSkill {
  const { values, block, diagnostics } = readFrontmatter(text, where.path);
  const findings: Findings = { path: where.path, block, diagnostics };
  if (values === undefined) return block === undefined ? inferSkill(text, where, findings) : { diagnostics };
  const reader: Reader = { values, findings, unknown: undefined };
  collectUnknown(reader);
  const name = readName(reader, where);
  const description = readDescription(reader);
  if (description === undefined || isRefused(name, description, where, findings)) return { name, diagnostics };
  return { manifest: readManifest(reader, name, description), diagnostics };
}

type Draft = { -readonly [Field in keyof Manifest]: Manifest[Field] };

function readManifest(reader: Reader, name: string, description: string): Manifest {
  const manifest: Draft = {
    name,
    description,
    disableModelInvocation: readFlag(reader, 'disable-model-invocation', false),
    userInvocable: readFlag(reader, 'user-invocable', true),
    runMode: readRunMode(reader),
    network: readFlag(reader, 'network', false),
    deterministic: readFlag(reader, 'deterministic', true),
  };
  set(manifest, 'version', readText(reader, 'version'));
  set(manifest, 'author', readText(reader, 'author'));
  set(manifest, 'license', readText(reader, 'license'));
  set(manifest, 'compatibility', readText(reader, 'compatibility'));
  set(manifest, 'argumentHint', readText(reader, 'argument-hint'));
  set(manifest, 'allowedTools', readAllowedTools(reader));
  set(manifest, 'command', readCommand(reader));
  set(manifest, 'entry', readEntry(reader));
  set(manifest, 'params', readDeclaredParams(reader));
  set(manifest, 'timeout', readTimeout(reader));
  set(manifest, 'requires', readRequires(reader));
  set(manifest, 'secrets', readNames(reader, 'secrets'));
  const { actions, metadata } = reader.values;
  if (actions !== undefined) set(manifest, 'actions', readActions(actions, complainAbout(reader, 'actions')));
  if (isRecord(metadata)) manifest.metadata = metadata;
  else if (metadata !== undefined && metadata !== null) keepUnknown(reader, 'metadata', metadata);
  set(manifest, 'unknown', reader.unknown);
  return manifest;
}

function set<Field extends keyof Draft>(draft: Draft, field: Field, value: Draft[Field] | undefined): void {
  if (value !== undefined) draft[field] = value;
}

function collectUnknown(reader: Reader): void {
  for (const key of Object.keys(reader.values)) {
    if (KNOWN_FIELDS.has(key)) continue;
    respell(reader, key);
    keepUnknown(reader, key, reader.values[key]);
  }
  if (reader.unknown === undefined) return;
  const keys = Object.keys(reader.unknown);
  const named = truncate(keys.map(visible).join(', '), 200);
  const message = {
    en: `Unknown fields are kept and have no effect: ${named}.`,
    zh: `未知字段予以保留，但不起作用: ${named}。`,
  };
  report(reader.findings, 'info', 'field-unknown', message, { key: keys[0] ?? '' });
}

function readName(reader: Reader, { folderName }: Where): string {
  const { findings } = reader;
  const name = readText(reader, 'name');
  const folder = folderName.slice(folderName.lastIndexOf('/') + 1);
  if (name === undefined || name === '') {
    const message = { en: 'Add a name; the folder name is used.', zh: '请添加 name；目前使用目录名。' };
    const details = { line: findings.block?.startLine, fix: `name: ${folder}` };
    report(findings, 'warning', 'name-missing', message, details);
    return folder;
  }
  if (name === folder && name.length <= NAME_LIMIT && NAME_SHAPE.test(name)) return name;
  reportName(name, folder, findings);
  return name;
}

function reportName(name: string, folder: string, findings: Findings): void {
  if (name !== folder) {
    const shown = visible(folder);
    const message = {
      en: `Name the skill like its folder, ${shown}; it answers to both.`,
      zh: `请让技能与其目录 ${shown} 同名；目前两个名称都可用。`,
    };
    report(findings, 'warning', 'name-folder', message, { key: 'name', fix: `name: ${folder}` });
  }
  if (name.length > NAME_LIMIT) {
    const message = {
      en: `Shorten the name to ${NAME_LIMIT} characters.`,
      zh: `请将名称缩短到 ${NAME_LIMIT} 个字符。`,
    };
    report(findings, 'warning', 'name-long', message, { key: 'name' });
  }
  if (!NAME_SHAPE.test(name)) {
    const message = {
      en: 'Use small letters, digits and single hyphens in the name.',
      zh: '名称请使用小写字母、数字和单个连字符。',
    };
    const slug = [name, folder].map(toSlug).find((one) => NAME_SHAPE.test(one));
    report(findings, 'warning', 'name-shape', message, { key: 'name', ...(slug && { fix: `name: ${slug}` }) });
  }
}

/** The name in the letters that every tool takes; empty where it has none of them. */
function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])(?=[A-Z][a-z])/g, '$1-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LIMIT)
    .replace(/^-+|-+$/g, '');
}

function readDescription(reader: Reader): string | undefined {
  const description = readText(reader, 'description');
  if (description === undefined || description === '') {
    const message = {
      en: 'Add a description that says what the skill does and when to use it.',
      zh: '请添加 description，说明技能做什么、何时使用。',
    };
    const line = reader.findings.block?.startLine;
    report(reader.findings, 'error', 'description-missing', message, { line, fix: 'description: …' });
    return undefined;
  }
  const whenToUse = readText(reader, 'when_to_use');
  const whole = whenToUse ? `${description} ${whenToUse}` : description;
  if (whole.length > DESCRIPTION_LIMIT) {
    const message = {
      en: `Shorten the description to ${DESCRIPTION_LIMIT} characters; the catalog cuts it.`,
      zh: `请将描述缩短到 ${DESCRIPTION_LIMIT} 个字符；目录会截断它。`,
    };
    report(reader.findings, 'warning', 'description-long', message, { key: 'description' });
  }
  return whole;
}

function isRefused(name: string, description: string, where: Where, findings: Findings): boolean {
  const blocksTags = where.blockAngleBrackets !== false;
  const badName = isUnsafe('name', name, blocksTags, findings);
  return isUnsafe('description', description, blocksTags, findings) || badName;
}

function readRunMode(reader: Reader): Manifest['runMode'] {
  const { context, 'run-mode': mode } = reader.values;
  if (context !== undefined && context !== 'fork') keepUnknown(reader, 'context', context);
  if (mode === undefined) return context === 'fork' ? 'subagent' : 'inline';
  if (mode === 'inline' && context !== 'fork') return 'inline';
  if (mode !== 'subagent' && mode !== 'inline') {
    const message = {
      en: 'Write run-mode as inline or subagent; until then it is subagent.',
      zh: 'run-mode 请写 inline 或 subagent；在此之前为 subagent。',
    };
    report(reader.findings, 'warning', 'field-restricted', message, { key: 'run-mode' });
  }
  return 'subagent';
}

function readDeclaredParams(reader: Reader): Param[] | undefined {
  const { params } = reader.values;
  if (params !== undefined && params !== null) return readParams(params, complainAbout(reader, 'params'));
  return readNames(reader, 'arguments')?.map((name) => ({ name, type: 'string', required: false }));
}

function complainAbout(reader: Reader, key: string): (message: Text) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.size >= COMPLAINTS || said.has(message.en)) return;
    said.add(message.en);
    report(reader.findings, 'warning', 'field-type', message, { key });
  };
}

/**
 * A file of instructions without frontmatter: a person can choose it; it is never offered to a model, because its author
 * wrote no words for that.
 */
function inferSkill(text: string, where: Where, { path, diagnostics }: Findings): ParsedSkill {
  const description = inferDescription(text);
  const name = where.folderName.slice(where.folderName.lastIndexOf('/') + 1);
  const findings: Findings = { path, block: undefined, diagnostics: [] };
  const isOther = diagnostics.some(({ code }) => code !== 'frontmatter-missing');
  if (isOther || description === undefined || isRefused(name, description, where, findings)) return { diagnostics };
  const message = {
    en: 'Add a frontmatter with name and description; until then only a person can choose the skill.',
    zh: '请添加含有 name 和 description 的 frontmatter；在此之前只有人能选择该技能。',
  };
  const fix = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`;
  report(findings, 'warning', 'frontmatter-missing', message, { line: 1, fix });
  const reader: Reader = { values: { 'disable-model-invocation': true }, findings, unknown: undefined };
  return { manifest: readManifest(reader, name, description), diagnostics: findings.diagnostics };
}
