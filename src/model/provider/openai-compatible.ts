// Servers that speak the chat completions format: most of those that are not Anthropic's.
import type { RemoteProvider } from './provider.ts';

export const openaiCompatible: RemoteProvider = {
  name: 'openai-compatible',
  // Whoever speaks its protocol counts as that, as the conventions have it.
  telemetryName: 'openai',
  address: { missing: 'the address in front of /chat/completions' },
  mayLackTools: true,
  async open({ name, baseUrl, key }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const shared = { name: 'openaiCompatible', baseURL: baseUrl, includeUsage: true, ...(key && { apiKey: key }) };
    return (send) => createOpenAICompatible({ ...shared, fetch: send })(name);
  },
  // Handed into the body of the request as they are.
  callSettings: (params) => ({ providerOptions: { openaiCompatible: params } }),
};
