// Why packages are refused: what an installer said, told apart by its own words, and each refusal named with what helps.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';

/** `why` is for whoever decides on it: `code` would have to run at installation. */
export type RefusalKind =
  | 'code'
  | 'platform'
  | 'missing'
  | 'yanked'
  | 'address'
  | 'bundled'
  | 'unreachable'
  | 'untrusted'
  | 'large'
  | 'unhashed'
  | 'takeover';

const SAYS: Readonly<Record<RefusalKind, (names: string) => Text>> = {
  code: (names) => ({
    en: `${names} would have to run code at installation`,
    zh: `${names} 安装时需要运行代码`,
  }),
  platform: (names) => ({
    en: `${names} has nothing for this platform and interpreter`,
    zh: `${names} 没有适用于本平台与解释器的包`,
  }),
  missing: (names) => ({ en: `${names} is not in the index`, zh: `索引中没有 ${names}` }),
  yanked: (names) => ({ en: `${names} was withdrawn by its publisher`, zh: `${names} 已被发布者撤回` }),
  address: (names) => ({
    en: `${names} does not come from the index but from an address or a repository`,
    zh: `${names} 并非来自索引，而是来自某个地址或仓库`,
  }),
  bundled: (names) => ({
    en: `${names}: an npm package that carries other packages inside of it (bundleDependencies), which have no hash of their own`,
    zh: `${names}: 该 npm 包内部自带其他包（bundleDependencies），它们没有自己的散列值`,
  }),
  unreachable: (names) => ({ en: `the index cannot be reached: ${names}`, zh: `无法访问索引: ${names}` }),
  untrusted: (names) => ({
    en: `the certificate of ${names} is not trusted`,
    zh: `${names} 的证书不受信任`,
  }),
  large: (names) => ({ en: `${names} is too large`, zh: `${names} 过大` }),
  takeover: (names) => ({
    en: `${names} would take the place of the interpreter, or run whenever it starts`,
    zh: `${names} 会取代解释器，或在其每次启动时运行`,
  }),
  unhashed: (names) => ({ en: `${names} comes without a hash`, zh: `${names} 没有散列值` }),
};

const HELPS: Readonly<Record<RefusalKind, Text>> = {
  code: {
    en: 'Nothing of it was run. Ask its publisher for a package that is built (a wheel, or one without install scripts), or install it yourself and name that runtime in your settings (runtimes.venv, runtimes.node_modules). `--without-scripts` installs npm packages and leaves their scripts out.',
    zh: '其中代码均未运行。请向发布者索取已构建的包（wheel，或不含安装脚本的包），或自行安装并在用户配置中指定该运行环境（runtimes.venv、runtimes.node_modules）。`--without-scripts` 安装 npm 包但不运行其脚本。',
  },
  platform: {
    en: 'Choose another version in what the skill declares, or another interpreter.',
    zh: '请在技能的依赖声明中选择其他版本，或更换解释器。',
  },
  missing: {
    en: 'Correct its name or version in what the skill declares; environment.python_index and environment.npm_registry of your settings say which index is asked.',
    zh: '请修正技能依赖声明中的名称或版本；用户配置的 environment.python_index 与 environment.npm_registry 决定所用索引。',
  },
  yanked: {
    en: 'Run `skillwright prepare <skill> --update` to choose another version.',
    zh: '请运行 `skillwright prepare <技能> --update` 以选择其他版本。',
  },
  address: {
    en: 'Only packages of the index can be locked. Declare it by its name and version.',
    zh: '只有索引中的包可以锁定。请以名称与版本声明。',
  },
  bundled: {
    en: 'Only packages with a hash of their own can be locked. Declare a version that bundles nothing, or another package; or install it yourself and name that folder in your settings (runtimes.node_modules).',
    zh: '只有带自身散列值的包可以锁定。请声明不自带其他包的版本或改用其他包；或自行安装并在用户配置中指定该目录（runtimes.node_modules）。',
  },
  unreachable: {
    en: 'Try again; environment.python_index and environment.npm_registry of your settings say which index is asked, network.upstream_proxy the way out.',
    zh: '请重试；用户配置的 environment.python_index 与 environment.npm_registry 决定所用索引，network.upstream_proxy 决定出口。',
  },
  untrusted: {
    en: 'Where your network has a certificate authority of its own, name a file with its certificates (PEM) as network.ca_file in ~/.agent/config.json: {"network": {"ca_file": "/path/to/authorities.pem"}}. The variables of your shell do not reach the sandbox.',
    zh: '若所在网络使用自己的证书颁发机构，请在 ~/.agent/config.json 中以 network.ca_file 指定其证书文件（PEM）: {"network": {"ca_file": "/路径/authorities.pem"}}。shell 中的变量不会传入沙箱。',
  },
  large: {
    en: 'Raise environment.max_mib in your own settings if it is meant to be that large.',
    zh: '若确需如此大的包，请在用户配置中提高 environment.max_mib。',
  },
  takeover: {
    en: 'Nothing of it was run. Leave the package out, or install it yourself and name that runtime in your settings (runtimes.venv).',
    zh: '其中代码均未运行。请不要使用该包，或自行安装并在用户配置中指定该运行环境（runtimes.venv）。',
  },
  unhashed: {
    en: 'What cannot be told from a replaced file is not installed.',
    zh: '无法与被替换文件区分的内容不会安装。',
  },
};

export function refusePackages(why: RefusalKind, names: readonly string[]): Fault {
  const shown = names.slice(0, 10).map(visible).join(', ');
  return new Fault('PackageRefused', SAYS[why](shown), { details: { why, packages: [...names] }, hint: HELPS[why] });
}

/** The bytes are not those that were locked, or that the index announced. */
export function wrongHash(names: readonly string[]): Fault {
  const shown = names.slice(0, 10).map(visible).join(', ');
  return new Fault('IntegrityMismatch', shown, {
    details: { check: 'package-hash', packages: [...names] },
    hint: {
      en: 'Nothing was built: the index hands out other bytes than were locked. Find out why before you remove the entry from .agent/environments.lock.json.',
      zh: '未构建任何内容: 索引给出的内容与锁定的不同。请先查明原因，再考虑从 .agent/environments.lock.json 中删除该条目。',
    },
  });
}

/** npm ends with where it has put its log, which goes with the sandbox. */
const WHERE_THE_LOG_IS = /^npm (?:error|ERR!) {1,4}A complete log of this run/;

/** The installer's own last words, where nothing better is known. */
export function installerFailed(program: string, said: string): Fault {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !WHERE_THE_LOG_IS.test(line));
  const last = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
  return new Fault('RuntimeFailed', visible(`${program}: ${last.trim().slice(0, 300)}`), { reason: 'known-cause' });
}
