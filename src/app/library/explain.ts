// What policy would say to a call, and which rule of each layer says so; nothing is done.
import type { Handle } from './handle.ts';
import type { CallToExplain, PolicyVerdict } from './public/explain.ts';

/** Throws a Fault where there is no such skill. */
export async function explainTo(handle: Handle, call: CallToExplain): Promise<PolicyVerdict> {
  const runtime = handle.begin();
  const { explainCall } = await import('../explain/explain.ts');
  const { words = [], network = false, ...asked } = call;
  const order = { ...asked, words, network, params: {} };
  const { effect, decision, layers, grant, tier, lines } = await explainCall(order, runtime);
  return {
    effect,
    risk: decision.risk,
    layers,
    ...(grant && { grant: grant.id }),
    ...(tier !== undefined && { tier }),
    text: lines.join('\n'),
  };
}
