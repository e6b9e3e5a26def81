// `grants revoke`: takes a standing permission back, at once.
import { revokeGrant } from '../../../app/grant/list.ts';
import { describeGrant } from '../../../app/view/grant.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'id', required: true, summary: { en: 'as `grants list` shows it', zh: '`grants list` 所示的 id' } },
  ],
  options: [],
  examples: ['skillwright grants revoke 3f9c1a77b2d4'],
  async run({ positionals: [id = ''], runtime }) {
    const grant = revokeGrant(id, runtime);
    const what = visible(grant ? `${grant.skill}: ${describeGrant(grant).what}` : id);
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        { en: `revoked ${what}`, zh: `已撤销 ${what}` },
        { revoked: id },
      ),
    };
  },
};
