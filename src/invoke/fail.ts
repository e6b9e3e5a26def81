// A failure of a call as an outcome that also says what to do next.
import { ERRORS } from '../base/error-catalogue.ts';
import { Fault, toFault } from '../base/errors.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { type Answering, type Data, failedOutcome, type Outcome } from '../base/outcome.ts';
import { errorCode } from '../base/read-file.ts';
import { visible } from '../base/text.ts';

const PARAMS: Text = {
  en: '`skillwright inspect <skill>` shows what each parameter takes.',
  zh: '`skillwright inspect <技能>` 查看各参数要求。',
};

/** Advice that speaks of some skill is about the one that was called. */
export function fail(by: Answering, fault: Fault, extra: Data = {}, skill: unknown = extra.skill): Outcome {
  const isAboutSkill = typeof skill === 'string';
  const advice = inLanguage(isAboutSkill && fault.hint === ERRORS.ParamInvalid.hint ? PARAMS : fault.hint, by.language);
  const hint = isAboutSkill ? advice.replace(/<skill>|<技能>/, () => visible(skill)) : advice;
  return failedOutcome(by, fault, { ...extra, hint });
}

/** Anything thrown as a Fault; what the file system forbids is no mistake of ours. */
export function nameFault(thrown: unknown): Fault {
  const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(thrown) ?? '');
  if (!isForbidden || !(thrown instanceof Error)) return toFault(thrown);
  const file = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined;
  return new Fault('PermissionDenied', visible(thrown.message), {
    cause: thrown,
    ...(file !== undefined && { details: { path: file } }),
    hint: { en: 'Check who owns that path and who may write there.', zh: '请检查该路径的所有者与写入权限。' },
  });
}
