// `grants add`: a person's standing permission for one thing of one skill, as its files are now.

import path from 'node:path';
import { findSkill } from '../../../app/find-skill.ts';
import { DEFAULT_TIER, reachOf, refuseIdleReach } from '../../../app/grant/reach.ts';
import { readTarget } from '../../../app/grant/target.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { describeGrant, grantFacts } from '../../../app/view/grant.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { DAY_MS, readDuration } from '../../../base/text/duration.ts';
import { renderList } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { workerFolder } from '../../../door/kind/worker.ts';
import { runFilesOf, runPlaces } from '../../../door/run-file.ts';
import { followed } from '../../../door/standing-grant.ts';
import { decide } from '../../../policy/decide.ts';
import type { Grant, GrantTarget } from '../../../policy/grant/grant.ts';
import { openGrants } from '../../../policy/grant/store.ts';
import type { Allowance, AskedCall } from '../../../policy/policy.ts';
import { roleAllowance } from '../../../policy/role.ts';
import { isAtLeast } from '../../../policy/tier.ts';
import { TIER_NAMES } from '../../../process/sandbox/tiers.ts';
import { calledName } from '../../../registry/called-name.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import { boundDigest } from '../../../registry/role/skill.ts';
import { digestSkill } from '../../../skill/digest.ts';
import { findTool, isExecuting, type Tool } from '../../../tools/tool.ts';
import { type Command, isOn, type OptionValues, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';

const DEFAULT_LIFETIME = '30d';
const LONGEST_LIFETIME_MS = 366 * DAY_MS;

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
        en: 'the skill that may do it, or role/skill; bin for worker scripts',
        zh: '获得授权的技能，或 角色/技能；bin 表示工作脚本',
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
    { name: 'tool', value: 'TOOL', summary: { en: 'a tool, with --pattern', zh: '工具，与 --pattern 同用' } },
    { name: 'pattern', value: 'PATTERN', summary: { en: 'the paths or hosts it covers', zh: '所覆盖的路径或主机' } },
    { name: 'exact', summary: { en: 'exactly these words, nothing behind them', zh: '仅限这些词，其后不得再接' } },
    {
      name: 'network',
      summary: { en: 'it may reach the network, as the skill declares', zh: '按技能的声明可访问网络' },
    },
    {
      name: 'writes',
      summary: { en: 'refused: each change of project files is asked about', zh: '不予接受: 每次修改项目文件都会询问' },
    },
    {
      name: 'tier',
      value: 'TIER',
      choices: TIER_NAMES,
      summary: {
        en: `the weakest sandbox it accepts; ${DEFAULT_TIER} unless given; file and network tools need none`,
        zh: `可接受的最弱沙箱；默认 ${DEFAULT_TIER}；文件与网络工具无需沙箱`,
      },
    },
    {
      name: 'expires',
      value: 'SPAN',
      summary: {
        en: `how long it holds, such as 12h; ${DEFAULT_LIFETIME} unless given`,
        zh: `有效期，如 12h；默认 ${DEFAULT_LIFETIME}`,
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
    'skillwright grants add notes --tool write_file --pattern "notes/**"',
    'skillwright grants add bin --script bin/report.py',
  ],
  async run({ positionals: [written = '', ...words], options, runtime, terminal }) {
    runtime.requireConfig();
    const isWorker = /^bin\/?$/.test(written);
    const { skill, role } = isWorker
      ? { skill: workerFolder(runtime.places.project) }
      : await findGrantee(runtime, written, options);
    const { digest, files } = digestSkill(skill.folder);
    const target = withRunFiles(readTarget({ skill, files, words, options, isWorker }), skill, runtime);
    refuseIdleReach(target, skill, options);
    const now = runtime.clock.now();
    const grant = openGrants(runtime.home, runtime.project).add({
      skill: calledName(skill),
      bound: isOn(options, 'follow') ? { follow: followed(skill) } : { digest: boundDigest(skill, digest) },
      target,
      ...reachOf(target, options),
      created: now,
      expires: now + readLifetime(options),
    });
    const note = (await whyOfNoUse(grant, { skill, role }, runtime))?.[runtime.language];
    const described = describeGrant(grant);
    const what = visible(`${grant.skill}: ${described.what}`);
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        { en: `granted to ${what}`, zh: `已授权 ${what}` },
        { ...described, ...(note !== undefined && { note }) },
      ),
      human: renderList(grantFacts(grant, runtime.language), terminal),
      ...(note !== undefined && { hint: note }),
    };
  },
};

