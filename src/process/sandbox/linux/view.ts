// The file view of one call as an ordered list: what is shown where, and what is covered up.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../base/errors.ts';
import { isInside, realPath } from '../../../base/paths.ts';
import type { Order, ProjectView, View } from '../../order.ts';
import type { PathGrant } from './launcher.ts';
import { installationOf, isSystemPath } from './system-view.ts';

export interface Shown {
  readonly at: string;
  /** Where the content really lies; for what is covered up, the same as `at`. */
  readonly from: string;
  readonly as: 'read' | 'write' | 'device' | 'empty-file' | 'empty-folder';
}

/** Parents before children, and at one path the later rank wins: what covers comes between what it covers and what is named. */
export function arrangeView(order: Order): Shown[] {
  const { view } = order;
  const { project, skill, output, placed } = view;
  const programs = [order.argv[0] ?? '', ...(view.programs ?? [])];
  const shown: Shown[] = [
    ...programs.flatMap((program) => installationParts(program, view)).flatMap((part) => show(part, 'read')),
    ...(project ? showProject(project) : []),
    ...hiddenIn(view),
    ...view.readOnly.flatMap((entry) => show(entry, 'read')),
    ...(view.packages ?? []).map(({ at, from }): Shown => ({ at: realPath(at) ?? at, from: must(from), as: 'read' })),
    ...(skill
      ? [{ at: realPath(skill.at) ?? skill.at, from: must(skill.from), as: skill.writable ? 'write' : 'read' } as const]
      : []),
    ...view.writable.flatMap((entry) => show(entry, 'write')),
    ...(output ? [{ at: realPath(output.at) ?? output.at, from: must(output.from), as: 'write' } as const] : []),
    ...(placed ? [{ at: realPath(placed.at) ?? placed.at, from: must(placed.from), as: 'write' } as const] : []),
    ...[view.work, ...(view.home === undefined ? [] : [view.home])].map((folder): Shown => {
      return { at: must(folder), from: must(folder), as: 'write' };
    }),
    ...(view.devices ?? []).map((node): Shown => ({ at: node, from: node, as: 'device' })),
  ];
  return shown
    .map((entry, rank) => ({ entry, rank, depth: entry.at.split('/').length }))
    .sort((a, b) => a.depth - b.depth || a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** What lies in the work folder is shown with it, and stays writable. */
function installationParts(program: string, { work }: View): string[] {
  return installationOf(program).filter((part) => !isInside(work, part));
}

/** Links on the way to the view's own paths, so that a path through a link leads to the same place inside. */
export function linksToView(order: Order, shown: readonly Shown[]): { path: string; target: string }[] {
  const { work, home, project, skill, output, readOnly, writable } = order.view;
  const wanted = [
    work,
    home,
    order.cwd,
    project?.folder,
    skill?.at,
    output?.at,
    order.argv[0],
    ...readOnly,
    ...writable,
  ];
  const links = new Map<string, string>();
  for (const file of wanted) {
    const link = file && firstLink(file);
    if (!link || isSystemPath(link) || shown.some(({ at }) => isInside(at, link))) continue;
    const target = realPath(link);
    if (target) links.set(link, target);
  }
  return [...links].map(([link, target]) => ({ path: link, target }));
}

/**
 * The same view as grants, for a kernel that can only add: where something below a folder is covered up, its other
 * children are granted one by one.
 */
export function grantView(shown: readonly Shown[], { closed = [] }: Pick<View, 'closed'>): PathGrant[] {
  const hidden = shown.filter(({ as }) => as === 'empty-file' || as === 'empty-folder').map(({ at }) => at);
  const covered = [...hidden, ...closed.flatMap((entry) => realPath(entry) ?? [])];
  const kept = shown.filter(({ as }) => as === 'read').map(({ at }) => at);
  return shown.flatMap(({ from, as }): PathGrant[] => {
    if (as === 'device') return [{ right: as, path: from }];
    if (as !== 'read' && as !== 'write') return [];
    return grantAround(from, as, as === 'write' ? [...covered, ...kept] : covered);
  });
}

/** Where mounts make the view: a second wall behind them. What is shown to be read takes no write, a named pipe or device among it neither. */
export function grantInside(shown: readonly Shown[]): PathGrant[] {
  const writable = shown.filter(({ as }) => as === 'write').map(({ at }) => at);
  return [
    { right: 'read', path: '/' },
    { right: 'device', path: '/dev' },
    ...['/tmp', '/dev/shm', ...writable].map((path): PathGrant => ({ right: 'write', path })),
  ];
}

function grantAround(folder: string, right: 'read' | 'write', covered: readonly string[]): PathGrant[] {
  if (!covered.some((entry) => entry !== folder && isInside(folder, entry))) return [{ right, path: folder }];
  const grants: PathGrant[] = [{ right: 'list', path: folder }];
  for (const child of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, child.name);
    // A granted link would grant whatever it points at.
    if (child.isSymbolicLink() || covered.includes(file)) continue;
    grants.push(...grantAround(file, right, covered));
  }
  return grants;
}

function showProject({ folder, writable, layer }: ProjectView): Shown[] {
  if (!layer) return show(folder, writable ? 'write' : 'read');
  return [{ at: must(folder), from: layer.from, as: 'write' }];
}

/** A socket is nothing to read; shown, it could be connected to. */
function show(entry: string, as: 'read' | 'write'): Shown[] {
  const real = realPath(entry);
  return real === undefined || lstatSync(real).isSocket() ? [] : [{ at: real, from: real, as }];
}

function must(entry: string): string {
  const real = realPath(entry);
  if (real === undefined) throw new Fault('PathBlocked', entry);
  return real;
}

/**
 * A hidden link hides what it leads to when that is in the project; outside, nothing is there to see. A layer hides by
 * itself, but for what the snapshot of a skill shows in its place.
 */
function hiddenIn({ project, skill }: View): Shown[] {
  if (!project) return [];
  const folder = must(project.folder);
  const shown = project.layer ? skill && (realPath(skill.at) ?? skill.at) : folder;
  if (shown === undefined) return [];
  return project.hide.flatMap((entry): Shown[] => {
    const real = realPath(path.resolve(folder, entry));
    if (real === undefined || real === folder || !isInside(shown, real)) return [];
    const isFolder = lstatSync(real).isDirectory();
    return [{ at: real, from: real, as: isFolder ? 'empty-folder' : 'empty-file' }];
  });
}

function firstLink(file: string): string | undefined {
  let walked = '';
  for (const part of path.resolve(file).split('/').slice(1)) {
    walked += `/${part}`;
    const entry = lstatSync(walked, { throwIfNoEntry: false });
    if (!entry) return undefined;
    if (entry.isSymbolicLink()) return walked;
  }
  return undefined;
}
