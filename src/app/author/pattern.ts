// Findings about `pattern` of parameters, for whoever checks skills and roles.
import { type Diagnostic, diagnose } from '../../base/diagnostic.ts';
import { visible } from '../../base/text.ts';
import { brokenPatterns } from '../../door/param-pattern.ts';
import type { Manifest } from '../../skill/skill.ts';

/** Errors: such a parameter can be given no value at all. */
export async function patternFindings(file: string, manifest: Manifest | undefined): Promise<Diagnostic[]> {
  if (!manifest) return [];
  return (await brokenPatterns(manifest)).map(({ name, pattern }) => {
    const message = {
      en: visible(`pattern of ${name} cannot be used: ${pattern}`),
      zh: visible(`${name} 的 pattern 无法使用: ${pattern}`),
    };
    const fix = {
      en: 'write a valid expression without look-around and back-references',
      zh: '请写有效的表达式，不含环视与反向引用',
    };
    return diagnose({ code: 'param-pattern', severity: 'error', path: file, message, fix });
  });
}