/** A command is granted for the files it runs as they are now. */
function withRunFiles(target: GrantTarget, skill: SkillEntry, { places }: Runtime): GrantTarget {
  if (target.kind !== 'command') return target;
  const runs = runFilesOf(target.words, runPlaces(places, skill));
  return runs.length === 0 ? target : { ...target, runs };
}

interface Grantee {
  readonly skill: SkillEntry;
  readonly role?: Allowance | undefined;
}

/** `role/skill` names a role's skill first, as `call` does. */
async function findGrantee(runtime: Runtime, written: string, options: OptionValues): Promise<Grantee> {
  const source = textOption(options, 'source');
  const digest = textOption(options, 'digest');
  if (digest !== undefined) return await findFetched(runtime, written, digest);
  if (source === undefined && written.includes('/')) {
    const { findRoleSkill } = await import('../../../registry/role/role.ts');
    const found = await findRoleSkill(runtime.project, written);
    if (found) return { skill: found.skill, role: roleAllowance(found.role) };
  }
  return { skill: findSkill(runtime.index(), written, source) };
}

/** Throws a Fault unless the digest is that of this very skill. */
async function findFetched(runtime: Runtime, written: string, digest: string): Promise<Grantee> {
  const [{ findRoleSkill }, { requireFetched }] = await Promise.all([
    import('../../../registry/role/role.ts'),
    import('../../../app/job/fetch-pack.ts'),
  ]);
  const found = await findRoleSkill(await requireFetched(runtime, digest), written);
  if (found && boundDigest(found.skill, digestSkill(found.skill.folder).digest) === digest)
    return { skill: found.skill, role: roleAllowance(found.role) };
  throw new Fault('SkillNotFound', visible(written), {
    hint: { en: 'The digest belongs to another skill.', zh: '该摘要属于另一技能。' },
  });
}

function readLifetime(options: OptionValues): number {
  const lifetime = readDuration('expires', textOption(options, 'expires') ?? DEFAULT_LIFETIME);
  if (lifetime > 0 && lifetime <= LONGEST_LIFETIME_MS) return lifetime;
  throw new Fault('Usage', {
    en: '--expires must be more than nothing and at most 366d',
    zh: '--expires 须大于零且不超过 366d',
  });
}

/** What keeps the new grant from helping, here and now. */
async function whyOfNoUse(grant: Grant, { skill, role }: Grantee, runtime: Runtime): Promise<Text | undefined> {
  const call = exampleCall(grant, skill, runtime.places.project);
  if (!call) return undefined;
  const { tool } = call;
  const decision = decide(call, runtime.policyFor({ skills: [skill], ...(role && { role }) }));
  const denying = decision.layers.find(({ effect }) => effect === 'deny');
  if (denying) return { en: `Policy still denies it: ${denying.rule}.`, zh: `策略仍会拒绝: ${denying.rule}。` };
  if (!isExecuting(findTool(tool) ?? 'run_script')) return undefined;
  if (skill.manifest.network && !grant.network)
    return {
      en: 'The skill declares that it needs the network, so its calls are still asked about; --network would cover them.',
      zh: '该技能声明需要网络，其调用仍会询问；使用 --network 才能覆盖。',
    };
  const { tier } = await runtime.sandbox();
  if (isAtLeast(tier, grant.tier)) return undefined;
  return {
    en: `The sandbox of this machine is ${tier}, so the grant does not count here; --tier ${tier} would.`,
    zh: `本机沙箱为 ${tier}，此授权在此无效；使用 --tier ${tier} 才有效。`,
  };
}

function exampleCall({ target, network, writes }: Grant, skill: SkillEntry, project: string): AskedCall | undefined {
  switch (target.kind) {
    case 'action':
      return { tool: 'run_script', path: skill.manifest.entry ?? '', network, writes };
    case 'script':
      return { tool: 'run_script', path: target.script, argv: target.words, network, writes };
    case 'command':
      return { tool: 'run_command', argv: target.words, network, writes };
    case 'tool':
      return { tool: target.tool, ...exampleOf(target.tool, target.pattern, project) };
    case 'any':
      return undefined;
  }
}

/** Something the pattern covers, as far as a list of tools is concerned. */
function exampleOf(tool: Tool, pattern: string, project: string): Pick<AskedCall, 'path' | 'url'> {
  if (tool === 'network_request') return { url: `https://${pattern.replace(/^domain:/, '').replace(/^\*\./, '')}/` };
  return { path: path.resolve(project, pattern.replaceAll('**', 'x').replaceAll('*', 'x')) };
}
