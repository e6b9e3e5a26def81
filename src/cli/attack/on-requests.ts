// Attempts to pass a yes for one host on to another.
import { Fault } from '../../base/errors.ts';
import { defaultNetworkPolicy, requestNetwork } from '../../tools/network.ts';
import type { GuardAttempts } from './attempt.ts';
import { listen } from './listen.ts';

export const ON_REQUESTS: GuardAttempts = { 'request-redirect': { threat: 63, getsThrough: requestRedirect } };

async function requestRedirect(): Promise<boolean> {
  await using other = await listen(() => undefined);
  await using named = await listen(() => `${other.origin}/collect`);
  // Both stand on this machine, as only a grant for private addresses allows; hosts are told apart all the same.
  const policy = { ...defaultNetworkPolicy, refuses: () => false };
  const request = { url: `${named.origin}/`, method: 'POST', body: 'private', headers: { 'x-api-key': 'key' } };
  try {
    await requestNetwork(request, policy);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  if (named.arrived.length === 0) throw new Error('the request did not reach the host that was named');
  return other.arrived.length > 0;
}
