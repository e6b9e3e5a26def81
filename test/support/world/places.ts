// The places of a policy, from paths as tests write them; all of them have to be absolute.
import assert from 'node:assert/strict';
import path from 'node:path';
import { absolutePath } from '../../../src/base/value/absolute-path.ts';
import type { Places } from '../../../src/policy/place.ts';

export function placesAt(project: string, home: string, output: readonly string[] = []): Places {
  for (const folder of [project, home, ...output]) assert.ok(path.isAbsolute(folder), folder);
  return { project: absolutePath(project), home: absolutePath(home), output: output.map(absolutePath) };
}
