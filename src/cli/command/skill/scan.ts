// `scan`: what changed on disk since the last time, in the records of the project and in the search index.
import type { Runtime } from '../../../app/runtime.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Index } from '../../../registry/discover.ts';
import { describeScan, type ScanResult, scan } from '../../../registry/scan.ts';
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
    const index = runtime.index();
    await refreshSearch(index, runtime);
    using store = await runtime.openStore();
    const result = scan(index, store, runtime.clock.now());
    const { added, updated, removed, total, diagnostics } = result;
    const data = { added, updated, removed, total, diagnostics };
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', describeScan(result), data);
    const parts = [renderChanges(result), renderDiagnostics(diagnostics, runtime.project, terminal)].filter(Boolean);
    return { outcome, ...(parts.length > 0 && { human: parts.join('\n') }) };
  },
};

/** Apart, so that its memory can be given back before the files are hashed. */
async function refreshSearch(index: Index, runtime: Runtime): Promise<void> {
  const search = await runtime.searchIndex(index, 'read');
  search.refresh();
}

function renderChanges({ added, updated, removed }: ScanResult): string {
  const lines = [listNames('+', added), listNames('~', updated), listNames('-', removed)];
  return lines.filter((line) => line !== undefined).join('\n');
}

function listNames(mark: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const rest = names.length > LISTED ? `, … (${names.length - LISTED})` : '';
  return `  ${mark} ${names.slice(0, LISTED).map(visible).join(', ')}${rest}`;
}
