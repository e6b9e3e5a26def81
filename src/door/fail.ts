// A failure of a call as an outcome that also says what to do next.

import { ERRORS, type ErrorType } from '../base/error/catalogue.ts';
import { Fault, toFault } from '../base/errors.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { type Answering, type Data, type FailedOutcome, failedOutcome, type Product } from '../base/outcome.ts';
import { errorCode } from '../base/read-file.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';

const PARAMS: Text = {
  en: '`skillwright inspect <skill>` shows what each parameter takes.',
  zh: '`skillwright inspect <技能>` 查看各参数要求。',
};

/** Advice that speaks of some skill is about the one that was called. */
export function fail(
  by: Answering,
  fault: Fault,
  extra: Data = {},
  skill: unknown = extra.skill,
  product?: Product,
): FailedOutcome {
  const isAboutSkill = typeof skill === 'string';
  const advice = inLanguage(isAboutSkill && fault.hint === ERRORS.ParamInvalid.hint ? PARAMS : fault.hint, by.language);
  const hint = isAboutSkill ? advice.replace(/<skill>|<技能>/, () => typedWord(skill)) : advice;
  return failedOutcome(by, fault, { ...extra, hint }, { next: hint, ...(product && { product }) });
}

const FORBIDDEN: Remedy = {
  type: 'PermissionDenied',
  hint: { en: 'Check who owns that path and who may write there.', zh: '请检查该路径的所有者与写入权限。' },
};

const FULL: Remedy = { type: 'LIMIT_DISK' };

const NO_FOLDER: Remedy = {
  type: 'StateUnusable',
  hint: {
    en: 'A file stands where a folder is needed: move it aside, or set HOME or the project to another place.',
    zh: '需要目录处是文件: 请将其移开，或更换 HOME 或项目位置。',
  },
};

interface Remedy {
  readonly type: ErrorType;
  /** That of the type unless given. */
  readonly hint?: Text;
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: FORBIDDEN,
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: NO_FOLDER,
};

/** Anything thrown as a Fault; what the file system refuses is no mistake of ours. */
export function nameFault(thrown: unknown): Fault {
  const remedy = REMEDIES[errorCode(thrown) ?? ''];
  if (!remedy || !(thrown instanceof Error)) return toFault(thrown);
  const file = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined;
  return new Fault(remedy.type, visible(thrown.message), {
    cause: thrown,
    ...(file !== undefined && { details: { path: file } }),
    ...(remedy.hint && { hint: remedy.hint }),
  });
}
