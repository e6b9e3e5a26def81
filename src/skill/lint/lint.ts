// Lints a whole SKILL.md under one of three profiles: lenient (as people write it), spec (agentskills.io), strict (also our required sections).
import path from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { visible } from '../../base/text.ts';
import { type Findings, report } from '../finding.ts';
import { findCutTexts } from '../flow-comma.ts';
import { isLabel } from '../kind.ts';
import { parseSkill, type Where } from '../manifest.ts';
import { findBody, readFrontmatter } from '../read/frontmatter.ts';
import { quote } from '../read/requote.ts';
import type { Profile } from '../skill.ts';
import { lintBody, lintSections } from './body.ts';
import { lintSpec } from './spec.ts';
import { lintSeed } from './strict.ts';

export interface LintOptions extends Where {
  readonly profile: Profile;
  readonly maxBodyLines: number;
  /** Paths inside the skill folder; without them references are not checked. */
  readonly files?: readonly string[];
}

/** Everything worth saying about the file, in the order of its lines. */
export function lintSkill(text: string, options: LintOptions): Diagnostic[] {
  const { profile } = options;
  const { manifest, diagnostics } = parseSkill(text, options);
  const { values, block } = readFrontmatter(text, options.path);
  const findings: Findings = { path: options.path, block, diagnostics: [] };
  if (values !== undefined && profile === 'spec') lintSpec(values, findings);
  if (values !== undefined && profile === 'strict') lintSeed(values, options.blockAngleBrackets !== false, findings);
  if (values !== undefined) lintCutTexts(profile, findings);
  if (manifest?.command !== undefined) lintCommand(manifest.command, findings);
  if (manifest !== undefined || block !== undefined) {
    const found = findBody(text, block);
    lintBody(found, options, findings);
    if (profile === 'strict') lintSections(found.body, findings);
  }
  // The specification counts the description without when_to_use, and does so itself.
  const counted = profile === 'spec' ? diagnostics.filter(({ code }) => code !== 'description-long') : diagnostics;
  const judged = counted.map((diagnostic) => judge(diagnostic, profile));
  return [...judged, ...findings.diagnostics].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

// Whatever only the ladder could read is wrong for those who publish.
const REPAIRS: ReadonlySet<string> = new Set([
  'bom',
  'fence-loose',
  'fence-comment',
  'fence-code-block',
  'fence-missing',
  'fence-late',
  'frontmatter-missing',
  'frontmatter-unclosed',
  'yaml-requoted',
  'yaml-salvaged',
  'yaml-duplicate-key',
  'prototype-key',
  'field-restricted',
  'name-missing',
]);
const SPEC_RULES: ReadonlySet<string> = new Set(['name-folder', 'name-shape', 'name-long']);

function judge(diagnostic: Diagnostic, profile: Profile): Diagnostic {
  const isError =
    (profile !== 'lenient' && REPAIRS.has(diagnostic.code)) || (profile === 'spec' && SPEC_RULES.has(diagnostic.code));
  return isError ? { ...diagnostic, severity: 'error' } : diagnostic;
}

/** Wrong for those who publish: others read half of the text. */
function lintCutTexts(profile: Profile, findings: Findings): void {
  const { block } = findings;
  if (block === undefined) return;
  for (const { key, meant, line } of findCutTexts(block.text)) {
    const shown = visible(key);
    const message = {
      en: `Put the value of ${shown} in quotes: a comma cuts it.`,
      zh: `请将 ${shown} 的值放入引号: 逗号会截断它。`,
    };
    const details = { line: block.startLine + line, fix: `${key}: ${quote(meant)}` };
    report(findings, profile === 'strict' ? 'error' : 'warning', 'flow-comma', message, details);
  }
}

function lintCommand(command: string, findings: Findings): void {
  if (!isLabel(command, path.dirname(findings.path))) return;
  const message = {
    en: 'Name a file of the skill or a program with arguments; a label alone is not run.',
    zh: '请写技能中的文件，或带参数的程序；单独的标签不会运行。',
  };
  report(findings, 'info', 'command-label', message, { key: 'command' });
}
