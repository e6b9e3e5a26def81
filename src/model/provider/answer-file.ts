// A file with answers of a model, as JSON.
import { Fault } from '../../base/errors.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';

export function readAnswerFile(file: string): Json {
  const text = readTextIfThere(file);
  if (text === undefined) throw new Fault('DataNotFound', visible(file));
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('InvalidJson', visible(file), { cause: error });
  }
}
