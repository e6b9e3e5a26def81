// `uninstall`: a skill goes to the trash under home, from where `restore` brings it back.
import { uninstall } from '../../../app/install/uninstall.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';

export const command: Command = {
  positionals: [
    {
      name: 'skill',
      required: true,
      skill: true,
      summary: { en: 'name, folder, org/name or user:name', zh: '名称、目录、org/name 或 user:name' },
    },
  ],
  options: [
    SOURCE,
    { name: 'backup', summary: { en: 'keep it in the trash until you delete it', zh: '在回收区永久保留' } },
    { name: 'purge', summary: { en: 'keep nothing', zh: '不保留' } },
  ],
  examples: ['skillwright uninstall pdf', 'skillwright uninstall notes --source user --purge'],
  async run({ positionals: [written = ''], options, runtime }) {
    const order = {
      source: textOption(options, 'source'),
      backup: isOn(options, 'backup'),
      purge: isOn(options, 'purge'),
    };
    const { name, scope, record, trash } = uninstall(written, order, runtime);
    const shown = visible(name);
    // By its number: of one name there may be several in the trash.
    const restore = `\`skillwright restore ${visible(record.id)}\``;
    const hint = { en: `${restore} brings it back.`, zh: `${restore} 可恢复。` };
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        { en: `uninstalled: ${shown} (${scope})`, zh: `已卸载: ${shown} (${scope})` },
        { removed: name, source: scope, trash: trash ?? null, ...(trash !== undefined && { id: record.id }) },
      ),
      ...(trash !== undefined && { hint: hint[runtime.language] }),
    };
  },
};
