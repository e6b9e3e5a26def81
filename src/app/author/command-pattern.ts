// Findings about entries of `allowed-tools` that look as if they allowed a command and never match one.
import { type Diagnostic, diagnose } from '../../base/diagnostic.ts';
import { visible } from '../../base/text.ts';
import { neverStretches } from '../../policy/command/guard.ts';
import { parseCommandPattern } from '../../policy/pattern.ts';
import type { Manifest, ToolRule } from '../../skill/skill.ts';
import { toolOf, toolsNamed } from '../../tools/list.ts';

export function commandPatternFindings(file: string, manifest: Manifest | undefined): Diagnostic[] {
  return (manifest?.allowedTools ?? []).flatMap((rule) => findingsOf(rule, file));
}

/** `Bash(kubectl:*)`: what follows could be another program, so every word has to be spelled out. */
function findingsOf({ tool, pattern = '' }: ToolRule, file: string): Diagnostic[] {
  const isAboutWords = toolsNamed(tool).some((one) => ['command', 'shell'].includes(toolOf(one).about));
  const parsed = isAboutWords ? parseCommandPattern(pattern) : undefined;
  if (!parsed || !neverStretches(parsed.words)) return [];
  if (!parsed.open && !parsed.words.some((word) => word.includes('*'))) return [];
  const [program = ''] = parsed.words.map(visible);
  const written = visible(`${tool}(${pattern})`);
  const message = {
    en: `${written} allows nothing: what follows ${program} may start another program.`,
    zh: `${written} 不允许任何命令: ${program} 之后的内容可能启动其他程序。`,
  };
  const fix = {
    en: `spell out each command, such as ${tool}(${program} …), or leave ${tool} without a pattern`,
    zh: `请逐词写出每条命令，如 ${tool}(${program} …)，或写不带模式的 ${tool}`,
  };
  return [diagnose({ code: 'command-pattern', severity: 'warning', path: file, message, fix })];
}
