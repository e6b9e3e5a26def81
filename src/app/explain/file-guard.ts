// What the guard of the file tools adds to `explain`: a closed path stays closed, whatever policy allows.
import { callFromWords } from '../../policy/explain.ts';
import { filesOf } from '../../policy/need.ts';
import { isOwnState } from '../../policy/place.ts';
import type { AskedCall, Layer, PolicyDecision } from '../../policy/policy.ts';
import { obeyedIfChanged } from '../../tools/file/obeyed-change.ts';
import { refusalOf, type World } from '../../tools/file/path-guard.ts';
import { findTool } from '../../tools/list.ts';
import { isChange } from '../../tools/tool.ts';
import type { Runtime } from '../runtime.ts';
import { guardedOf } from '../workspace/guarded.ts';

export function withFileGuard(decision: PolicyDecision, asked: AskedCall, { places, config }: Runtime): PolicyDecision {
  const { tool, layers } = decision;
  if (!tool || layers.some(({ layer }) => layer === 'state')) return decision;
  const world = worldOf({ places, config });
  const closed = filesOf(tool, asked).flatMap(({ path, does }): Layer[] => {
    const refusal = refusalOf(world, path, isChange(does));
    return refusal ? [{ layer: 'files', rule: { kind: 'closed-path', why: refusal }, effect: 'deny' }] : [];
  });
  return closed.length === 0 ? decision : { ...decision, effect: 'deny', layers: [...closed, ...layers] };
}

/** Of the files that the words name, those that the tool would change and others obey. */
export function obeyedFiles(
  { tool: name, words }: { readonly tool: string; readonly words: readonly string[] },
  runtime: Runtime,
): Pick<AskedCall, 'obeyed'> {
  const tool = findTool(name);
  const changed = tool ? filesOf(tool, callFromWords(name, words)).filter(({ does }) => isChange(does)) : [];
  if (changed.length === 0) return {};
  const guarded = guardedOf(runtime);
  const obeyed = changed.flatMap(({ path }) => {
    const by = obeyedIfChanged(worldOf(runtime), path, guarded);
    return by ? [{ path, by }] : [];
  });
  return { obeyed };
}

function worldOf({ places, config }: Pick<Runtime, 'places' | 'config'>): World {
  const { project } = places;
  return { project, outputFolder: config.outputFolder, isOwnState: (file) => isOwnState(file, places) };
}
