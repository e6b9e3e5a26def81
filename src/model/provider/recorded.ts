// A model that repeats what another one answered, from a file of `--record`.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isListOf, isNumber, isObject, isText } from '../../base/value/shape.ts';
import type { ModelReply, TokenUsage } from '../model.ts';
import { type Recording, recordedModel } from '../recorded.ts';
import { readAnswerFile } from './answer-file.ts';
import type { LocalProvider } from './provider.ts';

export const recorded: LocalProvider = {
  name: 'recorded',
  fileParam: 'recording',
  async open({ settings: { params }, folder, answered }) {
    const { recording } = params;
    if (typeof recording !== 'string')
      throw new Fault('ConfigInvalid', {
        en: 'model.params.recording names no file',
        zh: 'model.params.recording 未指定文件',
      });
    return recordedModel(readRecordings(path.resolve(folder, recording)).slice(answered));
  },
};

const areRecordings = isListOf(
  isObject<Recording>({
    request: isText,
    reply: isObject<ModelReply>({
      text: isText,
      usage: isObject<TokenUsage>({ inputTokens: isNumber, outputTokens: isNumber, cost: isNumber }),
    }),
  }),
);

export function readRecordings(file: string): Recording[] {
  const value = readAnswerFile(file);
  if (areRecordings(value)) return value;
  const shown = visible(file);
  throw new Fault(
    'ConfigInvalid',
    { en: `${shown} holds no recorded answers, or damaged ones`, zh: `${shown} 不含录制的回答，或已损坏` },
    {
      hint: {
        en: 'Record it again: `skillwright run "…" --record FILE`.',
        zh: '请重新录制: `skillwright run "…" --record 文件`。',
      },
    },
  );
}
