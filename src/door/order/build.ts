// What a call is started with: its words, its environment, what it sees of the disk and its limits.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { type Language, languageFromLocale } from '../../base/language.ts';
import { isInside } from '../../base/paths.ts';
import { type AbsolutePath, absolutePath } from '../../base/value/absolute-path.ts';
import type { PackageView } from '../../environment/use/view.ts';
import type { Reach } from '../../policy/consent/reach.ts';
import { deviceNodes } from '../../process/device.ts';
import { buildEnvironment } from '../../process/environment.ts';
import { defaultLimits, withOwnLimits } from '../../process/limits.ts';
import type { Order } from '../../process/order.ts';
import type { Snapshot } from '../../process/snapshot.ts';
import type { Surroundings } from '../../process/surroundings.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { programFolders } from '../consent/program-folder.ts';
import type { Door } from '../door.ts';
import type { CallNetwork } from '../network/call-network.ts';
import type { StagedOutput } from '../output/folder.ts';
import type { OwnFolder } from '../output/own-folder.ts';
import type { Secrets } from '../secret.ts';
import { startWords } from '../start-words.ts';
import type { Work } from '../work.ts';

/** What was made for this call alone. */
export interface Made {
  readonly folder: string;
  readonly home: AbsolutePath;
  readonly reach: Pick<Reach, 'programs' | 'devices'>;
  readonly snapshot: Snapshot | undefined;
  readonly around: Surroundings | undefined;
  readonly own: Pick<OwnFolder, 'folder' | 'writable'> | undefined;
  readonly layer: ProjectLayer;
  readonly output: Pick<StagedOutput, 'at' | 'mapped'>;
  readonly network: CallNetwork;
  readonly packages: PackageView;
}

const LOCALES: Record<Language, string> = { en: 'C.UTF-8', zh: 'zh_CN.UTF-8' };

/** A script answers in the language of the command: --lang reaches it as a locale. */
function inLanguageOf({ env, language }: Door): Door['env'] {
  if (languageFromLocale(env) === language) return env;
  const locale = LOCALES[language];
  return { ...env, LC_ALL: undefined, LANGUAGE: undefined, LC_MESSAGES: locale, LANG: locale };
}

export async function buildOrder(work: Work, made: Made, secrets: Secrets, door: Door): Promise<Order> {
  const { folder, home, snapshot, around, own, layer, output, network, reach, packages } = made;
  const { project } = door.places;
  const timeoutMs = work.seconds * 1000;
  const started = await startWords(work, snapshot, door);
  const shown = { folder: project, hide: layer.hidden, writable: false, layer: layer.shown };
  const { env, refused } = buildEnvironment({
    host: inLanguageOf(door),
    work: folder,
    home,
    secrets,
    ...(door.debug && { debug: true }),
    programs: [...started.programs, ...programFolders(reach.programs, folder, project)],
  });
  if (refused.length > 0)
    throw new Fault('PermissionDenied', {
      en: `${refused.join(', ')} may not be set for a skill`,
      zh: `不允许为技能设置 ${refused.join(', ')}`,
    });
  return {
    argv: packages.started(started.argv),
    cwd: work.cwd ?? project,
    // By name too, for scripts that work in another folder than the project.
    env: {
      ...env,
      ...network.env,
      ...trustedByGit(project),
      SKILL_OUTPUT_DIR: output.at,
      ...withPackages(env, packages),
    },
    view: {
      work: absolutePath(folder),
      home,
      programs: [...reach.programs.map(({ file }) => absolutePath(file)), ...packages.programs],
      devices: reach.devices.flatMap(deviceNodes),
      ...(work.skill && own && skillView(work.skill.folder, own, shown.hide)),
      project: shown,
      packages: packages.shown,
      ...(output.mapped && { output: output.mapped }),
      readOnly: [
        ...[...started.readOnly, ...door.runtimes(), ...work.files, ...network.readOnly],
        ...(around ? [around.root] : []),
      ].map(absolutePath),
      writable: [],
    },
    network: network.order,
    limits: withOwnLimits(defaultLimits(timeoutMs), door.limits),
    timeoutMs,
    ...(work.stdin !== undefined && { stdin: work.stdin }),
  };
}

/** Its interpreter comes before the programs of the system, and what its packages bring behind them. */
function withPackages({ PATH = '' }: Readonly<Record<string, string>>, { env, first, last }: PackageView) {
  return { ...env, PATH: [...first, PATH, ...last].join(':') };
}

/** Git refuses what belongs to another user, and as root a call has a user of its own; newer versions take what lies below. */
function trustedByGit(project: string): Record<string, string> {
  const setting = (index: number, value: string) => ({
    [`GIT_CONFIG_KEY_${index}`]: 'safe.directory',
    [`GIT_CONFIG_VALUE_${index}`]: value,
  });
  // Settings of the machine are not shown to a call, and git stops at those it may not read.
  return { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_COUNT: '2', ...setting(0, project), ...setting(1, `${project}/*`) };
}

function skillView(
  at: AbsolutePath,
  { folder: from, writable }: Pick<OwnFolder, 'folder' | 'writable'>,
  hidden: readonly string[],
): Pick<Order['view'], 'skill' | 'closed'> {
  const inside = hidden.filter((file) => isInside(at, file));
  const skill = { at, from: absolutePath(from), ...(writable && { writable }) };
  return { skill, closed: inside.map((file) => absolutePath(path.join(from, path.relative(at, file)))) };
}
