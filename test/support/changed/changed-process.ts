// Preloaded by `node --import`: the whole process runs with the changes that its environment names.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyChange, type Change, repository } from './change.ts';

const changes = JSON.parse(process.env.CHANGED_SOURCE ?? '[]') as Change[];
const changesOf = Map.groupBy(changes, ({ file }) => pathToFileURL(path.join(repository, file)).href);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const wanted = changesOf.get(url.replace(/\?.*$/, ''));
    return wanted ? { ...loaded, source: wanted.reduce(applyChange, String(loaded.source)) } : loaded;
  },
});
