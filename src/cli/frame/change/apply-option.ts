// `--apply`: when the files that a command changes reach the project.
import { APPLY_CHOICES } from '../../../app/workspace/apply-choice.ts';
import type { Option } from '../command.ts';

export const APPLY_OPTION: Option = {
  name: 'apply',
  value: 'WHEN',
  choices: APPLY_CHOICES,
  summary: {
    en: 'apply what it changed: ask (default), always, never',
    zh: '是否应用更改: ask（默认）、always、never',
  },
};
