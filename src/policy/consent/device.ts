// Devices a person can let a skill use, by name: which files below /dev each of them is.
import type { Text } from '../../base/language.ts';

interface Device {
  readonly says: Text;
  /** Names below /dev; what lies in a folder of that name belongs to it. */
  readonly nodes: RegExp;
}

const DEVICES = {
  gpu: { says: { en: 'the graphics processor', zh: '图形处理器' }, nodes: /^(?:nvidia|dri$|kfd$|dxg$)/ },
  camera: { says: { en: 'the camera', zh: '摄像头' }, nodes: /^(?:video|media)\d+$/ },
  audio: { says: { en: 'microphone and loudspeaker', zh: '麦克风与扬声器' }, nodes: /^snd$/ },
  kvm: { says: { en: 'virtual machines', zh: '虚拟机' }, nodes: /^(?:kvm|vhost-vsock|vhost-net)$/ },
} as const satisfies Record<string, Device>;

export type DeviceName = keyof typeof DEVICES;

export const DEVICE_NAMES = Object.keys(DEVICES).flatMap((name) => findDevice(name) ?? []);

export function findDevice(name: string): DeviceName | undefined {
  return isDevice(name) ? name : undefined;
}

export function deviceOf(name: DeviceName): Device {
  return DEVICES[name];
}

function isDevice(name: string): name is DeviceName {
  return Object.hasOwn(DEVICES, name);
}
