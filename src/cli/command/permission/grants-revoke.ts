// `grants revoke`: takes a standing permission back, at once.
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { didYouMean } from '../../../base/text/did-you-mean.ts';
import { visible } from '../../../base/text.ts';
import { describeTarget, openGrants } from '../../../policy/grant/store.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'id', required: true, summary: { en: 'as `grants list` shows it', zh: '`grants list` 所示的 id' } },
  ],
  options: [],
  examples: ['skillwright grants revoke 3f9c1a77b2d4'],
  async run({ positionals: [id = ''], runtime }) {
    const store = openGrants(runtime.home, runtime.project);
    const grants = store.list();
    const grant = grants.find((one) => one.id === id);
    const ids = grants.map((one) => one.id);
    // A record that cannot be read any more can still be removed.
    if (!store.revoke(id)) throw unknownGrant(id, ids);
    const what = visible(grant ? `${grant.skill}: ${describeTarget(grant.target)}` : id);
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

function unknownGrant(id: string, ids: readonly string[]): Fault {
  const shown = visible(id);
  return new Fault(
    'DataNotFound',
    { en: `no grant ${shown} in this project`, zh: `此项目没有授权 ${shown}` },
    didYouMean(id, ids, { en: '`skillwright grants list` shows them.', zh: '`skillwright grants list` 列出授权。' }),
  );
}
