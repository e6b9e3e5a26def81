// The `model` section of the settings, as it is read.
import type { Json } from '../base/json.ts';

export interface ModelSettings {
  readonly provider: string;
  readonly name?: string;
  readonly baseUrl?: string;
  /** The environment variable that holds the key. */
  readonly keyEnv?: string;
  readonly params: Readonly<Record<string, Json>>;
  readonly timeoutSeconds: number;
  readonly retries: number;
  /** US dollars for a million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}
