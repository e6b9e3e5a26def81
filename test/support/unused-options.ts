// Options that no shipped code ever gives: an off switch that only tests use looks like this, whatever it is called.
import ts from 'typescript-5';

export interface Source {
  readonly file: string;
  readonly text: string;
}

interface Found {
  /** Optional parameters of exported functions. */
  readonly parameters: { file: string; of: string; at: number; name: string }[];
  /** Optional fields whose value could decide whether something is done at all. */
  readonly fields: { file: string; name: string }[];
  /** The most arguments each function is called with, by its name. */
  readonly called: Map<string, number>;
  /** Functions that are passed on as values; who calls those is not known. */
  readonly passed: Set<string>;
  readonly given: Set<string>;
}

const DECIDES = /\bboolean\b|'|RegExp|=>|\[\]|typeof/;

/** As `file function parameter` or `file field`. By name alone, so a name that others give hides one that nobody gives. */
export function findUnusedOptions(sources: readonly Source[]): string[] {
  const found: Found = { parameters: [], fields: [], called: new Map(), passed: new Set(), given: new Set() };
  for (const { file, text } of sources) {
    const visit = (node: ts.Node): void => {
      noteDeclared(node, file, found);
      noteUsed(node, found);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  const parameters = found.parameters.filter(
    ({ of, at }) => (found.called.get(of) ?? 0) <= at && !found.passed.has(of),
  );
  const fields = found.fields.filter(({ name }) => !found.given.has(name));
  return [
    ...parameters.map(({ file, of, name }) => `${file} ${of} ${name}`),
    ...fields.map(({ file, name }) => `${file} ${name}`),
  ].sort();
}

function noteDeclared(node: ts.Node, file: string, { parameters, fields }: Found): void {
  if (ts.isPropertySignature(node) && node.questionToken && DECIDES.test(node.type?.getText() ?? ''))
    fields.push({ file, name: node.name.getText() });
  const isExported =
    ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!ts.isFunctionDeclaration(node) || !isExported) return;
  const of = node.name?.text ?? '';
  for (const [at, { name, initializer, questionToken }] of node.parameters.entries())
    if (initializer || questionToken) parameters.push({ file, of, at, name: name.getText().replace(/\s+/g, ' ') });
}

function noteUsed(node: ts.Node, { called, passed, given }: Found): void {
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) given.add(node.name.getText());
  if (ts.isCallExpression(node)) {
    const { expression, arguments: args } = node;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    const count = args.some(ts.isSpreadElement) ? Number.POSITIVE_INFINITY : args.length;
    called.set(name, Math.max(called.get(name) ?? 0, count));
  }
  if (ts.isIdentifier(node) && isPassedOn(node)) passed.add(node.text);
}

function isPassedOn({ parent, text }: ts.Identifier): boolean {
  if (ts.isCallExpression(parent)) return parent.expression.getText() !== text;
  return ts.isPropertyAssignment(parent)
    ? parent.initializer.getText() === text
    : ts.isShorthandPropertyAssignment(parent);
}
