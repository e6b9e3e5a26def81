// The questions that a framework puts to a person: which call each is about, and what becomes of the answer.
import type { SkillTool, ToolDecision, ToolResult } from '../index.ts';

export interface Answers {
  /** What policy says. Where it asks, the call is kept under its id, with the files and arguments that are shown now. */
  decide(id: string, tool: SkillTool, input: unknown): Promise<ToolDecision>;
  /** The calls whose question has no answer yet. */
  open(): readonly { readonly id: string; readonly toolName: string }[];
  /** All that a person decides on, while there is no answer. */
  question(id: string): string | undefined;
  /** The approval of a call that was asked here and got a yes; used up by it. */
  takeYes(id: string): string | undefined;
  /** On the record of the run, with the reason; what the model is told. Undefined where nothing was asked. */
  sayNo(id: string, reason?: string): Promise<ToolResult | undefined>;
  /** What nobody answered counts as no. */
  close(): Promise<void>;
}

interface Asked {
  readonly tool: SkillTool;
  readonly input: unknown;
  readonly approval: string;
  readonly question: string | undefined;
}

/** A program that never closes keeps no more; the oldest is forgotten, and a yes to it comes to nothing. */
const MOST = 1_000;

export function openAnswers(): Answers {
  const asked = new Map<string, Asked>();
  const take = (id: string) => {
    const found = asked.get(id);
    asked.delete(id);
    return found;
  };
  const sayNo = async (id: string, reason?: string) => {
    const refused = take(id);
    return await refused?.tool.execute(refused.input, { approval: reason === undefined ? false : { no: reason } });
  };
  return {
    async decide(id, tool, input) {
      const decision = await tool.decide(input);
      asked.delete(id);
      const { approval, question } = decision;
      if (approval !== undefined) asked.set(id, { tool, input, approval, question });
      for (const oldest of asked.keys()) if (asked.size > MOST) asked.delete(oldest);
      return decision;
    },
    open: () => [...asked].map(([id, { tool }]) => ({ id, toolName: tool.name })),
    question: (id) => asked.get(id)?.question,
    takeYes: (id) => take(id)?.approval,
    sayNo,
    async close() {
      for (const id of [...asked.keys()]) await sayNo(id);
    },
  };
}
