// Whether the settings and roles of a project count as they are now, and a person's word that they do or no longer do.
import { requireConfig } from '../../config/config.ts';
import { effectsOf, type ProjectEffect } from '../../config/effect.ts';
import { readLayers } from '../../config/read.ts';
import { isTrusted, revokeTrust, trustedFiles, trustProject } from '../../config/trust.ts';
import { recordTrust } from '../own/trust-change.ts';
import type { Runtime } from '../runtime.ts';

export interface TrustReport {
  readonly project: string;
  readonly wasTrusted: boolean;
  readonly isTrusted: boolean;
  /** What the trust is about. */
  readonly files: readonly string[];
  /** What the settings of the project change. */
  readonly effects: readonly ProjectEffect[];
}

export async function showTrust(runtime: Runtime): Promise<TrustReport> {
  return await withTrust(runtime, () => {});
}

export async function trustFolder(runtime: Runtime): Promise<TrustReport> {
  return await withTrust(runtime, ({ user, own }) => {
    // What cannot be read cannot have been meant.
    requireConfig({ diagnostics: [...user.diagnostics, ...own.diagnostics] });
    recordTrust(runtime, { command: 'trust', files: trustedFiles(runtime.project) }, () =>
      trustProject(runtime.project, runtime.home, runtime.clock.now(), own.bytes),
    );
  });
}

export async function distrustFolder(runtime: Runtime): Promise<TrustReport> {
  const change = { command: 'trust', operation: 'revoke', files: [] } as const;
  return await withTrust(runtime, () => recordTrust(runtime, change, () => revokeTrust(runtime.project, runtime.home)));
}

type Layers = Awaited<ReturnType<typeof readLayers>>;

async function withTrust({ project, home }: Runtime, change: (layers: Layers) => void): Promise<TrustReport> {
  // Read once: what is shown is what is trusted.
  const layers = await readLayers({ project, home });
  const { bytes } = layers.own;
  const wasTrusted = isTrusted(project, home, bytes);
  change(layers);
  return {
    project,
    wasTrusted,
    isTrusted: isTrusted(project, home, bytes),
    files: trustedFiles(project),
    effects: effectsOf({ project, home }, layers),
  };
}
