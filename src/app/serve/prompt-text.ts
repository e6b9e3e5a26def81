// The instructions of a skill as a prompt: what was written for a reader, without what was written for programs.

import { withoutFrontmatter } from '../../loader/body.ts';
import { clean } from '../../loader/read-text.ts';

export function promptText(content: string): string {
  return clean(withoutFrontmatter(content)).text.trim();
}
