// A model that says what it is told to: the answers of a case file, or those of the settings.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import type { Model } from '../model.ts';
import { type ScriptedAnswer, scriptedModel } from '../scripted.ts';
import { readAnswerFile } from './answer-file.ts';
import type { LocalProvider } from './provider.ts';

export const mock: LocalProvider = {
  name: 'mock',
  fileParam: 'script',
  async open({ settings: { params }, folder, answered }) {
    const { script, answers } = params;
    if (script === undefined && answers === undefined) refuseMisspelt(Object.keys(params));
    return typeof script === 'string' ? openScript(script, folder, answered) : sayAnswers(answers);
  },
};

/** A case file: a list of decisions, or an object that holds one as `answers`. */
function openScript(script: string, folder: string, answered: number): Model {
  const value = readAnswerFile(path.resolve(folder, script));
  const answers: unknown = isRecord(value) ? (value.answers ?? value.decisions) : value;
  const afterwards = isRecord(value) && isAnswer(value.afterwards) ? { afterwards: value.afterwards } : {};
  if (!Array.isArray(answers) || !answers.every(isAnswer)) throw notACase(script);
  return scriptedModel(answers.slice(answered), afterwards);
}

/** One by one; without any, that there is nothing to say. */
function sayAnswers(answers: unknown): Model {
  if (answers === undefined)
    return scriptedModel([], { afterwards: { action: { type: 'final_answer', content: 'mock: no answers are set' } } });
  if (Array.isArray(answers) && answers.every(isAnswer)) return scriptedModel(answers);
  throw new Fault('ConfigInvalid', {
    en: 'model.params.answers is a list of decisions or texts',
    zh: 'model.params.answers 必须是决策或文本的列表',
  });
}

/** A model that has nothing to say because of a misspelt word would end every run well. */
function refuseMisspelt([given]: readonly string[]): void {
  if (given === undefined) return;
  const shown = visible(given);
  throw new Fault(
    'ConfigInvalid',
    { en: `model.params.${shown} is unknown to mock`, zh: `mock 不认识 model.params.${shown}` },
    {
      hint: {
        en: 'It takes script, the name of a file of answers, or answers, a list of decisions and texts.',
        zh: '可用 script（回答文件的名称）或 answers（决策与文本的列表）。',
      },
    },
  );
}

function isAnswer(value: unknown): value is ScriptedAnswer {
  return typeof value === 'string' || isRecord(value);
}

function notACase(file: string): Fault {
  const shown = visible(file);
  return new Fault('ConfigInvalid', {
    en: `${shown} holds no list of answers`,
    zh: `${shown} 不是回答列表`,
  });
}
