// `rollback`: the version of a skill before the last change; called again, it leads back.

import { choosePlace } from '../../../app/install/carry-out.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { SCOPES } from '../../../distribution/place.ts';
import { rollBackSkill } from '../../../distribution/uninstall.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'skill', required: true, skill: true, summary: { en: 'an installed skill', zh: '已安装的技能' } },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      choices: SCOPES,
      summary: { en: 'of this project or of you; the project unless given', zh: '项目或用户；默认项目' },
    },
  ],
  examples: ['skillwright rollback pdf'],
  async run({ positionals: [name = ''], options, runtime }) {
    const place = choosePlace(runtime, options);
    const { from, to } = rollBackSkill(place, name, { now: runtime.clock.now() });
    runtime.index();
    const [shown, before, after] = [to.name, from?.version ?? '?', to.locked?.version ?? '?'].map(visible);
    const data = {
      name: to.name,
      scope: place.scope,
      from: from?.version ?? null,
      to: to.locked?.version ?? null,
      digest: to.locked?.digest ?? null,
    };
    const said = { en: `${shown}: back from ${before} to ${after}`, zh: `${shown}: 已从 ${before} 回退到 ${after}` };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
  },
};
