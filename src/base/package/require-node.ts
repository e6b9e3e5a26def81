// Loaded before the rest of the library: an older Node is told so in one sentence instead of by whatever fails first.
import { OLDEST_NODE, tooOldNode } from '../node-version.ts';

const said = tooOldNode();
if (said !== undefined)
  throw new Error(
    `${said} Install it from https://nodejs.org, or run this once with: npx -y -p node@${OLDEST_NODE} -- node <file>`,
  );
