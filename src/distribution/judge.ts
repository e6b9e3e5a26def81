// Decides whether a staged skill may be installed: compares it with the existing one, its publisher, and other names.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { nearest, visible } from '../base/text.ts';
import { gravestWith, type VetPolicy } from '../config/vet-policy.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { digestSkill, type SkillDigest } from '../skill/digest.ts';
import type { Manifest } from '../skill/skill.ts';
import { canonicalKey } from './archive/name.ts';
import type { Candidate, InstallOptions } from './candidate.ts';
import {
  compareFiles,
  comparePermissions,
  type FileChanges,
  type PermissionChanges,
  permissionsOf,
} from './difference.ts';
import { readHeadOf } from './installed.ts';
import type { Lock, LockedSkill } from './lock.ts';
import type { InstallPlace } from './place.ts';
import type { KeyStore } from './sign/key-store.ts';
import type { Origin } from './source/offer.ts';
import { compareVersions, isVersion } from './version.ts';

export interface JudgedSkill {
  readonly candidate: Candidate;
  readonly action: 'install' | 'replace' | 'unchanged';
  /** The differences from the skill it replaces. */
  readonly changes?: Changes;
  readonly warnings: readonly Text[];
  /** Reasons for which `--yes` is not enough and a person must answer. */
  readonly needsPerson: readonly Text[];
}

export interface Changes {
  readonly version: { readonly before?: string; readonly after?: string };
  readonly files: FileChanges;
  readonly permissions: PermissionChanges;
}

export interface InstallCircumstances {
  readonly place: InstallPlace;
  readonly lock: Lock;
  readonly keys: Pick<KeyStore, 'pinned' | 'highest'>;
  readonly known: readonly SkillEntry[];
  readonly vet?: VetPolicy;
}

export function judgeSkill(candidate: Candidate, around: InstallCircumstances, options: InstallOptions): JudgedSkill {
  const { place, lock } = around;
  const locked = lock.skills.find(({ name }) => name === candidate.manifest.name);
  const target = path.join(place.root, candidate.folderName);
  refuseOtherFolder(candidate, locked, around);
  const current = lstatSync(target, { throwIfNoEntry: false }) && digestCurrent(target);
  const needsPerson = [
    ...mixedName(candidate),
    ...graveFindings(candidate, around),
    ...checkPublisher(candidate, locked, around, options),
    ...checkVersion(candidate, locked, around, options),
    ...hidesAnother(candidate, locked, around),
  ];
  const warnings = nameWarnings(candidate, around);
  if (current?.digest === candidate.digest.digest && locked?.digest === current.digest)
    return { candidate, action: 'unchanged', warnings, needsPerson: [] };
  if (!current) return { candidate, action: 'install', warnings, needsPerson };
  refuseOverwriting(candidate, current, locked, options);
  const changes = changesBetween(target, current, candidate, locked);
  return { candidate, action: 'replace', changes, warnings, needsPerson };
}

/** What lies where a skill is to be installed; without a digest where it cannot be hashed. */
type CurrentFiles = Pick<SkillDigest, 'files'> & Partial<Pick<SkillDigest, 'digest'>>;

// A skill that cannot be hashed was not installed by us; --force may still replace it.
function digestCurrent(target: string): CurrentFiles {
  try {
    return digestSkill(target);
  } catch {
    return { files: [] };
  }
}

/** A name belongs to one folder; a second one, even if only case or normalization differs, is refused. */
function refuseOtherFolder(
  { manifest, folderName }: Candidate,
  locked: LockedSkill | undefined,
  { place, known }: InstallCircumstances,
): void {
  const here = known.filter(({ root }) => root === place.root);
  const key = canonicalKey([folderName]);
  const other = here.find(
    (skill) =>
      skill.folderName !== folderName && (skill.name === manifest.name || canonicalKey([skill.folderName]) === key),
  );
  if (!other && (locked === undefined || locked.folder === folderName)) return;
  const where = visible(other?.folder ?? locked?.folder ?? '');
  throw new Fault('AlreadyExists', {
    en: `${visible(manifest.name)} is in another folder: ${where}`,
    zh: `${visible(manifest.name)} 位于另一目录: ${where}`,
  });
}

function refuseOverwriting(
  { manifest, digest }: Candidate,
  current: CurrentFiles,
  locked: LockedSkill | undefined,
  { force }: InstallOptions,
): void {
  if (force === true || current.digest === digest.digest) return;
  const name = visible(manifest.name);
  const hint = {
    en: '--force replaces it; the old one goes to the trash.',
    zh: '--force 将其替换；旧版本移入回收区。',
  };
  if (!locked)
    throw new Fault(
      'AlreadyExists',
      { en: `${name}, not installed by this tool`, zh: `${name}，并非由本工具安装` },
      { hint },
    );
  if (current.digest !== locked.digest)
    throw new Fault(
      'IntegrityMismatch',
      { en: `${name} was changed since it was installed`, zh: `${name} 安装后被修改` },
      { hint },
    );
}

/** The first publisher of a name keeps it: another key, no key, or another source needs --replace and a person. */
function checkPublisher(
  { manifest, origin, signer }: Candidate,
  locked: LockedSkill | undefined,
  { keys }: InstallCircumstances,
  { replace }: InstallOptions,
): Text[] {
  const name = visible(manifest.name);
  // On another machine only the lock says who signed it.
  const before = keys.pinned(manifest.name) ?? locked?.signer;
  const reason =
    before !== undefined && before !== signer
      ? {
          en: `${name} was signed with ${visible(before)} so far, now ${signer ?? 'with nothing'}`,
          zh: `${name} 此前由 ${visible(before)} 签名，现为 ${signer ?? '未签名'}`,
        }
      : locked &&
          !isSameSource(locked.source, origin) &&
          (signer === undefined || signer !== keys.pinned(manifest.name))
        ? {
            en: `${name} came from ${visible(locked.source.location)} so far, now from ${visible(origin.location)}`,
            zh: `${name} 此前来自 ${visible(locked.source.location)}，现来自 ${visible(origin.location)}`,
          }
        : undefined;
  if (!reason) return [];
  if (replace === true) return [reason];
  throw new Fault('PermissionDenied', reason, {
    hint: { en: 'If that is meant, say --replace.', zh: '如确属有意，请加 --replace。' },
  });
}

