// What the messages of the AI SDK say about approvals: which call was asked about, and what the answer was.

/** Messages of any kind; parts that are none of ours are passed over. */
export interface AnsweredMessages {
  readonly messages: readonly unknown[];
}

export interface AnswerInMessages {
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** The first answer counts, as it does for the AI SDK. */
export function answerOf(toolCallId: string, messages: readonly unknown[]): AnswerInMessages | undefined {
  return answersIn(messages).find((answer) => answer.toolCallId === toolCallId);
}

export function noAnswersIn(messages: readonly unknown[]): AnswerInMessages[] {
  return answersIn(messages).filter(({ approved }) => !approved);
}

function answersIn(messages: readonly unknown[]): AnswerInMessages[] {
  const parts = messages.flatMap(partsOf);
  const calls = new Map(
    parts.flatMap(({ type, approvalId, toolCallId }) =>
      type === 'tool-approval-request' ? [[approvalId, toolCallId] as const] : [],
    ),
  );
  return parts.flatMap(({ type, approvalId, approved, reason }) => {
    const toolCallId = calls.get(approvalId);
    if (type !== 'tool-approval-response' || typeof toolCallId !== 'string') return [];
    return [{ toolCallId, approved: approved === true, ...(typeof reason === 'string' && { reason }) }];
  });
}

type Part = Readonly<Record<string, unknown>>;

function partsOf(message: unknown): Part[] {
  const { content } = isPart(message) ? message : {};
  return Array.isArray(content) ? content.filter(isPart) : [];
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}
