// Packages that a pyproject.toml declares: of the project, its extras and groups, and those of poetry.
import { isRecord } from '../../base/json.ts';
import {
  lineFinder,
  MOST_MENTIONS,
  type PackageMention,
  type PackageUse,
  type UnreadPackages,
  unread,
} from './mention.ts';
import { normalName, parseRequirement } from './requirement.ts';
import { parseToml } from './toml.ts';

export interface ReadManifest {
  readonly mentions: readonly PackageMention[];
  readonly unread: readonly UnreadPackages[];
  /** Names of the packages that the skill itself holds. */
  readonly own: readonly string[];
}

const DEVELOPMENT =
  /^(?:dev|develop|development|test|tests|testing|lint|linting|docs?|ci|typing|types|mypy|format|qa|bench)$/i;

export function readPyproject(file: string, text: string): ReadManifest {
  try {
    const { project, tool, 'dependency-groups': groups } = parseToml(text);
    const lineOf = lineFinder(text);
    const found = [...ofProject(recordOf(project)), ...ofGroups(groups), ...ofPoetry(recordOf(recordOf(tool).poetry))];
    const uv = recordOf(recordOf(tool).uv);
    const more = ofList(uv['dev-dependencies'], 'development');
    const place = (written: string) => ({ file, line: lineOf(written) });
    const mentions = [...found, ...more]
      .slice(0, MOST_MENTIONS)
      .flatMap(({ written, use, poetry }): PackageMention[] => {
        const requirement = poetry ?? parseRequirement(written);
        return requirement
          ? [{ ...requirement, ecosystem: 'python', certainty: 'declared', use, ...place(written) }]
          : [];
      });
    const odd = found.slice(0, MOST_MENTIONS).filter(({ written, poetry }) => !poetry && !parseRequirement(written));
    const left = odd.map(({ written }) => unread(file, place(written).line, 'not-understood', written.slice(0, 120)));
    return { mentions, unread: [...left, ...indexOptions(uv, tool, file, text)], own: ownNames(project, tool) };
  } catch (error) {
    const line = Number(/\d+/.exec(error instanceof Error ? error.message : '')?.[0] ?? 1);
    return { mentions: [], unread: [unread(file, line, 'not-understood', 'TOML')], own: [] };
  }
}

interface Written {
  readonly written: string;
  readonly use: PackageUse;
  readonly poetry?: Pick<PackageMention, 'name' | 'spec' | 'extras' | 'marker'>;
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function ofList(value: unknown, use: PackageUse): Written[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter((one) => typeof one === 'string').map((written) => ({ written, use }));
}

function ofProject(project: Record<string, unknown>): Written[] {
  const extras = Object.entries(recordOf(project['optional-dependencies']));
  return [
    ...ofList(project.dependencies, 'needed'),
    ...extras.flatMap(([name, list]) => ofList(list, DEVELOPMENT.test(name) ? 'development' : 'optional')),
  ];
}

/** Groups are for working on a project; one by another name than those of development is counted as a part that may be left out. */
function ofGroups(groups: unknown): Written[] {
  return Object.entries(recordOf(groups)).flatMap(([name, list]) =>
    ofList(list, DEVELOPMENT.test(name) ? 'development' : 'optional'),
  );
}

function ofPoetry(poetry: Record<string, unknown>): Written[] {
  const groups = Object.entries(recordOf(poetry.group));
  return [
    ...ofPoetryTable(poetry.dependencies, 'needed'),
    ...ofPoetryTable(poetry['dev-dependencies'], 'development'),
    ...groups.flatMap(([name, group]) =>
      ofPoetryTable(recordOf(group).dependencies, DEVELOPMENT.test(name) ? 'development' : 'optional'),
    ),
  ];
}

function ofPoetryTable(table: unknown, use: PackageUse): Written[] {
  return Object.entries(recordOf(table)).flatMap(([written, value]): Written[] => {
    if (written === 'python') return [];
    const { version, optional, extras, markers, git, path, url } = recordOf(value);
    const isElsewhere = [git, path, url].some((one) => one !== undefined);
    const said = typeof value === 'string' ? value : typeof version === 'string' ? version : '';
    const spec = isElsewhere ? '' : poetrySpec(said);
    const poetry = {
      name: normalName(written),
      spec,
      extras: (Array.isArray(extras) ? extras : []).filter((one) => typeof one === 'string').map(normalName),
      marker: typeof markers === 'string' ? markers : '',
    };
    return [{ written, use: use === 'needed' && optional === true ? 'optional' : use, poetry }];
  });
}

/** `^1.2` and `~1.2` as PEP 440 says it. */
function poetrySpec(written: string): string {
  const words = written.split(',').map((one) => one.trim());
  return words.map(poetryWord).filter(Boolean).join(',');
}

function poetryWord(word: string): string {
  const [, sign = '', version = ''] = /^(\^|~)?\s*(.*)$/.exec(word) ?? [];
  if (word === '*' || word === '' || word.includes('||')) return '';
  if (sign === '') return /^\d/.test(word) ? `==${word}` : word.replace(/\s+/g, '');
  const parts = version.split('.').map(Number);
  if (parts.some(Number.isNaN)) return `>=${version}`;
  const held =
    sign === '~'
      ? Math.min(1, parts.length - 1)
      : Math.max(
          0,
          parts.findIndex((part) => part > 0),
        );
  const end = parts.slice(0, held + 1).map((part, at) => (at === held ? part + 1 : part));
  return `>=${version},<${end.join('.')}`;
}

function indexOptions(uv: Record<string, unknown>, tool: unknown, file: string, text: string): UnreadPackages[] {
  const poetry = recordOf(recordOf(tool).poetry);
  const ofUv = ['index', 'index-url', 'extra-index-url', 'find-links', 'sources'].filter((name) => name in uv);
  const names = [...ofUv.map((name) => `tool.uv.${name}`), ...('source' in poetry ? ['tool.poetry.source'] : [])];
  return names.map((name) => unread(file, lineFinder(text)(name), 'index-option', name));
}

function ownNames(project: unknown, tool: unknown): string[] {
  const names = [recordOf(project).name, recordOf(recordOf(tool).poetry).name];
  return names.filter((name) => typeof name === 'string').map(normalName);
}
