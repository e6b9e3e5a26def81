// The loader and the file tools as careless ones would be: what a path attack does where nobody guards against it.
import { type Change, changed } from './changed-source.ts';

/** `path`: as on a system without /proc, where steps are looked at and then opened. `off`: no guard at all. */
export type Guard = 'descriptor' | 'path' | 'off';

type Resource = typeof import('../../../src/loader/resource.ts');
type Body = typeof import('../../../src/loader/body.ts');
type Tools = typeof import('../../../src/tools/tool-call.ts');

const CONTAINED = 'src/loader/contained.ts';
const PATH_GUARD = 'src/tools/file/path-guard.ts';
const WITHOUT_DESCRIPTORS: Change = { file: CONTAINED, from: 'existsSync(DESCRIPTORS)', to: 'false' };

const CARELESS_READING: readonly Change[] = [
  {
    file: CONTAINED,
    from: "import type { Files } from './files.ts';",
    to: "import { carelessPath } from '../../test/support/changed/careless-path.ts';",
  },
  {
    file: CONTAINED,
    from: 'const steps = splitPath(relativePath);',
    to: 'return files.openSync(carelessPath(folder, relativePath), constants.O_RDONLY); const steps = [];',
  },
  {
    file: 'src/loader/read-text.ts',
    from: 'if (!stats.isFile()) throw',
    to: 'return readUpTo(descriptor, Math.max(stats.size, TEXT_LIMIT), files); if (!stats.isFile()) throw',
  },
];
const CARELESS_BODY: Change = { file: 'src/loader/body.ts', from: 'return clean(body);', to: 'return { text: body };' };
const CARELESS_TEXT: Change = {
  file: 'src/loader/resource.ts',
  from: 'decodeText(readBytes(realFolderOf(skill), relativePath, options), relativePath)',
  to: 'new TextDecoder().decode(readBytes(realFolderOf(skill), relativePath, options))',
};

/** As tools would that trust the system to resolve whatever they are given. */
const GIVEN = "(path.isAbsolute(given) ? given : world.project + '/' + given)";
const CARELESS_TOOLS: readonly Change[] = [
  instead('const { opened, place } = openPlace(world, given, (at) => openSync(at, FILE_FLAGS));', [
    `return { descriptor: openSync(${GIVEN}, 'r'), path: given }; const opened = 0, place = {};`,
  ]),
  instead('const { opened, place } = openPlace(world, given, (at) => openFolder(at, realFiles));', [
    `const at = ${GIVEN};`,
    'return { folder: { at, close: () => {} }, place: { root: at, steps: [], path: given } }; const opened = 0, place = {};',
  ]),
  instead('const place = locate(world, given);\n  judge(world, place);\n  judgeChange(place);', [
    `return { at: path.dirname(${GIVEN}), name: path.basename(given), path: given, close: () => {} }; const place = {};`,
  ]),
  instead("return isHiddenIn(real, steps.join('/')) || world.isOwnState(path.join(real, ...steps));", [
    'return false;',
  ]),
];

export async function resourceLoader(guard: Guard): Promise<Resource['loadResource']> {
  const file = 'src/loader/resource.ts';
  if (guard === 'descriptor') return (await import('../../../src/loader/resource.ts')).loadResource;
  if (guard === 'path') return (await changed<Resource>(file, WITHOUT_DESCRIPTORS)).loadResource;
  return (await changed<Resource>(file, ...CARELESS_READING, CARELESS_TEXT)).loadResource;
}

export async function carelessBodyLoader(): Promise<Body['loadBody']> {
  return (await changed<Body>('src/loader/body.ts', ...CARELESS_READING, CARELESS_BODY)).loadBody;
}

export async function toolRunner(guard: Guard): Promise<Tools['runTool']> {
  const file = 'src/tools/tool-call.ts';
  if (guard === 'descriptor') return (await import('../../../src/tools/tool-call.ts')).runTool;
  return (await changed<Tools>(file, ...(guard === 'path' ? [WITHOUT_DESCRIPTORS] : CARELESS_TOOLS))).runTool;
}

function instead(from: string, to: readonly string[]): Change {
  return { file: PATH_GUARD, from, to: to.join(' ') };
}
