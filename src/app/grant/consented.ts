// What a person lets a skill reach, read from their words; what would have no effect is refused.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { readHostRule } from '../../base/host-rule.ts';
import type { Text } from '../../base/language.ts';
import { realPath } from '../../base/paths.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import { DEVICE_NAMES, type DeviceName, findDevice } from '../../policy/consent/device.ts';
import { isEmptyReach, type ProgramReach, type Reach, unionReach } from '../../policy/consent/reach.ts';
import type { GrantTarget } from '../../policy/grant/grant.ts';
import { deviceNodes, isOpenToCalls } from '../../process/device.ts';
import { isDenied } from '../../process/environment.ts';
import { belongsToProject, findProgram, isUsable } from '../../process/program.ts';
import { isSystemPath } from '../../process/sandbox/linux/system-view.ts';
import type { Runtime } from '../runtime.ts';

/** As it was written. */
export interface AskedConsent {
  readonly hosts?: readonly string[];
  readonly variables?: readonly string[];
  readonly programs?: readonly string[];
  readonly devices?: readonly string[];
  readonly home?: boolean;
}

/** Undefined where nothing is asked for. Throws a Fault for what is no such thing, and for what nobody may consent to. */
export function readConsented(asked: AskedConsent, { env, places }: Runtime): Reach | undefined {
  const { hosts = [], variables = [], programs = [], devices = [], home = false } = asked;
  const search = { path: env.PATH ?? '', project: places.project };
  const reach = unionReach([
    {
      hosts: hosts.map(readHostRule),
      variables: variables.map(readVariable),
      programs: programs.map((written) => locate(written, search)),
      devices: devices.map(readDevice),
      home,
    },
  ]);
  return isEmptyReach(reach) ? undefined : reach;
}

/** Throws a Fault where what the grant is for gets nothing by it. */
export function refuseIdleConsent(target: GrantTarget, reach: Reach | undefined, follow: boolean): void {
  if (!reach) return;
  const isText = ['command', 'shell', 'tool'].includes(target.kind);
  const kept = isText ? ONLY_CODE : follow ? ONLY_BYTES : undefined;
  if (kept) throw new Fault('Usage', kept.says, { hint: kept.hint });
}

const ONLY_CODE: { readonly says: Text; readonly hint: Text } = {
  says: {
    en: 'hosts, variables, programs, devices and a home are for code of the skill, not for commands and tools',
    zh: '主机、变量、程序、设备与主目录只授予技能自身的代码，不授予命令与工具',
  },
  hint: {
    en: 'Grant them alone, without --command, --shell and --tool: `skillwright grants add <skill> --host NAME`. A command gets them only by a yes to that very command.',
    zh: '请单独授予，不用 --command、--shell 与 --tool: `skillwright grants add <技能> --host NAME`。命令只有在该命令本身获得同意时才能使用。',
  },
};

const ONLY_BYTES: { readonly says: Text; readonly hint: Text } = {
  says: {
    en: 'what a skill may reach is bound to its files, and --follow is not',
    zh: '技能可触及的范围与其文件绑定，不能使用 --follow',
  },
  hint: {
    en: 'Leave --follow out, and grant it again when the files have changed: `skillwright consent <skill>` asks.',
    zh: '请去掉 --follow，文件更改后重新授予: `skillwright consent <技能>` 会询问。',
  },
};

function readVariable(name: string): string {
  if (!isDenied(name)) return name;
  const shown = visible(name);
  throw new Fault(
    'Usage',
    { en: `${shown} may not be set for a skill`, zh: `不允许为技能设置 ${shown}` },
    {
      hint: {
        en: 'Name one variable, such as API_KEY. Names that make programs load code, and those every call has, are never handed over.',
        zh: '请写一个变量名，如 API_KEY。会使程序加载代码的变量，以及每次调用自带的变量，均不会传递。',
      },
    },
  );
}

function readDevice(name: string): DeviceName {
  const device = findDevice(name);
  const shown = visible(name);
  const list = { en: `There are ${DEVICE_NAMES.join(', ')}.`, zh: `可用: ${DEVICE_NAMES.join('、')}。` };
  if (!device)
    throw new Fault(
      'Usage',
      { en: `unknown device: ${shown}`, zh: `未知设备: ${shown}` },
      didYouMean(name, DEVICE_NAMES, list),
    );
  const nodes = deviceNodes(device);
  if (nodes.some(isOpenToCalls)) return device;
  const [node] = nodes;
  if (node !== undefined) throw closedDevice(node);
  throw new Fault(
    'Usage',
    { en: `this machine has no device ${shown}`, zh: `本机没有设备 ${shown}` },
    { hint: { en: 'Nothing was granted.', zh: '未授予任何权限。' } },
  );
}

/** Nobody is told that a skill may use what its calls cannot open. */
function closedDevice(node: string): Fault {
  const shown = visible(node);
  return new Fault(
    'Usage',
    { en: `calls may not open ${shown}`, zh: `调用无权打开 ${shown}` },
    {
      hint: {
        en: 'Nothing was granted. Calls that root starts run as a user of their own: start them as a user who may open it, or let everybody read and write it.',
        zh: '未授予任何权限。root 启动的调用以专用用户运行: 请以有权打开它的用户启动，或允许所有人读写。',
      },
    },
  );
}

/** By its name on the PATH, or by its whole path; its real path counts from now on. */
function locate(written: string, search: { readonly path: string; readonly project: string }): ProgramReach {
  const found = path.isAbsolute(written) ? written : findProgram(written, search);
  const file = found === undefined ? undefined : realPath(found);
  const shown = visible(written);
  if (file !== undefined && belongsToProject(file, realPath(search.project) ?? search.project))
    throw noProgram({ en: `${shown} belongs to the project`, zh: `${shown} 属于项目` });
  if (file === undefined || !isUsable(file, search.project))
    throw noProgram({ en: `no program ${shown} that could be run`, zh: `没有可运行的程序 ${shown}` });
  if (isSystemPath(file))
    throw noProgram({
      en: `${shown} lies in a system folder, so every call may run it already`,
      zh: `${shown} 位于系统目录，所有调用均可直接运行`,
    });
  return { name: path.basename(found ?? file), file };
}

function noProgram(says: Text): Fault {
  return new Fault('Usage', says, {
    hint: {
      en: 'Name a program on your PATH, or its whole path, outside the project and where only you can change it.',
      zh: '请写 PATH 中的程序名或其绝对路径，须在项目之外且只有您能修改。',
    },
  });
}
