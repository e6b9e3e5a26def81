// Lets Node find the packages of the environment by their names, for modules and scripts alike; loaded before the script.
const { registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');

const folder = process.env.NODE_PATH;
const BARE = /^(?![./\\#]|[a-zA-Z][a-zA-Z0-9+.-]*:)/;

if (folder && registerHooks) {
  const beside = pathToFileURL(`${folder}/../any.js`).href;
  const own = pathToFileURL(`${folder}/`).href;
  registerHooks({
    resolve(specifier, context, next) {
      // Packages find each other as they always do.
      if (!BARE.test(specifier) || context.parentURL?.startsWith(own)) return next(specifier, context);
      try {
        return next(specifier, { ...context, parentURL: beside });
      } catch (error) {
        if (error?.code !== 'ERR_MODULE_NOT_FOUND' && error?.code !== 'MODULE_NOT_FOUND') throw error;
        return next(specifier, context);
      }
    },
  });
}
