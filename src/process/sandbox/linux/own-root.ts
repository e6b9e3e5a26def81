// What is mounted into the root of its own that a call of tier S2 gets, as an ordered list of parts.
import { statSync } from 'node:fs';
import { isInside } from '../../../base/paths.ts';
import type { Order } from '../../order.ts';
import { TEMPORARY_BYTES } from './bubblewrap.ts';
import { DEVICES } from './landlock.ts';
import type { RootPart } from './launcher.ts';
import type { OwnSetting } from './own-settings.ts';
import { systemFolders, systemSettings } from './system-view.ts';
import { linksToView, type Shown } from './view.ts';

export interface RootView {
  readonly shown: readonly Shown[];
  readonly settings: readonly OwnSetting[];
  /** Whatever of these is shown, a folder below one as well, is sealed. */
  readonly seal: readonly string[];
  readonly emptyFile: string;
}

const DEVICE_LINKS = { fd: 'fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2' };

export function rootParts(order: Order, view: RootView): RootPart[] {
  return [
    ...systemFolders().map(({ path, link }): RootPart => {
      return link === undefined ? { how: 'read', from: path, at: path } : { how: 'link', content: link, at: path };
    }),
    { how: 'proc', at: '/proc' },
    ...DEVICES.map((path): RootPart => ({ how: 'device', from: path, at: path })),
    ...Object.entries(DEVICE_LINKS).map(([name, to]): RootPart => {
      return { how: 'link', content: `/proc/self/${to}`, at: `/dev/${name}` };
    }),
    ...['/dev/shm', '/tmp'].map((at): RootPart => ({ how: 'memory', bytes: TEMPORARY_BYTES, at })),
    ...systemSettings(order.network).map((path): RootPart => ({ how: 'read', from: path, at: path })),
    ...view.settings.map(({ path, content }): RootPart => ({ how: 'text', content, at: path })),
    ...view.shown.map((entry) => viewPart(entry, view)),
    ...linksToView(order, view.shown).map(({ path, target }): RootPart => ({ how: 'link', content: target, at: path })),
  ];
}

function viewPart({ at, from, as }: Shown, { seal, emptyFile }: RootView): RootPart {
  switch (as) {
    case 'read':
      return { how: isSealed(from, seal) ? 'sealed' : 'read', from, at };
    case 'write':
    case 'device':
      return { how: as, from, at };
    case 'empty-file':
      return { how: 'read', from: emptyFile, at };
    case 'empty-folder':
      return { how: 'empty', at };
  }
}

function isSealed(from: string, seal: readonly string[]): boolean {
  return seal.some((folder) => isInside(folder, from)) && statSync(from).isDirectory();
}
