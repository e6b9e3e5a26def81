// The home of calls that a person let keep none: it lasts for one run, below its layer, and goes with that.
import path from 'node:path';
import { makeFolder } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import { type AbsolutePath, absolutePath } from '../../base/value/absolute-path.ts';
import { calledName } from '../../registry/called-name.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Work } from '../work.ts';
import { removeStartFiles } from './start-file.ts';

type Owner = Pick<Work, 'skill' | 'digest' | 'origin'>;

/**
 * One for the code of each digest, so that no skill reads what another one left; and another for texts that only name the
 * skill, whose author is not the skill's. Calls on one layer take turns.
 */
export function runHome({ skill, digest, origin }: Owner, { homes }: Pick<ProjectLayer, 'homes'>): AbsolutePath {
  const owner = { origin, digest, ...(skill && { source: skill.source, skill: calledName(skill) }) };
  const home = absolutePath(path.join(homes, sha256(`skillwright run home 1\n${canonicalJson(owner)}`).slice(0, 16)));
  makeFolder(home);
  removeStartFiles(home);
  return home;
}
