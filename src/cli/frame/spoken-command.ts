// Command lines that address a skill or name the program first, as the documents of skills write them.
import { behindAddress } from '../../registry/address.ts';
import { commandWords } from './parse.ts';

/** `@name …` and `运行技能 name …` are `invoke`; `skills verify` is `verify`, and `skills` alone lists them. */
export function spokenCommand(args: readonly string[]): readonly string[] {
  const [first, second] = commandWords(args);
  if (first === undefined) return args;
  if (behindAddress(first.text) !== undefined) return args.toSpliced(first.index, 0, 'invoke');
  if (first.text === 'skills') return args.toSpliced(first.index, 1, ...(second ? [] : ['list']));
  return args;
}
