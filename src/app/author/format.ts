// The formats people and programs write for us or read from us, as JSON Schema; each is loaded when it is asked for.
import type { Text } from '../../base/language.ts';
import { diagnosticSchema, outcomeSchema } from '../view/outcome-schema.ts';
import { requestSchema, responseSchema } from '../view/protocol-schema.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

interface DataFormat {
  readonly title: Text;
  load(): Promise<JsonSchema>;
}

/** By name, in the order they are listed. */
export const FORMATS: Readonly<Record<string, DataFormat>> = {
  config: {
    title: { en: 'settings, .agent/config.json', zh: '配置，.agent/config.json' },
    load: async () => (await import('../../config/schema.ts')).configJsonSchema(),
  },
  role: {
    title: { en: 'roles, agents/<role>/agent.yaml', zh: '角色，agents/<角色>/agent.yaml' },
    load: async () => (await import('../../registry/role/schema.ts')).roleJsonSchema(),
  },
  outcome: {
    title: { en: 'the result of every command, --json', zh: '所有命令的结果，--json' },
    load: async () => outcomeSchema,
  },
  request: {
    title: { en: 'what a protocol skill reads on stdin', zh: '协议技能从 stdin 读取的请求' },
    load: async () => requestSchema,
  },
  response: {
    title: { en: 'what a protocol skill prints on stdout', zh: '协议技能输出到 stdout 的响应' },
    load: async () => responseSchema,
  },
  decision: {
    title: { en: 'what a model answers in one turn', zh: '模型每一轮的回答' },
    load: async () => (await import('../../model/action.ts')).decisionSchemas().decision,
  },
  actions: {
    title: { en: 'the actions a model can choose', zh: '模型可选的动作' },
    load: async () => (await import('../../model/action.ts')).decisionSchemas().actions,
  },
  plan: {
    title: { en: 'the plan of a run', zh: '运行计划' },
    load: async () => (await import('../../model/action.ts')).decisionSchemas().plan,
  },
  eval: {
    title: { en: 'eval cases, .agent/evals/', zh: '评测用例，.agent/evals/' },
    load: async () => (await import('../../evals/case/suite-schema.ts')).suiteJsonSchema(),
  },
  'run-event': {
    title: { en: 'events of a run, run --stream-json', zh: '运行的事件，run --stream-json' },
    load: async () => (await import('../library/event/schema.ts')).runEventSchema,
  },
  diagnostic: {
    title: { en: 'what a check found', zh: '检查发现的问题' },
    load: async () => diagnosticSchema,
  },
};
