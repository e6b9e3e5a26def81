// `grants add`: a person's standing permission for one thing of one skill, as its files are now.
import { addGrant } from '../../../app/grant/add.ts';
import { addServerGrant } from '../../../app/grant/add-server-tool.ts';
import { DEFAULT_TIER, GRANT_TIERS } from '../../../app/grant/reach.ts';
import { describeGrant, grantFacts } from '../../../app/view/grant.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { readDuration } from '../../../base/text/duration.ts';
import { renderList } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { DEVICE_NAMES } from '../../../policy/consent/device.ts';
import type { Grant } from '../../../policy/grant/grant.ts';
import {
  type Command,
  type CommandContext,
  isOn,
  type OptionValues,
  type Reply,
  textOption,
} from '../../frame/command.ts';
import { readConsent, readGranted } from '../../frame/grant-arguments.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';

export const command: Command = {
  about: {
    en: 'It holds for this project only and is kept under home. Any change of the files ends it, unless --follow. It never overrides what policy denies.',
    zh: '仅对当前项目有效，保存在主目录下。除非使用 --follow，文件的任何更改都会使其失效。授权不能越过策略的拒绝。',
  },
  positionals: [
    {
      name: 'skill',
      required: true,
      skill: true,
      summary: {
        en: 'the skill that may do it, or role/skill; bin for worker scripts; mcp:server/tool for a tool of a server',
        zh: '获得授权的技能，或 角色/技能；bin 表示工作脚本；mcp:服务器/工具 表示服务器的工具',
      },
    },
    {
      name: 'word',
      many: true,
      summary: {
        en: 'the first words of the command, or of the arguments of the script; after -- they may begin with a dash',
        zh: '命令或脚本参数的前几个词；在 -- 之后可以短横线开头',
      },
    },
  ],
  options: [
    { name: 'action', value: 'ACTION', summary: { en: 'an action of the skill', zh: '技能的一个操作' } },
    { name: 'script', value: 'PATH', summary: { en: 'a script of the skill', zh: '技能的一个脚本' } },
    { name: 'command', summary: { en: 'a command, given as words', zh: '以词给出的命令' } },
    {
      name: 'shell',
      value: 'TEXT',
      summary: { en: 'a shell script, exactly this text', zh: '一段 shell 脚本，仅此文本' },
    },
    { name: 'tool', value: 'TOOL', summary: { en: 'a tool, with --pattern', zh: '工具，与 --pattern 同用' } },
    { name: 'pattern', value: 'PATTERN', summary: { en: 'the paths or hosts it covers', zh: '所覆盖的路径或主机' } },
    { name: 'exact', summary: { en: 'exactly these words, nothing behind them', zh: '仅限这些词，其后不得再接' } },
    {
      name: 'network',
      summary: { en: 'it may reach the network, as the skill declares', zh: '按技能的声明可访问网络' },
    },
    {
      name: 'host',
      value: 'NAME[:PORT]',
      many: true,
      summary: {
        en: 'its code may reach this host; whatever it can read may be sent there; may be repeated',
        zh: '其代码可访问此主机；其能读取的一切都可能被发送到那里；可重复',
      },
    },
    {
      name: 'variable',
      value: 'NAME',
      many: true,
      summary: {
        en: 'its code may read this variable of your environment; may be repeated',
        zh: '其代码可读取您环境中的此变量；可重复',
      },
    },
    {
      name: 'program',
      value: 'NAME',
      many: true,
      summary: {
        en: 'its code may run this program outside the system folders; may be repeated',
        zh: '其代码可运行系统目录之外的此程序；可重复',
      },
    },
    {
      name: 'device',
      value: 'NAME',
      many: true,
      choices: DEVICE_NAMES,
      summary: { en: 'its code may use this device; may be repeated', zh: '其代码可使用此设备；可重复' },
    },
    {
      name: 'home',
      summary: {
        en: 'its code keeps files in a home of its own from one run to the next',
        zh: '其代码在专用主目录中跨运行保留文件',
      },
    },
    {
      name: 'writes',
      inline: 'PATH,…',
      summary: {
        en: 'apply what it changes in the project without a question; with =PATH only there',
        zh: '不经询问即应用其对项目的更改；写 =路径 时仅限该处',
      },
    },
    {
      name: 'tier',
      value: 'TIER',
      choices: GRANT_TIERS,
      summary: {
        en: `the weakest sandbox it accepts; ${DEFAULT_TIER} unless given; file and network tools need none`,
        zh: `可接受的最弱沙箱；默认 ${DEFAULT_TIER}；文件与网络工具无需沙箱`,
      },
    },
    {
      name: 'outside',
      summary: {
        en: 'the program of a server of your settings, mcp:server, runs without a sandbox, with all that you may',
        zh: '您配置中的服务器程序（mcp:服务器）不经沙箱运行，拥有您的全部权限',
      },
    },
    {
      name: 'expires',
      value: 'SPAN',
      summary: {
        en: 'how long it holds, such as 12h; until it is revoked unless given',
        zh: '有效期，如 12h；默认直到撤销',
      },
    },
    {
      name: 'follow',
      summary: {
        en: 'bind it to the folder, so that changes keep it; for your own skills',
        zh: '绑定到目录，更改后仍有效；用于自己编写的技能',
      },
    },
    {
      name: 'digest',
      value: 'DIGEST',
      summary: {
        en: 'of a role that workers fetch: these files, as `jobs publish` named them, instead of those here',
        zh: '由执行者获取的角色: 授权 `jobs publish` 所示摘要的文件，而非本机文件',
      },
    },
    SOURCE,
  ],
  examples: [
    'skillwright grants add report --action fetch --network',
    'skillwright grants add analyst/build_analysis --action daily_briefing',
    'skillwright grants add analyst/build_analysis --action daily_briefing --digest sha256:…',
    'skillwright grants add report --script scripts/daily.py -- --quiet',
    'skillwright grants add git-helper --command git log --exact --expires 7d',
    'skillwright grants add git-helper --shell "git log --oneline | head -5"',
    'skillwright grants add notes --tool write_file --pattern "notes/**"',
    'skillwright grants add weather --host api.example.com --variable WEATHER_KEY',
    'skillwright grants add bin --script bin/report.py --writes=reports',
    'skillwright grants add mcp:github/create_issue',
    'skillwright grants add mcp:browser --outside',
  ],
  async run({ positionals: [skill = '', ...words], options, runtime, terminal }) {
    const expires = textOption(options, 'expires');
    const lifetimeMs = expires === undefined ? undefined : readDuration('expires', expires);
    const ofServer = await addServerGrant({ name: skill, outside: isOn(options, 'outside'), lifetimeMs }, runtime);
    if (ofServer) return grantedTo(ofServer, { runtime, terminal });
    const added = await addGrant(
      {
        skill,
        source: textOption(options, 'source'),
        digest: textOption(options, 'digest'),
        thing: readGranted(words, options),
        consent: readConsent(options),
        network: isOn(options, 'network'),
        writes: readWrites(options.writes),
        tier: GRANT_TIERS.find((tier) => tier === options.tier),
        lifetimeMs,
        follow: isOn(options, 'follow'),
      },
      runtime,
    );
    const { grant, declared } = added;
    const note = added.note?.[runtime.language];
    return grantedTo(grant, { runtime, terminal }, declared, note);
  },
};

function grantedTo(
  grant: Grant,
  { runtime, terminal }: Pick<CommandContext, 'runtime' | 'terminal'>,
  declared: readonly string[] = [],
  note?: string,
): Reply {
  const described = describeGrant(grant);
  const what = visible(`${grant.skill}: ${described.what}`);
  return {
    outcome: makeOutcome(
      runtime.answering('skillwright', 'own'),
      'success',
      { en: `granted to ${what}`, zh: `已授权 ${what}` },
      {
        ...described,
        ...(declared.length > 0 && { declared_variables: declared }),
        ...(note !== undefined && { note }),
      },
    ),
    human: renderList(grantFacts(grant, runtime.language, declared), terminal),
    ...(note !== undefined && { hint: note }),
  };
}

/** `--writes` alone is for all of the project. */
function readWrites(written: OptionValues[string]): boolean | readonly string[] {
  if (typeof written !== 'string') return written === true;
  return written.split(',').filter((one) => one !== '');
}
