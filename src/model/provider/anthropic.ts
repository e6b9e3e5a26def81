// Servers that speak the Messages format of Anthropic.
import { Fault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import type { RemoteProvider, SdkOptions } from './provider.ts';

const NUMBERS = { temperature: 'temperature', top_p: 'topP', top_k: 'topK', max_tokens: 'maxOutputTokens' } as const;

export const anthropic: RemoteProvider = {
  name: 'anthropic',
  telemetryName: 'anthropic',
  address: { url: 'https://api.anthropic.com/v1' },
  keyEnv: 'ANTHROPIC_API_KEY',
  mayLackTools: false,
  async open({ name, baseUrl, key }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return (send) => createAnthropic({ baseURL: baseUrl, apiKey: key ?? '', fetch: send })(name);
  },
  // The names of the Messages format where the SDK has its own; the rest as the SDK spells it.
  callSettings(params) {
    const settings: Partial<SdkOptions> = {};
    const rest: Record<string, Json> = { disableParallelToolUse: true };
    for (const [name, value] of Object.entries(params)) {
      if (!isNumberName(name)) rest[name] = value;
      else if (typeof value === 'number') settings[NUMBERS[name]] = value;
      else throw new Fault('ConfigInvalid', visible(`model.params.${name} is a number`));
    }
    return { ...settings, providerOptions: { anthropic: rest } };
  },
};

function isNumberName(name: string): name is keyof typeof NUMBERS {
  return Object.hasOwn(NUMBERS, name);
}
