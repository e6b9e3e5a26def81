// A skill's instructions as they appear in the context: their source, how to use the skill, its files.
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { argumentsOf, type SkillArguments } from '../loader/argument.ts';
import { type Body, fillFor, loadBody } from '../loader/body.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Param } from '../skill/skill.ts';
import { asData, frame } from './frame.ts';
import { wordsAfter } from './request.ts';
import type { LoadedSkill } from './run-state.ts';
import type { Session } from './session.ts';

export interface SkillText {
  readonly text: string;
  readonly loaded: LoadedSkill;
}

export function readSkillText(
  skill: SkillEntry,
  {
    state,
    bodyLines,
    requireUnchanged,
    serverOf,
  }: Pick<Session, 'state' | 'bodyLines' | 'requireUnchanged' | 'serverOf'>,
): SkillText {
  requireUnchanged(skill, { file: path.basename(skill.file) });
  const body = loadBody(skill, { maxLines: bodyLines, ...argumentsIn(state, skill) });
  const { skillId, name, source, folder } = skill;
  const server = serverOf?.(skill);
  const parts = [
    frame('instructions', asData(body.text)),
    ...usagePart(skill, (text) => fillFor(skill, text, argumentsIn(state, skill))),
    ...outlinePart(body),
    ...filesPart(body),
  ];
  return {
    text: frame('skill', parts.join('\n'), {
      ...{ name, source, path: folder },
      ...(server !== undefined && { server }),
    }),
    loaded: { skill_id: skillId, name, source, folder, sha256: sha256(body.text) },
  };
}

/** What the request says behind the name of the skill, for its placeholders. */
export function argumentsIn({ request }: Session['state'], skill: SkillEntry): { arguments?: SkillArguments } {
  const line = wordsAfter(request, skill) ?? (request.named.includes(skill.skillId) ? request.input : undefined);
  return line === undefined ? {} : { arguments: argumentsOf(line, skill.manifest) };
}

function usagePart({ kind, manifest }: SkillEntry, fill: (text: string) => string): string[] {
  if (kind === 'prompt') return [];
  const lines =
    kind === 'command'
      ? [`invoke_skill params: ${describeParams(manifest.params ?? [])}`]
      : (manifest.actions ?? []).map(
          ({ name, description = '', params }) => `action ${name}: ${description} params: ${describeParams(params)}`,
        );
  return [frame('usage', asData(lines.length > 0 ? fill(lines.join('\n')) : 'invoke_skill with an action and params'))];
}

function describeParams(params: readonly Param[]): string {
  if (params.length === 0) return 'as the instructions say';
  return params
    .map(({ name, type, required, default: value, enum: choices, description = '' }) => {
      const facts = [
        choices ? choices.join('|') : type,
        required ? 'required' : '',
        value === undefined ? '' : `default ${value}`,
      ];
      return `${name} (${[...facts, description].filter((fact) => fact !== '').join(', ')})`;
    })
    .join('; ');
}

function outlinePart({ truncated, outline }: Body): string[] {
  if (!truncated || outline.length === 0) return [];
  const titles = outline.map(({ title }) => title).join('; ');
  return [asData(`Cut; further sections of SKILL.md, readable with load_resource and section_hint: ${titles}`)];
}

function filesPart({ resources: { items, cut } }: Body): string[] {
  if (items.length === 0) return [];
  const lines = items.map(({ path, kind, bytes }) => `${path} (${kind}, ${bytes} bytes)`);
  return [frame('files', asData([...lines, ...(cut ? ['…'] : [])].join('\n')))];
}
