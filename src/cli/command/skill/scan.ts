// `scan`: what changed on disk since the last time, in the records of the project and in the search index.
import { scanSkills } from '../../../app/skill/scan.ts';
import { visible } from '../../../base/text.ts';
import type { ScanResult } from '../../../registry/scan.ts';
import type { Command } from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';

const LISTED = 20;

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright scan', 'skillwright scan --json'],
  about: {
    en: 'The files decide: skills that left the disk leave the records. Bodies of new and changed skills are read into the search index.',
    zh: '以文件为准: 已从磁盘移除的技能也从记录中移除。新增和变更的技能正文会读入搜索索引。',
  },
  async run({ runtime, terminal }) {
    const { outcome, result, diagnostics } = await scanSkills(runtime);
    const changes = renderChanges(result);
    const parts = [changes, renderDiagnostics(diagnostics, runtime.project, terminal)].filter(Boolean);
    return { outcome, ...(parts.length > 0 && { human: parts.join('\n') }) };
  },
};

function renderChanges({ added, updated, removed }: ScanResult): string {
  const lines = [listNames('+', added), listNames('~', updated), listNames('-', removed)];
  return lines.filter((line) => line !== undefined).join('\n');
}

function listNames(mark: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const rest = names.length > LISTED ? `, … (${names.length - LISTED})` : '';
  return `  ${mark} ${names.slice(0, LISTED).map(visible).join(', ')}${rest}`;
}
