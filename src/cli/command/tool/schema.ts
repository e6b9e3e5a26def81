// `schema`: the formats people and programs write for us or read from us, as JSON Schema.
import { makeOutcome } from '../../../base/outcome.ts';
import { renderList } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { diagnosticSchema, outcomeSchema } from '../../view/outcome-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const SCHEMAS: Record<string, { title: { en: string; zh: string }; load: () => Promise<Schema> }> = {
  config: {
    title: { en: 'settings, .agent/config.json', zh: '配置，.agent/config.json' },
    load: async () => (await import('../../../config/schema.ts')).configJsonSchema(),
  },
  role: {
    title: { en: 'roles, agents/<role>/agent.yaml', zh: '角色，agents/<角色>/agent.yaml' },
    load: async () => (await import('../../../registry/role/schema.ts')).roleJsonSchema(),
  },
  outcome: {
    title: { en: 'the result of every command, --json', zh: '所有命令的结果，--json' },
    load: async () => outcomeSchema,
  },
  decision: {
    title: { en: 'what a model answers in one turn', zh: '模型每一轮的回答' },
    load: async () => (await import('../../../model/action.ts')).decisionSchemas().decision as Schema,
  },
  actions: {
    title: { en: 'the actions a model can choose', zh: '模型可选的动作' },
    load: async () => (await import('../../../model/action.ts')).decisionSchemas().actions as Schema,
  },
  plan: {
    title: { en: 'the plan of a run', zh: '运行计划' },
    load: async () => (await import('../../../model/action.ts')).decisionSchemas().plan as Schema,
  },
  eval: {
    title: { en: 'eval cases, .agent/evals/', zh: '评测用例，.agent/evals/' },
    load: async () => (await import('../../../evals/case/suite-schema.ts')).suiteJsonSchema(),
  },
  diagnostic: {
    title: { en: 'what a check found', zh: '检查发现的问题' },
    load: async () => diagnosticSchema,
  },
};

export const command: Command = {
  positionals: [
    {
      name: 'name',
      choices: Object.keys(SCHEMAS),
      summary: { en: 'the format; without it they are listed', zh: '格式名；省略则列出全部' },
    },
  ],
  options: [],
  examples: ['skillwright schema', 'skillwright schema config'],
  async run({ positionals: [name], runtime, terminal }) {
    const by = runtime.answering('skillwright', 'own');
    const entry = name === undefined ? undefined : SCHEMAS[name];
    if (!entry) {
      const names = Object.keys(SCHEMAS);
      const list = renderList(
        Object.entries(SCHEMAS).map(([key, { title }]) => [key, title[runtime.language]]),
        terminal,
      );
      const summary = { en: `${names.length} formats`, zh: `共 ${names.length} 种格式` };
      return { outcome: makeOutcome(by, 'success', summary, { names }), human: list };
    }
    const schema = await entry.load();
    return {
      outcome: makeOutcome(by, 'success', entry.title, { name, schema }),
      document: JSON.stringify(schema, undefined, 2),
    };
  },
};
