// What a grant is for, compared with what the skill really has.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import { AUTOMATIC_ACTIONS } from '../../door/kind/action.ts';
import { type GrantTarget, whyTooWide } from '../../policy/grant/grant.ts';
import { isScript } from '../../process/shebang.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { DigestFile } from '../../skill/digest.ts';
import { findTool, TOOL_NAMES } from '../../tools/list.ts';
import type { ToolName } from '../../tools/tool-name.ts';

/** What is to be allowed, as it was asked for. */
export type GrantedThing =
  | { readonly kind: 'code' }
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'script'; readonly script: string; readonly words: readonly string[]; readonly exact: boolean }
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly exact: boolean }
  | { readonly kind: 'shell'; readonly script: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly pattern: string };

interface SkillWithFiles {
  readonly skill: Pick<SkillEntry, 'name' | 'kind' | 'manifest' | 'folder'>;
  readonly files: readonly DigestFile[];
  /** The folder of worker scripts, where every file is one. */
  readonly isWorker: boolean;
}

/** Throws a Fault for what the skill does not have, and for what would be a permission for anything. */
export function targetFor(thing: GrantedThing, of: SkillWithFiles): GrantTarget {
  const target = findTarget(thing, of);
  const tooWide = whyTooWide(target);
  if (tooWide !== undefined) throw new Fault('InvalidArgs', visible(tooWide), { hint: NARROWER[thing.kind] });
  return target;
}

const MORE_WORDS: Text = {
  en: 'A grant is never a permission for anything: name more words, or add --exact.',
  zh: '授权不能是任意许可：请写明更多词，或加 --exact。',
};

const NARROWER: Record<GrantedThing['kind'], Text> = {
  code: MORE_WORDS,
  action: MORE_WORDS,
  script: MORE_WORDS,
  command: MORE_WORDS,
  shell: MORE_WORDS,
  tool: {
    en: 'A grant is never a permission for anything: "notes/**" and "domain:example.org" are patterns, --command is for commands.',
    zh: '授权不能是任意许可：模式如 "notes/**"、"domain:example.org"；命令请用 --command。',
  },
};

function findTarget(thing: GrantedThing, of: SkillWithFiles): GrantTarget {
  switch (thing.kind) {
    case 'code':
      return thing;
    case 'action':
      return findAction(thing.action, of);
    case 'script':
      return { ...thing, script: of.isWorker ? findWorkerScript(thing.script, of) : findScript(thing.script, of) };
    case 'command':
    case 'shell':
      return thing;
    case 'tool':
      return { ...thing, tool: requireTool(thing.tool) };
  }
}

function findAction(action: string, { skill }: SkillWithFiles): GrantTarget {
  if (skill.kind !== 'protocol')
    throw new Fault('UnknownAction', visible(action), {
      hint: {
        en: `${visible(skill.name)} has no actions; grant a script with --script.`,
        zh: `${visible(skill.name)} 没有操作；请用 --script 授权脚本。`,
      },
    });
  const declared = skill.manifest.actions ?? [];
  const found = declared.find(({ name }) => name === action);
  const isKnown = found !== undefined || declared.length === 0 || AUTOMATIC_ACTIONS.includes(action);
  const names = declared.map(({ name }) => name);
  if (!isKnown || action === '') throw missing('UnknownAction', action, names);
  return { kind: 'action', action, ...(found && found.params.length > 0 && { params: found.params }) };
}

function findScript(written: string, { skill, files }: SkillWithFiles): string {
  const script = path.posix.normalize(written);
  const isOne = (file: DigestFile) => file.mode !== 'link' && isScript(path.join(skill.folder, file.path));
  const scripts = files.filter(isOne).map((file) => file.path);
  if (!scripts.includes(script)) throw missing('ScriptNotFound', written, scripts);
  return script;
}

/** Named below the project, as a task names it. */
function findWorkerScript(written: string, { files }: SkillWithFiles): string {
  const script = path.posix.normalize(written);
  const scripts = files.map((file) => `bin/${file.path}`);
  if (!scripts.includes(script)) throw missing('ScriptNotFound', written, scripts);
  return script;
}

function requireTool(name: string): ToolName {
  const tool = findTool(name);
  if (tool) return tool;
  const shown = visible(name);
  const list = { en: `There are ${TOOL_NAMES.join(', ')}.`, zh: `可用: ${TOOL_NAMES.join('、')}。` };
  throw new Fault(
    'Usage',
    { en: `unknown tool: ${shown}`, zh: `未知工具: ${shown}` },
    didYouMean(name, TOOL_NAMES, list),
  );
}

function missing(type: 'UnknownAction' | 'ScriptNotFound', written: string, there: readonly string[]): Fault {
  const list = there.map(visible).join(', ');
  const otherwise = { en: `The skill has: ${list || 'none'}.`, zh: `该技能有: ${list || '无'}。` };
  return new Fault(type, visible(written), didYouMean(written, there, otherwise));
}
