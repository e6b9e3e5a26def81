// Plugins in a source: Agent Plugins (`plugin.json`), and the plugin and marketplace layouts of Claude Code and Codex.
import { isRecord, parseJson } from '../../base/json.ts';

/** A plugin by its name, with the folders of its skills. */
export interface Plugin {
  readonly name: string;
  readonly folders: readonly string[];
}

interface ManifestFile {
  readonly path: string;
  readonly size: number;
  read(): Buffer;
}

const MARKETPLACES = ['.claude-plugin/marketplace.json', '.agents/plugins/marketplace.json'];
const MANIFESTS = ['.claude-plugin/plugin.json', '.codex-plugin/plugin.json', 'plugin.json'];
const SCHEMA = 'https://agent-plugins.org/schemas/';
const SIZE_LIMIT = 256 * 1024;

/** Files that declare plugins. */
export function isPluginManifest({ path, size }: Pick<ManifestFile, 'path' | 'size'>): boolean {
  return (
    size <= SIZE_LIMIT && [...MARKETPLACES, ...MANIFESTS].some((name) => path === name || path.endsWith(`/${name}`))
  );
}

/** The plugins of a source; an unreadable manifest is ignored. `skillFolders`: where a SKILL.md is. */
export function findPlugins(files: readonly ManifestFile[], skillFolders: readonly string[]): Plugin[] {
  const manifests = new Map(files.filter(isPluginManifest).map((file) => [file.path, file]));
  if (manifests.size === 0) return [];
  const read = (path: string) => parse(manifests.get(path));
  const listed = MARKETPLACES.flatMap((path) => listPlugins(read(path)));
  const all = listed.length > 0 ? listed : [{ base: '', entry: {} }];
  return all.flatMap(({ base, entry }) => {
    const manifest = MANIFESTS.map((path) => [path, read(join(base, path))] as const).find(isPlugin)?.[1];
    const name = [entry.name, manifest?.name].find((value) => typeof value === 'string');
    if (name === undefined) return [];
    const places = [entry.skills, manifest?.skills].flat().filter((value) => typeof value === 'string');
    // The list of a marketplace entry is complete; the list of a plugin adds to its folder.
    const own = entry.skills === undefined ? ['skills', ...places] : places;
    const folders = own.flatMap((place) => foldersAt(join(base, place), skillFolders));
    return [{ name, folders: [...new Set(folders)] }];
  });
}

interface Listed {
  readonly base: string;
  readonly entry: Record<string, unknown>;
}

// A plugin in another repository is not part of this source.
function listPlugins(marketplace: Record<string, unknown> | undefined): Listed[] {
  const plugins = Array.isArray(marketplace?.plugins) ? marketplace.plugins.filter(isRecord) : [];
  return plugins.flatMap((entry) => {
    const source = isRecord(entry.source) ? entry.source.path : entry.source;
    const isElsewhere = isRecord(entry.source) && entry.source.source !== 'local';
    return typeof source === 'string' && !isElsewhere ? [{ base: join('', source), entry }] : [];
  });
}

// Many files are called plugin.json; the one at the top must declare itself.
function isPlugin([path, manifest]: readonly [string, Record<string, unknown> | undefined]): boolean {
  if (!manifest) return false;
  return path !== 'plugin.json' || (typeof manifest.$schema === 'string' && manifest.$schema.startsWith(SCHEMA));
}

/** The skill in this folder, or those directly below; a path that leaves the source has none. */
function foldersAt(place: string, skillFolders: readonly string[]): string[] {
  if (place.split('/').includes('..')) return [];
  if (place !== '' && skillFolders.includes(place)) return [place];
  const front = place === '' ? '' : `${place}/`;
  return skillFolders.filter((folder) => folder.startsWith(front) && !folder.slice(front.length).includes('/'));
}

function join(base: string, place: string): string {
  const parts = `${base}/${place}`.split('/');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

function parse(file: ManifestFile | undefined): Record<string, unknown> | undefined {
  try {
    const value = file && parseJson(file.read().toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
