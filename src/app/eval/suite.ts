// Which suites a person means: files, names below .agent/evals, skills; and which skills no case is about.

import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import type { Case } from '../../evals/case/case.ts';
import { findSuiteFiles, type SuiteFile } from '../../evals/case/suite.ts';
import { isSkill } from '../../evals/trace.ts';
import type { Index, SkillEntry } from '../../registry/discover.ts';
import { damagedSkill } from '../../registry/named-skill.ts';
import { resolveSkill } from '../../registry/resolve.ts';
import type { Runtime } from '../runtime.ts';

export interface Chosen {
  readonly name: string;
  readonly files: readonly SuiteFile[];
  /** Skills that should have cases. */
  readonly skills: readonly SkillEntry[];
}

/** Without names: the suites of the project and those beside its skills; with `all` beside every skill. */
export function chooseSuites(runtime: Runtime, written: readonly string[], all: boolean): Chosen {
  const index = runtime.index();
  const folder = path.join(runtime.project, '.agent', 'evals');
  if (written.length > 0) {
    const named = written.map((one) => findNamed(one, folder, index));
    const skills = named.flatMap(({ skill }) => skill ?? []);
    return { name: written.join(' '), files: unique(named.flatMap(({ files }) => files)), skills };
  }
  const skills = index.skills.filter(({ state, source }) => state === 'visible' && (all || source === 'project'));
  const files = unique([...findSuiteFiles(folder), ...skills.flatMap(besideSkill)]);
  if (files.length === 0) throw new Fault('EvalInvalid', NO_CASES, { hint: whereCasesAre(index) });
  return { name: all ? 'all' : path.basename(runtime.project), files, skills };
}

/** Skills no case asks for and no suite lies beside. */
export function findUncovered(skills: readonly SkillEntry[], cases: readonly Case[]): string[] {
  const isCovered = ({ name, skillId }: SkillEntry) =>
    cases.some(({ skill, skills: { required, anyOf } }) => {
      return skill === name || [...required, ...anyOf].some((reference) => isSkill(reference, skillId));
    });
  return skills.filter((skill) => !isCovered(skill)).map(({ name }) => name);
}

interface Named {
  readonly files: readonly SuiteFile[];
  readonly skill?: SkillEntry;
}

function findNamed(written: string, folder: string, index: Index): Named {
  const target = path.resolve(written);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found?.isFile()) return { files: [{ file: target, ...ownerOf(target, index) }] };
  const own = findSuiteFiles(folder).filter(({ file }) => nameOf(file, folder) === written);
  if (own.length > 0) return { files: own };
  const resolved = resolveSkill(index, written);
  if ('damaged' in resolved) throw damagedSkill(resolved.damaged);
  if ('found' in resolved) {
    const files = besideSkill(resolved.found);
    if (files.length > 0) return { files, skill: resolved.found };
    throw new Fault(
      'EvalInvalid',
      { en: `${visible(written)} has no evals`, zh: `${visible(written)} 没有评测用例` },
      { hint: WRITE_ONE },
    );
  }
  if (found?.isDirectory()) return { files: findSuiteFiles(target) };
  const names = [
    ...findSuiteFiles(folder).map(({ file }) => nameOf(file, folder)),
    ...index.skills.map(({ name }) => name),
  ];
  const shown = visible(written);
  throw new Fault(
    'EvalInvalid',
    { en: `no suite, skill or file ${shown}`, zh: `没有名为 ${shown} 的用例集、技能或文件` },
    didYouMean(written, names, {
      en: 'Suites lie in .agent/evals and in evals/ beside a skill.',
      zh: '用例集位于 .agent/evals 或技能目录的 evals/ 下。',
    }),
  );
}

function besideSkill({ folder, name }: SkillEntry): SuiteFile[] {
  return findSuiteFiles(path.join(folder, 'evals'), name);
}

/** A file given by its path may lie beside a skill all the same. */
function ownerOf(file: string, { skills }: Index): { skill?: string } {
  const owner = skills.find(({ folder }) => path.join(folder, 'evals') === path.dirname(file));
  return owner ? { skill: owner.name } : {};
}

function nameOf(file: string, folder: string): string {
  return path.relative(folder, file).replace(/\.(?:json|ya?ml)$/, '');
}

function unique(files: readonly SuiteFile[]): SuiteFile[] {
  return [...new Map(files.map((one) => [one.file, one])).values()];
}

const NO_CASES: Text = { en: 'no eval cases here', zh: '此处没有评测用例' };

const WRITE_ONE: Text = {
  en: '`skillwright eval new --from latest` writes a case of the latest `skillwright run` to .agent/evals.',
  zh: '`skillwright eval new --from latest` 将最近一次 `skillwright run` 写成 .agent/evals 中的用例。',
};

/** A skill that has some, else the command that writes one. */
function whereCasesAre({ skills }: Index): Text {
  const owner = skills.find((skill) => skill.state === 'visible' && besideSkill(skill).length > 0);
  if (owner === undefined) return WRITE_ONE;
  const command = `skillwright eval ${typedWord(owner.name)}`;
  return {
    en: `Write cases to .agent/evals, or run those of a skill: ${command}`,
    zh: `请在 .agent/evals 中编写用例，或运行某个技能的用例: ${command}`,
  };
}
