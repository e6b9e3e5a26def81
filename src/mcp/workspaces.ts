// Toolsets by name, for clients without a connection: each is a run with a layer of its own, as long as somebody comes back to it.
import type { Toolset } from '../app/library/public/toolset.ts';
import { Fault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { visible } from '../base/text.ts';
import { ANSWER_MS } from './question/elicit.ts';

export interface McpWorkspace {
  readonly id: string;
  readonly set: Toolset;
  readonly declined: Set<string>;
  /** It is not closed meanwhile. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface Workspaces {
  /** A new one without an id. Throws a Fault for an id that nobody has, or no longer. */
  find(id: string | undefined, open: () => Promise<Toolset>): Promise<McpWorkspace>;
}

const MOST = 64;
/** Whoever has not come back by then has forgotten it; where there are many, sooner. */
const FORGOTTEN_MS = 60 * 60 * 1000;
const FORGOTTEN_OF_MANY_MS = ANSWER_MS;

interface Kept {
  readonly workspace: McpWorkspace;
  busy: number;
  used: number;
}

export function openWorkspaces(): Workspaces {
  const kept = new Map<string, Kept>();
  let opening = 0;
  const closeForgotten = async () => {
    const limit = kept.size < MOST ? FORGOTTEN_MS : FORGOTTEN_OF_MANY_MS;
    const forgotten = [...kept].filter(([, { busy, used }]) => busy === 0 && performance.now() - used > limit);
    for (const [id, { workspace }] of forgotten) {
      kept.delete(id);
      await workspace.set.close();
    }
  };
  return {
    async find(id, open) {
      await closeForgotten();
      if (id !== undefined) {
        const found = kept.get(id);
        if (!found) throw unknownWorkspace(id);
        return found.workspace;
      }
      if (kept.size + opening >= MOST) throw tooMany();
      opening++;
      try {
        const made = make(randomId(), await open());
        kept.set(made.workspace.id, made);
        return made.workspace;
      } finally {
        opening--;
      }
    },
  };
}

function make(id: string, set: Toolset): Kept {
  const kept: Kept = {
    busy: 0,
    used: performance.now(),
    workspace: {
      ...{ id, set, declined: new Set() },
      async hold(work) {
        kept.busy++;
        try {
          return await work();
        } finally {
          kept.busy--;
          kept.used = performance.now();
        }
      },
    },
  };
  return kept;
}

function unknownWorkspace(id: string): Fault {
  return new Fault(
    'DataNotFound',
    { en: `no workspace ${visible(id)}`, zh: `没有工作区 ${visible(id)}` },
    {
      hint: {
        en: 'Leave `workspace` out: the result names a new one.',
        zh: '省略 `workspace`: 结果会给出新的工作区。',
      },
    },
  );
}

function tooMany(): Fault {
  return new Fault(
    'BudgetExhausted',
    { en: `${MOST} workspaces are open`, zh: `已有 ${MOST} 个工作区打开` },
    { hint: { en: 'Give the `workspace` of an earlier result.', zh: '请使用之前结果中的 `workspace`。' } },
  );
}