/** A downgrade: below the installed version, below the highest of its publisher here, or not comparable. */
function checkVersion(
  { manifest, digest, signer }: Candidate,
  locked: LockedSkill | undefined,
  { keys }: InstallCircumstances,
  { allowDowngrade }: InstallOptions,
): Text[] {
  // Exactly what the lock names is not a downgrade, whatever other projects have.
  if (locked?.digest === digest.digest) return [];
  const seen = signer === undefined ? undefined : keys.highest(manifest.name, signer);
  const reason = [locked?.version, seen].map((before) => explainDowngrade(manifest, before)).find(Boolean);
  if (reason === undefined) return [];
  if (allowDowngrade === true) return [reason];
  throw new Fault('PermissionDenied', reason, {
    hint: { en: 'If that is meant, say --allow-downgrade.', zh: '如确属有意，请加 --allow-downgrade。' },
  });
}

function explainDowngrade({ name, version }: Manifest, before: string | undefined): Text | undefined {
  if (!isVersion(before)) return undefined;
  const order = compareVersions(version, before);
  if (order !== undefined && order >= 0) return undefined;
  const [shown, was, is] = [name, before, version ?? ''].map(visible);
  if (order !== undefined) return { en: `${shown} ${is} is older than ${was}`, zh: `${shown} ${is} 早于 ${was}` };
  return {
    en: `${shown} was at version ${was}, and ${is === '' ? 'now says none' : `${is} cannot be compared with it`}`,
    zh: `${shown} 此前版本为 ${was}，现${is === '' ? '未注明版本' : `为无法比较的 ${is}`}`,
  };
}

function mixedName({ manifest: { name } }: Candidate): Text[] {
  const shown = visible(name);
  return mixesScripts(name)
    ? [{ en: `the name ${shown} mixes letters that look alike`, zh: `名称 ${shown} 混用了外形相近的字母` }]
    : [];
}

function graveFindings({ manifest, vetting }: Candidate, { vet = {} }: InstallCircumstances): Text[] {
  const name = visible(manifest.name);
  const found = vetting.findings.map(({ severity }) => severity);
  const says = (severity: string): Text => ({
    en: `${name} has findings of severity ${severity}`,
    zh: `${name} 存在 ${severity} 级别的发现`,
  });
  const refused = gravestWith('refuse', found, vet);
  if (refused)
    throw new Fault('PermissionDenied', says(refused), {
      hint: { en: 'The settings refuse that: security.vet.', zh: '配置 security.vet 拒绝此类技能。' },
    });
  const grave = gravestWith('person', found, vet);
  return grave ? [says(grave)] : [];
}

/** What a server serves under the name of a skill that is here is not what people mean by that name. */
function hidesAnother(
  { manifest, origin }: Candidate,
  locked: LockedSkill | undefined,
  around: InstallCircumstances,
): Text[] {
  const twin = twinOf(manifest, around);
  if (origin.kind !== 'mcp' || locked || !twin) return [];
  const [shown, where] = [visible(manifest.name), visible(origin.location)];
  return [
    {
      en: `${shown} is also the name of a skill here (${twin.source}); this one is from ${where}`,
      zh: `此处已有同名技能 ${shown}（${twin.source}）；此技能来自 ${where}`,
    },
  ];
}

function twinOf({ name }: Manifest, { known, place }: InstallCircumstances): SkillEntry | undefined {
  return known.find((one) => one.name === name && one.root !== place.root);
}

function mixesScripts(name: string): boolean {
  const scripts = [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Cherokee}|\p{Script=Armenian}/u,
  ];
  return scripts.filter((script) => script.test(name)).length > 1;
}

function nameWarnings({ manifest, origin }: Candidate, around: InstallCircumstances): Text[] {
  const { known } = around;
  const others = new Set(known.map(({ name }) => name).filter((name) => name !== manifest.name));
  const near = nearest(manifest.name, others).filter((name) => Math.abs(name.length - manifest.name.length) <= 1);
  const twin = origin.kind === 'mcp' ? undefined : twinOf(manifest, around);
  const shown = visible(manifest.name);
  return [
    ...near.slice(0, 1).map((name) => ({
      en: `${shown} looks like ${visible(name)}, which is another skill`,
      zh: `${shown} 与另一技能 ${visible(name)} 名称相近`,
    })),
    ...(twin
      ? [
          {
            en: `there is another skill called ${shown}: ${twin.source}`,
            zh: `已有另一个名为 ${shown} 的技能: ${twin.source}`,
          },
        ]
      : []),
  ];
}

function changesBetween(
  target: string,
  current: CurrentFiles,
  { manifest, digest }: Candidate,
  locked: LockedSkill | undefined,
): Changes {
  const before = readHeadOf(target);
  return {
    version: {
      ...((locked?.version ?? before?.version) !== undefined && { before: locked?.version ?? before?.version ?? '' }),
      ...(manifest.version !== undefined && { after: manifest.version }),
    },
    files: compareFiles(current.files, digest.files),
    permissions: comparePermissions(before ? permissionsOf(before) : [], permissionsOf(manifest)),
  };
}

function isSameSource(a: Origin, b: Origin): boolean {
  return a.kind === b.kind && a.location === b.location;
}
