// What the names in a source file are declared as, as far as its text says so: enough to follow a type through a function.
import { isNode, parseSource, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';

export interface Member {
  readonly isFunction: boolean;
  readonly optional: boolean;
  readonly type: Typed | undefined;
}

/** A type as it is written, with the file that says what its names mean. */
export interface Typed {
  readonly node: SyntaxNode;
  readonly file: string;
}

type Members = ReadonlyMap<string, Member>;
type Scope = ReadonlyMap<string, () => Typed | undefined>;

/** For a parameter whose type follows from where it is used: of all types that are declared for its name, the one meant. */
export type Guess = (name: string, declared: readonly Typed[]) => Typed | undefined;

/** A node on the way, and what the expressions in it are declared as. */
export interface Visit {
  readonly file: string;
  readonly node: SyntaxNode;
  lineOf(node: SyntaxNode): number;
  textOf(node: SyntaxNode): string;
  typeOf(expression: unknown): Typed | undefined;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const WRAPPERS = new Set(['Readonly', 'NonNullable', 'Awaited', 'Promise', 'Required', 'Extract', 'Exclude']);

/** Visits every node of every file; `pattern` is called for each destructuring with the type of what it takes apart. */
export function visitTyped(
  sources: readonly SourceFile[],
  types: Types,
  visit: (at: Visit) => void,
  pattern: (at: Visit, type: Typed | undefined) => void = () => {},
): void {
  for (const { file, text } of sources) {
    const at = (node: SyntaxNode, scopes: readonly Scope[]): Visit => ({
      file,
      node,
      lineOf: ({ start }) => text.slice(0, start).split('\n').length,
      textOf: ({ start, end }) => text.slice(start, end),
      typeOf: (expression) => typeOf(expression, types, scopes, file),
    });
    const descend = (value: unknown, scopes: readonly Scope[]): void => {
      if (Array.isArray(value)) for (const one of value) descend(one, scopes);
      if (!isNode(value)) return;
      const report = (found: SyntaxNode, type: Typed | undefined) => pattern(at(found, scopes), type);
      const inner = [...scopes, ...scopeOf(value, file, types, scopes, report)];
      visit(at(value, inner));
      for (const field of Object.values(value)) descend(field, inner);
    };
    descend(parseSource(file, text).nodes[0], []);
  }
}

/** What an expression is declared as; undefined where nothing says so. */
function typeOf(node: unknown, types: Types, scopes: readonly Scope[], file: string): Typed | undefined {
  if (!isNode(node)) return undefined;
  const next = (inner: unknown) => typeOf(inner, types, scopes, file);
  switch (node.type) {
    case 'Identifier': {
      const name = String(node.name);
      const declared = scopes.findLast((scope) => scope.has(name))?.get(name);
      return declared?.();
    }
    case 'MemberExpression':
      return memberOf(next(node.object), nameOf(node.property), types);
    case 'CallExpression':
      return types.resultOf(nameOf(node.callee) ?? propertyOf(node.callee) ?? '', file);
    case 'AwaitExpression':
      return next(node.argument);
    case 'ParenthesizedExpression':
    case 'ChainExpression':
    case 'TSAsExpression':
      return next(node.expression);
    case 'LogicalExpression':
      return next(node.right);
    case 'ConditionalExpression':
      return next(node.consequent) ?? next(node.alternate);
    default:
      return undefined;
  }
}

/** What a node declares for everything inside it. */
function scopeOf(
  node: SyntaxNode,
  file: string,
  types: Types,
  scopes: readonly Scope[],
  report: (pattern: SyntaxNode, type: Typed | undefined) => void,
): Scope[] {
  const scope = new Map<string, () => Typed | undefined>();
  const declare = (pattern: unknown, type: () => Typed | undefined): void => {
    if (!isNode(pattern)) return;
    const own = annotation(pattern, file);
    const known = own ? () => own : type;
    if (pattern.type === 'Identifier') scope.set(String(pattern.name), known);
    if (pattern.type === 'AssignmentPattern') declare(pattern.left, known);
    if (pattern.type === 'RestElement') declare(pattern.argument, known);
    if (pattern.type === 'TSParameterProperty') declare(pattern.parameter, known);
    if (pattern.type !== 'ObjectPattern' || !Array.isArray(pattern.properties)) return;
    report(pattern, known());
    for (const part of pattern.properties.filter(isNode))
      if (part.type === 'RestElement') declare(part.argument, known);
      else declare(part.value, () => memberOf(known(), nameOf(part.key), types));
  };
  if (FUNCTIONS.has(node.type) && Array.isArray(node.params))
    for (const one of listOf(node.params)) declare(one, () => types.guess(nameOf(one) ?? ''));
  // A constant of the module is a plain record: it holds nothing of a call.
  if (node.type === 'BlockStatement')
    for (const declaration of listOf(node.body)) {
      if (declaration.type !== 'VariableDeclaration' || !Array.isArray(declaration.declarations)) continue;
      for (const { id, init } of declaration.declarations.filter(isNode))
        declare(id, () => typeOf(init, types, [...scopes, scope], file));
    }
  return scope.size > 0 ? [scope] : [];
}

function memberOf(type: Typed | undefined, name: string | undefined, types: Types): Typed | undefined {
  return type && name !== undefined ? types.members(type).get(name)?.type : undefined;
}

function annotation(node: SyntaxNode, file: string): Typed | undefined {
  const { typeAnnotation } = node;
  const type = isNode(typeAnnotation) ? typeAnnotation.typeAnnotation : undefined;
  return isNode(type) ? { node: type, file } : undefined;
}

export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function propertyOf(callee: unknown): string | undefined {
  return isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee.property) : undefined;
}

/** Every type and function that is declared, by name; one of the same file is meant before one of another. */
export class Types {
  readonly #declared = new Map<string, Typed[]>();
  readonly #results = new Map<string, Typed[]>();
  readonly #named = new Map<string, Typed[]>();
  readonly #members = new Map<SyntaxNode, Members>();
  readonly #guess: Guess;

  constructor(sources: readonly SourceFile[], guess: Guess) {
    this.#guess = guess;
    for (const { file, nodes } of sources)
      for (const node of nodes) {
        if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
          add(this.#declared, nameOf(node.id), { node, file });
        const result = resultIn(node, file);
        if (result) add(this.#results, nameOf(node.id) ?? nameOf(node.key), result);
        const own = node.type === 'Identifier' ? annotation(node, file) : undefined;
        if (own) add(this.#named, String(node.name), own);
      }
  }

  guess(name: string): Typed | undefined {
    return this.#guess(name, this.#named.get(name) ?? []);
  }

  /** The types of that name, wherever they are declared. */
  declared(name: string): readonly Typed[] {
    return this.#declared.get(name) ?? [];
  }

  resultOf(name: string, file: string): Typed | undefined {
    const all = this.#results.get(name) ?? [];
    return all.find((one) => one.file === file) ?? all[0];
  }

  members(type: Typed): Members {
    const known = this.#members.get(type.node) ?? this.#membersOf(type);
    this.#members.set(type.node, known);
    return known;
  }

  #membersOf({ node, file }: Typed): Members {
    switch (node.type) {
      case 'TSTypeReference':
        return this.#ofReference(node, file);
      case 'TSIntersectionType':
      case 'TSUnionType':
        return new Map(listOf(node.types).flatMap((one) => [...this.members({ node: one, file })]));
      case 'TSTypeAliasDeclaration':
        return isNode(node.typeAnnotation) ? this.members({ node: node.typeAnnotation, file }) : new Map();
      case 'TSInterfaceDeclaration':
        return new Map([
          ...listOf(node.extends).flatMap((one) => [...this.#ofReference(one, file)]),
          ...(isNode(node.body) ? ownMembers(listOf(node.body.body), file) : []),
        ]);
      case 'TSTypeLiteral':
        return ownMembers(listOf(node.members), file);
      default:
        return new Map();
    }
  }

  #ofReference(node: SyntaxNode, file: string): Members {
    const name = nameOf(node.typeName) ?? nameOf(node.expression) ?? '';
    const parameters = isNode(node.typeArguments) ? listOf(node.typeArguments.params) : [];
    const [of, keys] = parameters;
    if (of && WRAPPERS.has(name)) return this.members({ node: of, file });
    if (of && name === 'Partial') return optional(this.members({ node: of, file }));
    if (of && keys && (name === 'Pick' || name === 'Omit')) {
      const listed = new Set(literalsIn(keys));
      return new Map([...this.members({ node: of, file })].filter(([key]) => listed.has(key) === (name === 'Pick')));
    }
    const all = this.declared(name);
    const found = all.find((one) => one.file === file) ?? all[0];
    return found ? this.members(found) : new Map();
  }
}

function ownMembers(nodes: readonly SyntaxNode[], file: string): Members {
  return new Map(
    nodes.flatMap((node): [string, Member][] => {
      const name = nameOf(node.key);
      if (name === undefined) return [];
      const type = annotation(node, file);
      const isFunction = node.type === 'TSMethodSignature' || type?.node.type === 'TSFunctionType';
      return [[name, { isFunction, optional: node.optional === true, type }]];
    }),
  );
}

function optional(members: Members): Members {
  return new Map([...members].map(([name, { isFunction, type }]) => [name, { isFunction, optional: true, type }]));
}

/** Of a function, a method, or a member that is one. */
function resultIn(node: SyntaxNode, file: string): Typed | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSMethodSignature':
      return returnType(node, file);
    case 'MethodDefinition':
      return isNode(node.value) ? returnType(node.value, file) : undefined;
    case 'TSPropertySignature': {
      const type = annotation(node, file)?.node;
      return type?.type === 'TSFunctionType' ? returnType(type, file) : undefined;
    }
    default:
      return undefined;
  }
}

function returnType(node: SyntaxNode, file: string): Typed | undefined {
  const type = isNode(node.returnType) ? node.returnType.typeAnnotation : undefined;
  return isNode(type) ? { node: type, file } : undefined;
}

function literalsIn(node: SyntaxNode): string[] {
  if (node.type === 'TSUnionType') return listOf(node.types).flatMap(literalsIn);
  return isNode(node.literal) && typeof node.literal.value === 'string' ? [node.literal.value] : [];
}

function listOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function add(map: Map<string, Typed[]>, name: string | undefined, value: Typed): void {
  if (name !== undefined) map.set(name, [...(map.get(name) ?? []), value]);
}
