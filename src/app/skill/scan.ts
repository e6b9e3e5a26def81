// What changed on disk since the last scan, in the records of the project and in the search index.
import { type SpokenDiagnostic, speak } from '../../base/diagnostic.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import type { Index } from '../../registry/discover.ts';
import { describeScan, type ScanResult, scan } from '../../registry/scan.ts';
import type { Runtime } from '../runtime.ts';

export interface ScanAnswer {
  readonly outcome: Outcome;
  readonly result: ScanResult;
  readonly diagnostics: readonly SpokenDiagnostic[];
}

export async function scanSkills(runtime: Runtime): Promise<ScanAnswer> {
  const index = runtime.index();
  await refreshSearch(index, runtime);
  using store = await runtime.openStore();
  const result = scan(index, store, runtime.clock.now());
  const { added, updated, removed, total } = result;
  const diagnostics = speak(result.diagnostics, runtime.language);
  const data = { added, updated, removed, total, diagnostics };
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', describeScan(result), data),
    result,
    diagnostics,
  };
}

/** Apart, so that its memory can be given back before the files are hashed. */
async function refreshSearch(index: Index, runtime: Runtime): Promise<void> {
  const search = await runtime.searchIndex(index, 'read');
  search.refresh();
}
