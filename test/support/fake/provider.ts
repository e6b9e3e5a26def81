// A provider with a wire format of its own, one question and one text: imported by changed source only.
import type { Connection, LanguageModel, RemoteProvider } from '../../../src/model/provider/provider.ts';

export const fakeProvider: RemoteProvider = {
  name: 'fake',
  telemetryName: 'fake',
  address: { missing: 'the address of the test' },
  keyEnv: 'FAKE_KEY',
  mayLackTools: false,
  open: async (connection) => (send) => fakeModel(connection, send),
  callSettings: (params) => ({ providerOptions: { fake: params } }),
};

function fakeModel({ name, baseUrl, key = '' }: Connection, send: typeof fetch): LanguageModel {
  const say = async (streamed: boolean, options: unknown): Promise<string> => {
    const { providerOptions } = options as { providerOptions: unknown };
    const body = JSON.stringify({ model: name, streamed, providerOptions });
    const answered = await send(`${baseUrl}/say`, { method: 'POST', headers: { 'x-key': key }, body });
    return streamed ? await answered.text() : ((await answered.json()) as { said: string }).said;
  };
  const finish = {
    finishReason: { unified: 'stop' },
    usage: { inputTokens: { total: 7 }, outputTokens: { total: 3 } },
  };
  const model = {
    doGenerate: async (options: unknown) => ({
      content: [{ type: 'text', text: await say(false, options) }],
      ...finish,
    }),
    doStream: async (options: unknown) => {
      const parts = [
        { type: 'text-delta', id: '1', delta: await say(true, options) },
        { type: 'finish', ...finish },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
  // Of the interface of the SDK, what we call.
  return model as unknown as LanguageModel;
}
