// Builds the door for one command from the runtime: every part by hand, nothing global.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type RunFolder, startRun } from './audit/run-folder.ts';
import { Fault } from './base/errors.ts';
import { randomId } from './base/ids.ts';
import { realPath } from './base/paths.ts';
import type { CallContext } from './invoke/call.ts';
import type { Door } from './invoke/door.ts';
import { createApprovals } from './policy/approval.ts';
import { openGrants } from './policy/grant-store.ts';
import { openInterrupts } from './policy/interrupt.ts';
import { openSandbox, type Sandbox } from './process/sandbox/sandbox.ts';
import { resolveSkill } from './registry/resolve.ts';
import type { Runtime } from './runtime.ts';

export interface DoorOptions {
  /** What drives it: run, call, invoke, task, job. */
  readonly kind: string;
  /** What was asked, for the record. */
  readonly request: string;
  readonly version: string;
  readonly context?: CallContext;
  readonly ask?: Door['ask'];
  readonly yes?: boolean;
  readonly debug?: boolean;
  readonly private?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: Door['onProgress'];
  /** A weaker sandbox than the machine has; tests only. */
  readonly sandbox?: () => Promise<Sandbox>;
}

export interface OpenDoor extends Door {
  readonly run: RunFolder;
  readonly context: CallContext;
}

export function openDoor(runtime: Runtime, options: DoorOptions): OpenDoor {
  runtime.requireConfig();
  const { home, config, clock, language, env } = runtime;
  const project = realPath(runtime.project) ?? runtime.project;
  const own = path.join(home, '.agent');
  const context = options.context ?? { request_id: randomId() };
  const index = once(() => runtime.index());
  const cache = path.join(own, 'cache', 'process');
  const sandbox = once(options.sandbox ?? (() => openSandbox({ cacheFolder: cache })));
  return {
    language,
    clock,
    env,
    context,
    places: { project, home, output: [config.outputFolder] },
    folders: {
      snapshots: path.join(own, 'snapshots'),
      cache,
      work: path.join(own, 'work'),
      output: config.outputFolder,
    },
    resolve: (reference, source) => resolveOrFault(index(), reference, source),
    policy: { settings: config.executionLayers.user, project: config.executionLayers.project },
    grants: () => openGrants(home, project).list(),
    shipped: readShipped(runtime.builtin),
    approvals: createApprovals(clock),
    yes: options.yes ?? false,
    interrupts: openInterrupts(home, project),
    sandbox,
    limits: config.limits,
    interpreters: config.interpreters,
    runtimes: Object.values(config.runtimes),
    run: startRun({
      project,
      home,
      clock,
      kind: options.kind,
      request: options.request,
      version: options.version,
      context: { request_id: context.request_id, agent_id: context.agent_id ?? null, user_id: context.user_id ?? null },
      private: options.private ?? false,
    }),
    ...(options.ask && { ask: options.ask }),
    ...(options.debug !== undefined && { debug: options.debug }),
    ...(options.signal && { signal: options.signal }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  };
}

function resolveOrFault(
  index: ReturnType<Runtime['index']>,
  reference: string,
  source?: Parameters<Door['resolve']>[1],
) {
  const resolved = resolveSkill(index, reference, source ? { source } : {});
  if ('found' in resolved) return resolved.found;
  const { missing, suggestions } = resolved;
  throw new Fault('SkillNotFound', missing, {
    details: { suggestions },
    ...(suggestions.length > 0 && {
      hint: { en: `Did you mean ${suggestions.join(', ')}?`, zh: `是否指 ${suggestions.join('、')}？` },
    }),
  });
}

/** Which digests are the shipped ones; a package without its list trusts none. */
function readShipped(builtin: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(path.join(builtin, 'manifest.json'), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
