// Evals from code: whether skills still do what they did, each case in a world of its own.
import type { Report } from '../../evals/report/report.ts';
import { nameModel } from '../../model/choice.ts';
import { carryOut } from './carry-out.ts';
import type { Handle } from './handle.ts';
import type { Evals } from './public/evals.ts';

export function evalsOf(handle: Handle): Evals {
  return {
    async run(wish = {}) {
      const { suites = [], all = false, only = [], tags = [], signal, onProgress } = wish;
      const { model = 'offline', allow = false, repeat, workers, maxCost } = wish;
      return await carryOut<Report>(handle, {}, missing, async (runtime) => {
        const [{ evaluate, loadCases }, { concludeEval }] = await Promise.all([
          import('../eval/run.ts'),
          import('../eval/outcome.ts'),
        ]);
        const loaded = await loadCases(runtime, { suites, all, ids: only, tags });
        const stop = handle.signalFor(signal);
        const order = { model: nameModel(model, runtime.project), yes: allow, stop, repeat, workers, maxCost };
        const { report } = await evaluate(loaded, runtime, { ...order, ...(onProgress && { onProgress }) });
        return { outcome: concludeEval(report, {}, runtime, false), found: { result: report } };
      });
    },
  };
}

function missing(): never {
  throw new Error('an eval ended well without a report');
}
