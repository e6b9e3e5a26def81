// What a skill is: instructions, a command line, or a script that speaks the protocol.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Kind, Manifest } from './skill.ts';

/**
 * `command` counts only where something can be run: a slash-command label or a lone word without such a file is a name
 * for people. A template with shell syntax never gets here: reading the manifest leaves it out.
 */
export function kindOf(manifest: Pick<Manifest, 'command' | 'entry'>, folder: string): Kind {
  if (manifest.entry !== undefined) return 'protocol';
  if (manifest.command === undefined) return 'prompt';
  return isLabel(manifest.command, folder) ? 'prompt' : 'command';
}

/** `/hub:board` or `gevety`: what people type elsewhere, not a program. */
export function isLabel(command: string, folder: string): boolean {
  const [program = '', ...words] = command.trim().split(/\s+/);
  const isCandidate = program.startsWith('/') || (words.length === 0 && /^[\w:.-]+$/.test(program));
  if (!isCandidate) return false;
  return !existsSync(program.startsWith('/') ? program : path.join(folder, program));
}

/** The first piece of shell syntax outside quotes, as written; templates are split into words and never see a shell. */
export function findShellSyntax(command: string): string | undefined {
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (quote !== "'" && character === '\\') at++;
    else if (quote !== "'" && (character === '`' || command.startsWith('$(', at)))
      return character === '`' ? '`' : '$(';
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if ('|<>;&\n\r'.includes(character)) return operatorAt(command, at);
  }
  return undefined;
}

function operatorAt(command: string, at: number): string {
  const character = command.charAt(at);
  if (character === '\n' || character === '\r') return 'a line break';
  return command.charAt(at + 1) === character ? character + character : character;
}
