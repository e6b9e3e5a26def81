// How often a person is asked, and what a call has beyond its sandbox. Types and words only.
export const ASK_MODES = ['each', 'effects'] as const;
/** About each call that needs a yes, or about what leaves the sandbox and, at the end, about the changes. */
export type AskMode = (typeof ASK_MODES)[number];

/** Who said that only effects are asked about: the user's settings, `--ask`, or a person at a question. */
export type EffectsOnly = 'setting' | 'option' | 'person';

/** What a call gets from outside its sandbox, beside files and the whole network. */
export type Beyond = 'hosts' | 'variables' | 'home' | 'device' | 'program';

/** Why a call is asked about all the same: what it has beyond its sandbox and its layer. */
export type Outside = Beyond | 'network' | 'finding' | 'tier' | 'output' | 'server' | 'no-layer';
