// Opens a source that a person names: a zip or .skill file, a folder, a repository, a site, or a skill of a server.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { expandHome } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { ARCHIVE_SUFFIXES } from '../archive/types.ts';
import type { Offer, WantedSkills } from './offer.ts';
import { openServed, type ServedSources } from './served.ts';
import { readServedName, type ServedName } from './served-name.ts';

export interface SourceWish extends WantedSkills {
  readonly location: string;
  readonly ref?: string;
  readonly path?: string;
  /** Named only by the lock of an untrusted project. */
  readonly isUnasked?: boolean;
}

export interface SourcePlaces {
  readonly cwd: string;
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A private folder for the duration of the call. */
  readonly work: string;
  /** Servers of the user's that may be asked; none unless given. */
  readonly servers?: ServedSources;
}

const GIT_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

export async function openSource(wish: SourceWish, places: SourcePlaces): Promise<Offer[]> {
  const { servers = NO_SERVERS } = places;
  const served = readServedName(wish.location, servers.names);
  if (served) return [await openServedWish(served, wish, servers, places)];
  const local = localPath(wish, places);
  switch (await kindOf(wish, local)) {
    case 'archive-file': {
      const { openArchiveFile } = await import('./archive.ts');
      return [openArchiveFile(local, wish)];
    }
    case 'folder': {
      const { openFolder } = await import('./folder.ts');
      return [openFolder(wish.path === undefined ? local : path.join(local, wish.path), wish)];
    }
    case 'archive-address':
      await judgeDownload(wish, places);
      return [await openArchiveAddress(wish)];
    case 'git': {
      const { openGitSource } = await import('./repository.ts');
      const location = gitLocation(wish, local);
      const settings = await judgeRepository(wish, location, places);
      return [await openGitSource({ ...wish, location }, wish, places.work, { ...places, settings })];
    }
    case 'index': {
      await judgeDownload(wish, places);
      const { download } = await import('./download.ts');
      const { openIndex } = await import('./site.ts');
      return await openIndex(wish.location, { names: wish.names, download });
    }
  }
}

/** One skill is named; a lock that nobody trusts starts no server for it. */
async function openServedWish(
  served: ServedName,
  { names, ref, path: below, isUnasked, location }: SourceWish,
  servers: ServedSources,
  places: SourcePlaces,
): Promise<Offer> {
  if (names.length > 0 || ref !== undefined || below !== undefined)
    throw new Fault('Usage', {
      en: `${visible(location)} names one skill of a server; nothing is written behind it`,
      zh: `${visible(location)} 指定了服务器的一个技能；其后不写其他内容`,
    });
  if (isUnasked) {
    const { judgeLockedServer } = await import('./locked-address.ts');
    judgeLockedServer(location, places);
  }
  return await openServed(served, await servers.open(served.server));
}

const NO_SERVERS: ServedSources = {
  names: [],
  async open(server) {
    throw new Fault('DataNotFound', visible(server));
  },
};

async function judgeDownload({ isUnasked, location }: SourceWish, places: SourcePlaces): Promise<void> {
  if (!isUnasked) return;
  const { judgeLockedDownload } = await import('./locked-address.ts');
  judgeLockedDownload(location, places);
}

async function judgeRepository({ isUnasked }: SourceWish, location: string, places: SourcePlaces): Promise<string[]> {
  if (!isUnasked) return [];
  const { judgeLockedRepository } = await import('./locked-address.ts');
  return await judgeLockedRepository(location, places);
}

async function openArchiveAddress(wish: SourceWish): Promise<Offer> {
  const { download, downloadIfThere } = await import('./download.ts');
  const { openArchiveBytes } = await import('./archive.ts');
  const { location } = wish;
  const bytes = await download(location);
  const offer = openArchiveBytes(bytes, { kind: 'archive', location }, wish);
  const signature = await downloadIfThere(`${location}.sig`);
  return { ...offer, ...(signature && { signed: { bytes, signature: signature.toString('utf8') } }) };
}

type SourceKind = 'archive-file' | 'archive-address' | 'folder' | 'git' | 'index';

async function kindOf(wish: SourceWish, local: string): Promise<SourceKind> {
  const { location, ref } = wish;
  if (/^(?:git\+|ssh:\/\/|file:\/\/|github:)|^[\w.-]+@[\w.-]+:/.test(location) || /^\w+:\/\/.*\.git\/?$/.test(location))
    return 'git';
  if (/^https?:\/\//i.test(location)) return await kindOfAddress(location, ref !== undefined);
  const stats = statSync(local, { throwIfNoEntry: false });
  if (!stats) throw noSuchSource(location);
  if (stats.isFile()) return 'archive-file';
  const isBare = statSync(path.join(local, 'objects'), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return ref !== undefined || isBare ? 'git' : 'folder';
}

function noSuchSource(location: string): Fault {
  const shown = visible(location);
  const isRepository = /^[\w.-]+\/[\w.-]+$/.test(location);
  const forms = 'github:OWNER/NAME, https://…, git+ssh://…, SERVER:SKILL';
  const meant = isRepository
    ? { en: `For a repository of GitHub write github:${shown}. `, zh: `GitHub 仓库请写 github:${shown}。` }
    : { en: '', zh: '' };
  return new Fault(
    'DataNotFound',
    { en: `there is no file or folder ${shown}`, zh: `没有文件或目录 ${shown}` },
    {
      hint: {
        en: `${meant.en}A source is a folder, an archive (${ARCHIVE_SUFFIXES.join(', ')}), ${forms}.`,
        zh: `${meant.zh}来源可以是目录、压缩包（${ARCHIVE_SUFFIXES.join('、')}）、${forms}。`,
      },
    },
  );
}

async function kindOfAddress(location: string, hasRef: boolean): Promise<SourceKind> {
  if (!URL.canParse(location)) throw new Fault('ParamInvalid', visible(location));
  const { hostname, pathname } = new URL(location);
  const { isArchiveName } = await import('../archive/types.ts');
  if (isArchiveName(pathname)) return 'archive-address';
  return hasRef || GIT_HOSTS.has(hostname) ? 'git' : 'index';
}

function localPath({ location }: SourceWish, { cwd, home }: SourcePlaces): string {
  return path.resolve(cwd, expandHome(location, home));
}

function gitLocation({ location }: SourceWish, local: string): string {
  const bare = location.replace(/^git\+/, '');
  if (bare.startsWith('github:')) return `https://github.com/${bare.slice('github:'.length)}`;
  const isAddress = /^\w[\w+.-]*:\/\//.test(bare) || /^[\w.-]+@[\w.-]+:/.test(bare);
  if (isAddress) return bare;
  return bare === location ? local : path.resolve(bare);
}
