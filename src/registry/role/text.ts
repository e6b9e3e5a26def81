// The texts of a role: its guidance and the descriptions of its skills; never a file from elsewhere through a link.
import { statSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose, type WordedDiagnostic } from '../../base/diagnostic.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import { isInside, realPath } from '../../base/paths.ts';

export interface RoleTexts {
  /** Real paths of CLAUDE.md and .claude/skills/README.md. */
  readonly instructions?: string;
  readonly readme?: string;
}

const SIZE_LIMIT = 1024 * 1024;

/** A model reads these: a link to a secret of the user would leak it. Links inside the project are fine. */
export function findTexts(folder: string, project: string): { texts: RoleTexts; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const find = (name: string) => {
    const file = path.join(folder, name);
    const real = realPath(file);
    if (real === undefined || !statSync(real).isFile()) return undefined;
    const problem = whyNot(real, realPath(project) ?? project);
    if (problem === undefined) return real;
    diagnostics.push(diagnose({ code: 'text-refused', severity: 'error', path: file, ...problem }));
    return undefined;
  };
  const instructions = find('CLAUDE.md');
  const readme = find('.claude/skills/README.md');
  const texts = {
    ...(instructions !== undefined && { instructions }),
    ...(readme !== undefined && { readme }),
  };
  return { texts, diagnostics };
}

function whyNot(real: string, project: string): Pick<WordedDiagnostic, 'message' | 'fix'> | undefined {
  if (!isInside(project, real) || isHiddenFile(path.relative(project, real)))
    return {
      message: { en: 'leads to a file outside the project, or to a hidden one', zh: '指向项目之外的文件或隐藏文件' },
      fix: { en: 'put the text itself there', zh: '请将文本本身放在此处' },
    };
  if (statSync(real).size > SIZE_LIMIT)
    return {
      message: { en: `is larger than ${SIZE_LIMIT} bytes`, zh: `超过 ${SIZE_LIMIT} 字节` },
      fix: { en: 'keep what guides the role short', zh: '请精简指导角色的文本' },
    };
  return undefined;
}
