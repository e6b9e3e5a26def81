// What standing grants let a skill reach, as far as its needs are concerned.
import { coversHost, type HostRule } from '../../base/host-rule.ts';
import { NO_REACH, unionReach } from '../../policy/consent/reach.ts';
import { type Grant, isExpired } from '../../policy/grant/grant.ts';
import { openGrants } from '../../policy/grant/store.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { boundDigest } from '../../registry/role/skill.ts';
import { digestIfSound } from '../../skill/digest.ts';
import type { NamedNeed } from '../../skill/need/need.ts';
import { declaredVariables } from '../grant/declared.ts';
import type { Runtime } from '../runtime.ts';
import type { ReadableSkill } from './sources.ts';

export interface Granted {
  covers(need: Pick<NamedNeed, 'kind' | 'name' | 'port'>): boolean;
}

export function grantedTo(skill: ReadableSkill & Pick<SkillEntry, 'ofRole'>, runtime: Runtime): Granted {
  const sound = digestIfSound(skill);
  const digest = sound && boundDigest(skill, sound);
  const folder = skill.realFolder ?? skill.folder;
  const isItsOwn = ({ bound }: Grant) => ('digest' in bound ? bound.digest === digest : bound.follow === folder);
  const grants = openGrants(runtime.home, runtime.project)
    .list()
    .filter((grant) => isItsOwn(grant) && !isExpired(grant, runtime.clock.now()));
  const hasNetwork = skill.manifest.network && grants.some(({ network }) => network);
  const handed = new Set(grants.flatMap((grant) => declaredVariables(grant, skill)));
  const ofCode = grants.flatMap(({ target, reach }) => (target.kind === 'code' ? (reach ?? NO_REACH) : []));
  const { hosts, variables, programs, devices, home } = unionReach(ofCode);
  return {
    covers({ kind, name, port }) {
      switch (kind) {
        case 'host':
          return hasNetwork || hosts.some((rule) => coversNeed(rule, name, port));
        case 'variable':
          return handed.has(name) || variables.includes(name);
        case 'program':
          return programs.some((program) => program.name === name);
        case 'device':
          return devices.some((device) => device === name);
        case 'home':
          return home;
      }
    },
  };
}

const HTTPS = 443;

/** A host of which one label is not known is covered by the same wildcard alone. */
function coversNeed(rule: HostRule, name: string, port = HTTPS): boolean {
  if (!name.startsWith('*.')) return coversHost(rule, name, port);
  return rule.host === name && coversHost({ ...rule, host: name.slice(2) }, name.slice(2), port);
}
