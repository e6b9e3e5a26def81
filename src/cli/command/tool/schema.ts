// `schema`: the formats people and programs write for us or read from us, as JSON Schema.
import { FORMATS } from '../../../app/author/format.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderList } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    {
      name: 'name',
      choices: Object.keys(FORMATS),
      summary: { en: 'the format; without it they are listed', zh: '格式名；省略则列出全部' },
    },
  ],
  options: [],
  examples: ['skillwright schema', 'skillwright schema config'],
  async run({ positionals: [name], runtime, terminal }) {
    const by = runtime.answering('skillwright', 'own');
    const format = name === undefined ? undefined : FORMATS[name];
    if (!format) {
      const names = Object.keys(FORMATS);
      const list = renderList(
        Object.entries(FORMATS).map(([key, { title }]) => [key, title[runtime.language]]),
        terminal,
      );
      const summary = { en: `${names.length} formats`, zh: `共 ${names.length} 种格式` };
      return { outcome: makeOutcome(by, 'success', summary, { names }), human: list };
    }
    const schema = await format.load();
    return {
      outcome: makeOutcome(by, 'success', format.title, { name, schema }),
      document: JSON.stringify(schema, undefined, 2),
    };
  },
};
