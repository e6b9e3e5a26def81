// How `--model` names a model: what follows the name of a provider is a file, a model of its server, or nothing.
import { LOCAL_PROVIDERS, REMOTE_PROVIDERS } from '../../model/provider/providers.ts';

/** With the words that stand for a file and for a model. */
export function modelForms(file: string, model: string): string[] {
  const local = LOCAL_PROVIDERS.map(({ name, fileParam }) => (fileParam === undefined ? name : `${name}:${file}`));
  return [...local, ...REMOTE_PROVIDERS.map(({ name }) => `${name}:${model}`)];
}
