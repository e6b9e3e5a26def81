// npm as it is always started: without scripts, with one registry, without any settings of the user's, and its words told apart.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/files.ts';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { namesIfThere, readTextIfThere } from '../../base/read-file.ts';
import { isSystemFile } from '../../process/program.ts';
import { installerFailed, refusePackages, wrongHash } from '../build/refusal.ts';
import { useTool, type Worked, type Workshop } from '../build/workshop.ts';
import type { IndexPlace } from '../index-place.ts';

export interface NpmSearch {
  /** The PATH of the machine. */
  readonly path: string;
  readonly project: string;
}

const NO_GIT = 'no-git';
const CACHE = 'tmp/npm';
const COMMON = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--json'];

/** Throws a Fault that names the package where there is one to name. */
export async function runNpm(
  words: readonly string[],
  index: IndexPlace,
  search: NpmSearch,
  workshop: Workshop,
): Promise<string> {
  const npm = findNpm(search);
  const { folder } = workshop;
  const settings = path.join(folder, 'npmrc');
  writeFileAtomic(settings, loginOf(index), { mode: 0o600 });
  const worked = await useTool(
    {
      argv: [process.execPath, npm, ...words, ...COMMON, '--prefix', path.join(folder, 'tree')],
      env: {
        npm_config_registry: `${index.url}/`,
        npm_config_userconfig: settings,
        npm_config_globalconfig: path.join(folder, 'none'),
        // Nothing is fetched from a repository.
        npm_config_allow_git: 'none',
        npm_config_git: path.join(folder, NO_GIT),
        npm_config_cache: path.join(folder, CACHE),
        npm_config_fetch_retries: '2',
        npm_config_fetch_retry_mintimeout: '500',
        npm_config_fetch_retry_maxtimeout: '5000',
      },
      readOnly: [process.execPath, ...(isSystemFile(npm) ? [] : [path.dirname(path.dirname(npm))])],
      hosts: index.hosts,
    },
    workshop,
  );
  if (worked.exit !== 0) throw refuseRepository(worked, folder) ?? explain(worked);
  return versionOf(npm);
}

/** In a file of its own, which nobody else reads. */
function loginOf({ url, secretUrl }: IndexPlace): string {
  const { username, password } = new URL(secretUrl);
  if (username === '' && password === '') return '';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `${url.replace(/^https?:/, '')}/:_auth=${Buffer.from(login).toString('base64')}\n`;
}

/** A newer npm says which package it was; of an older one its own log does. */
function refuseRepository({ stderr }: Worked, folder: string): Fault | undefined {
  if (!/EALLOWGIT/.test(stderr) && !stderr.includes(NO_GIT)) return undefined;
  const told = /Refusing to fetch "([^"]+)"/.exec(stderr)?.[1];
  const logs = path.join(folder, CACHE, '_logs');
  const logged = namesIfThere(logs).map((name) => readTextIfThere(path.join(logs, name)) ?? '');
  const fetched = [...logged.join('\n').matchAll(/silly fetch manifest (\S+)/g)].at(-1)?.[1];
  return refusePackages('address', [told ?? fetched ?? 'a package']);
}

function explain({ stdout, stderr }: Worked): Fault {
  const told = jsonIfValid(stdout.slice(Math.max(0, stdout.indexOf('{'))));
  const error = isRecord(told) && isRecord(told.error) ? told.error : {};
  const code = String(error.code ?? '');
  const said = `${String(error.summary ?? '')}\n${String(error.detail ?? '')}\n${stderr}`;
  if (code === 'EINTEGRITY' || /EINTEGRITY/.test(said)) return wrongHash([mentioned(said)]);
  if (code === 'E404' || code === 'ETARGET' || code === 'ENOVERSIONS')
    return refusePackages('missing', [mentioned(said)]);
  if (code === 'EBADPLATFORM' || code === 'ERESOLVE') return refusePackages('platform', [mentioned(said)]);
  if (/SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY/.test(code))
    return refusePackages('untrusted', [/request to https:\/\/([^/\s]+)/.exec(said)?.[1] ?? 'npm']);
  if (/^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET|ERR_TLS|CERT_|E403|E5)/.test(code))
    return refusePackages('unreachable', [code]);
  return installerFailed('npm', said);
}

/** Which package npm speaks of. */
function mentioned(said: string): string {
  const quoted = /['"‘]?((?:@[\w.~-]+\/)?[\w.~-]+@[\w.^~<>=*| -]*[\w*])['"’]/.exec(said)?.[1];
  const found = quoted ?? /No matching version found for (\S+?)\.?(?:\s|$)/.exec(said)?.[1];
  return (
    found ??
    /\/((?:@[\w.~-]+(?:\/|%2f))?[\w.~-]+)(?:\/-\/\S+|\s-\sNot found|: Not found)/i.exec(said)?.[1] ??
    'a package'
  );
}

/** The program behind the name on the PATH: a file of Node's own installation, never of the project. */
export function findNpm({ path: folders, project }: NpmSearch): string {
  const beside = path.join(path.dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const named = folders.split(':').flatMap((folder) => (path.isAbsolute(folder) ? path.join(folder, 'npm') : []));
  const known = ['/usr/lib/node_modules', '/usr/local/lib/node_modules', '/usr/share/nodejs'];
  const usual = known.map((folder) => path.join(folder, 'npm/bin/npm-cli.js'));
  for (const candidate of [beside, ...named, ...usual]) {
    const real = realPath(candidate);
    if (real === undefined || path.basename(real) !== 'npm-cli.js' || isInside(project, real)) continue;
    if ((lstatSync(real).mode & 0o002) === 0) return real;
  }
  throw new Fault(
    'RuntimeFailed',
    { en: 'npm is not installed', zh: '未安装 npm' },
    {
      reason: 'missing-part',
      details: { missing: 'npm' },
      hint: {
        en: 'Install npm so that it is on your PATH (https://nodejs.org).',
        zh: '请安装 npm，使其位于 PATH 中（https://nodejs.org）。',
      },
    },
  );
}

function versionOf(npm: string): string {
  const file = path.join(path.dirname(path.dirname(npm)), 'package.json');
  const told = jsonIfValid(readTextIfThere(file) ?? '');
  return isRecord(told) && typeof told.version === 'string' ? told.version : '';
}
