// When the changes of a call reach the project.

export const APPLY_CHOICES = ['ask', 'always', 'never'] as const;
export type ApplyChoice = (typeof APPLY_CHOICES)[number];
