// The scripts that `init` writes: what their words mean, so that a task does in this process what they do by hand.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../base/assets.ts';
import type { Edit } from '../tools/edit.ts';

export const SHIPPED_SCRIPTS = ['skill_manager.py', 'skill_scanner.py', 'file_editor.py'] as const;
export type ShippedScript = (typeof SHIPPED_SCRIPTS)[number];

/** What `init` writes, by its place in the project. */
export const WORKER_FILES: readonly { readonly asset: string; readonly file: string }[] = [
  ...SHIPPED_SCRIPTS.map((name) => ({ asset: `task/assets/${name}`, file: `bin/${name}` })),
  { asset: 'task/assets/worker_agent.md', file: '.claude/agents/worker_agent.md' },
  { asset: 'task/assets/skills.md', file: '.claude/agents/skills.md' },
];

/** What looks at skills, counts the use of one, or asks whether one goes. */
export type SkillLook =
  | { readonly at: 'list' | 'scan' }
  | { readonly at: 'search'; readonly query: string }
  | { readonly at: 'record' | 'inspect' | 'uninstall'; readonly skill: string };

export type ShippedCall =
  | { readonly look: SkillLook }
  | { readonly edit: Edit; readonly file: string }
  | {
      readonly missing: readonly string[];
      readonly required: readonly string[];
      /** Those there are, where the operation is missing. */
      readonly operations?: readonly string[];
    }
  /** Only a person does this, with this command. */
  | { readonly byPerson: string }
  /** No such operation, or too many words. */
  | { readonly usage: string }
  /** It was asked for. */
  | { readonly help: string };

/** The shipped script of that name, if its bytes are still ours. */
export function findShipped(project: string, script: string): ShippedScript | undefined {
  const name = SHIPPED_SCRIPTS.find((one) => `bin/${one}` === script);
  if (name === undefined) return undefined;
  const own = readFileSync(assetPath(`task/assets/${name}`));
  return own.equals(readFileSync(path.join(project, script))) ? name : undefined;
}

interface Operation {
  readonly required: readonly string[];
  /** More words belong to the last one. */
  readonly open?: boolean;
  call(words: readonly string[]): ShippedCall;
}

export function readShipped(script: ShippedScript, [name = '', ...words]: readonly string[]): ShippedCall {
  if (words.length === 0 && (name === '--help' || name === '-h')) return { help: usageOf(script) };
  const operations = OPERATIONS[script];
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation)
    return name === ''
      ? { missing: ['operation'], required: ['operation'], operations: Object.keys(operations) }
      : { usage: usageOf(script) };
  const { required, open = false } = operation;
  if (words.length < required.length) return { missing: required.slice(words.length), required };
  if (words.length > required.length && !open) return { usage: usageOf(script) };
  return operation.call(words);
}

function usageOf(script: ShippedScript): string {
  const lines = Object.entries(OPERATIONS[script]).map(([name, { required }]) =>
    [`  ${name}`, ...required.map((word) => `<${word}>`)].join(' '),
  );
  return [`usage: ${script} <operation> [args...]`, ...lines].join('\n');
}

const edit = (required: readonly string[], make: (words: readonly string[]) => Edit): Operation => ({
  required: ['file', ...required],
  call: ([file = '', ...words]) => ({ file, edit: make(words) }),
});

const OPERATIONS: Readonly<Record<ShippedScript, Readonly<Record<string, Operation>>>> = {
  'skill_manager.py': {
    list: { required: [], call: () => ({ look: { at: 'list' } }) },
    search: {
      required: ['keyword'],
      open: true,
      call: (words) => ({ look: { at: 'search', query: words.join(' ') } }),
    },
    record: { required: ['skill_name'], call: ([skill = '']) => ({ look: { at: 'record', skill } }) },
    inspect: { required: ['skill_name'], call: ([skill = '']) => ({ look: { at: 'inspect', skill } }) },
    uninstall: { required: ['skill_name'], call: ([skill = '']) => ({ look: { at: 'uninstall', skill } }) },
    install: { required: ['source'], call: () => ({ byPerson: 'skillwright install <source>' }) },
  },
  'skill_scanner.py': {
    scan: { required: [], call: () => ({ look: { at: 'scan' } }) },
  },
  'file_editor.py': {
    replace: edit(['old', 'new'], ([old = '', text = '']) => ({ op: 'replace', old, new: text })),
    append: edit(['content'], ([content = '']) => ({ op: 'append', content })),
    prepend: edit(['content'], ([content = '']) => ({ op: 'prepend', content })),
    'insert-after': edit(['marker', 'content'], ([marker = '', content = '']) => ({
      op: 'insert-after',
      marker,
      content,
    })),
    'insert-before': edit(['marker', 'content'], ([marker = '', content = '']) => ({
      op: 'insert-before',
      marker,
      content,
    })),
    'delete-between': edit(['start', 'end'], ([start = '', end = '']) => ({ op: 'delete-between', start, end })),
    regex: edit(['pattern', 'replacement'], ([pattern = '', replacement = '']) => ({
      op: 'regex',
      pattern,
      replacement,
    })),
    'update-json': edit(['field_path', 'value'], ([field = '', value = '']) => ({
      op: 'update-json',
      path: field,
      value,
    })),
  },
};
