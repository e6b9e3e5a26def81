// Which modules Python code imports: as its own parser reports them, else by tokens.
import type { CodeModule } from '../../skill/need/code-facts.ts';
import { type CodeToken, lexCode } from '../../skill/need/lex.ts';

/** Less than the parser sees: nothing of where an import may fail. */
export function modulesInText(text: string): CodeModule[] {
  const tokens = lexCode(text, 'python');
  return tokens.flatMap((token, at): CodeModule[] => {
    if (token.kind !== 'name' || !token.first) return [];
    if (token.text === 'import') return importedNames(tokens, at);
    if (token.text !== 'from') return [];
    const name = pathFrom(tokens, at + 1);
    const end = at + 1 + name.split('.').length * 2 - 1;
    if (name === '' || tokens[end]?.text !== 'import') return [];
    return [{ name, names: namesFrom(tokens, end + 1), line: token.line, optional: false }];
  });
}

const MOST = 60;

/** `import a, b.c as d`. */
function importedNames(tokens: readonly CodeToken[], at: number): CodeModule[] {
  const { line = 1 } = tokens[at] ?? {};
  const found: CodeModule[] = [];
  for (let next = at + 1; tokens[next]?.line === line && found.length < MOST; next++) {
    const name = pathFrom(tokens, next);
    if (name === '') break;
    found.push({ name, names: [], line, optional: false });
    while (tokens[next]?.line === line && tokens[next]?.text !== ',') next++;
  }
  return found;
}

function pathFrom(tokens: readonly CodeToken[], at: number): string {
  const first = tokens[at];
  if (first?.kind !== 'name' || first.text === 'import') return '';
  let path = first.text;
  for (let next = at + 1; tokens[next]?.text === '.' && path.length < 200; next += 2)
    path += `.${tokens[next + 1]?.text ?? ''}`;
  return path;
}

function namesFrom(tokens: readonly CodeToken[], start: number): string[] {
  const isOpen = tokens[start]?.text === '(';
  const line = tokens[start]?.line;
  const names: string[] = [];
  for (let at = isOpen ? start + 1 : start; names.length < MOST; at++) {
    const token = tokens[at];
    if (!token || token.text === ')' || (!isOpen && token.line !== line)) break;
    const before = tokens[at - 1]?.text;
    if (token.kind === 'name' && (at === start || before === ',' || before === '(')) names.push(token.text);
  }
  return names;
}
