// Finds where a bag of functions is spread: a copy keeps functions that act for the original, and runs its getters.
// A bag is a type with at least two functions that have to be there: a port, a runtime, a door. Optional callbacks make none.
import { isNode, parseSource, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';

interface Member {
  readonly isFunction: boolean;
  readonly optional: boolean;
  readonly type: Typed | undefined;
}

/** A type as it is written, with the file that says what its names mean. */
interface Typed {
  readonly node: SyntaxNode;
  readonly file: string;
}

type Members = ReadonlyMap<string, Member>;
type Scope = ReadonlyMap<string, () => Typed | undefined>;

const FEWEST = 2;
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const WRAPPERS = new Set(['Readonly', 'NonNullable', 'Awaited', 'Promise', 'Required']);

/** Each as `file: ...what`. */
export function findBagSpreads(sources: readonly SourceFile[]): string[] {
  const types = new Types(sources);
  return sources.flatMap(({ file, text }) => {
    const program = parseSource(file, text).nodes[0];
    const found: string[] = [];
    const visit = (value: unknown, scopes: readonly Scope[]): void => {
      if (Array.isArray(value)) for (const one of value) visit(one, scopes);
      if (!isNode(value)) return;
      const inner = [...scopes, ...scopeOf(value, file, types, scopes)];
      if (value.type === 'ObjectExpression' && Array.isArray(value.properties))
        for (const part of value.properties)
          if (isNode(part) && part.type === 'SpreadElement' && spreadsBag(part.argument, types, inner, file))
            found.push(`${file}: ${text.slice(part.start, part.end)}`);
      for (const field of Object.values(value)) visit(field, inner);
    };
    visit(program, []);
    return found;
  });
}

function spreadsBag(argument: unknown, types: Types, scopes: readonly Scope[], file: string): boolean {
  const type = typeOf(argument, types, scopes, file);
  return type !== undefined && types.isBag(type);
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
    case 'MemberExpression': {
      const object = next(node.object);
      return object && nameOf(node.property) ? types.members(object).get(nameOf(node.property) ?? '')?.type : undefined;
    }
    case 'CallExpression':
      return types.resultOf(nameOf(node.callee) ?? '', file);
    case 'AwaitExpression':
      return next(node.argument);
    case 'ParenthesizedExpression':
      return next(node.expression);
    case 'LogicalExpression':
      return next(node.right);
    default:
      return undefined;
  }
}

/** What a node declares for everything inside it. */
function scopeOf(node: SyntaxNode, file: string, types: Types, scopes: readonly Scope[]): Scope[] {
  const scope = new Map<string, () => Typed | undefined>();
  const declare = (pattern: unknown, type: () => Typed | undefined): void => {
    if (!isNode(pattern)) return;
    const own = annotation(pattern, file);
    const known = own ? () => own : type;
    if (pattern.type === 'Identifier') scope.set(String(pattern.name), known);
    if (pattern.type === 'AssignmentPattern') declare(pattern.left, known);
    if (pattern.type === 'RestElement') declare(pattern.argument, known);
    if (pattern.type === 'TSParameterProperty') declare(pattern.parameter, known);
    if (pattern.type === 'ObjectPattern' && Array.isArray(pattern.properties))
      for (const part of pattern.properties.filter(isNode))
        if (part.type === 'RestElement') declare(part.argument, known);
        else declare(part.value, () => memberOf(known(), nameOf(part.key), types));
  };
  if (FUNCTIONS.has(node.type) && Array.isArray(node.params))
    for (const one of listOf(node.params)) declare(one, () => types.usualTypeOf(nameOf(one) ?? ''));
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

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** Every type and function that is declared, by name; one of the same file is meant before one of another. */
class Types {
  readonly #declared = new Map<string, Typed[]>();
  readonly #results = new Map<string, Typed[]>();
  readonly #named = new Map<string, Typed[]>();

  constructor(sources: readonly SourceFile[]) {
    for (const { file, nodes } of sources)
      for (const node of nodes) {
        const name = nameOf(node.id);
        if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
          add(this.#declared, name, { node, file });
        const result = node.type === 'FunctionDeclaration' ? returnType(node, file) : undefined;
        if (result) add(this.#results, name, result);
        const own = node.type === 'Identifier' ? annotation(node, file) : undefined;
        if (own) add(this.#named, String(node.name), own);
      }
  }

  isBag(type: Typed): boolean {
    const functions = [...this.members(type).values()].filter(({ isFunction, optional }) => isFunction && !optional);
    return functions.length >= FEWEST;
  }

  /** For a parameter whose type follows from where it is used: what most of that name are. */
  usualTypeOf(name: string): Typed | undefined {
    const all = this.#named.get(name) ?? [];
    const bags = all.filter((type) => this.isBag(type));
    return bags.length * 2 > all.length ? bags[0] : undefined;
  }

  resultOf(name: string, file: string): Typed | undefined {
    const all = this.#results.get(name) ?? [];
    return all.find((one) => one.file === file) ?? all[0];
  }

  members({ node, file }: Typed): Members {
    switch (node.type) {
      case 'TSTypeReference':
        return this.#ofReference(node, file);
      case 'TSIntersectionType':
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
    const all = this.#declared.get(name) ?? [];
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
