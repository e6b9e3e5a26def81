// `roles new`: a role with a skill, a schedule and a text that guides it; it works as it stands.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Runtime } from '../../../app/runtime.ts';
import { assetPath } from '../../../base/assets.ts';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { isTrusted, trustProject } from '../../../config/trust.ts';
import { isTimeZone } from '../../../jobs/zone.ts';
import type { Command } from '../../frame/command.ts';
import { shortPath } from '../../view/diagnostic.ts';
import { writeSkill } from '../author/new.ts';

const NAME = /^[a-z0-9_][a-z0-9_-]{0,63}$/;

export const command: Command = {
  about: {
    en: 'The role looks at builds and tests and writes a briefing every morning: a skill to change, a schedule, and CLAUDE.md. A trusted folder stays trusted, since nothing but this was added.',
    zh: '该角色分析构建与测试，每天早晨写一份简报: 含可修改的技能、定时任务与 CLAUDE.md。已受信任的目录仍受信任，因为仅新增了这些文件。',
  },
  positionals: [
    {
      name: 'name',
      required: true,
      summary: { en: 'lower-case letters, digits, - and _', zh: '小写字母、数字、- 与 _' },
    },
  ],
  options: [],
  examples: ['skillwright roles new dev_efficiency_analyst'],
  async run({ positionals: [name = ''], runtime }) {
    if (!NAME.test(name)) throw badName(name);
    const folder = path.join(runtime.project, 'agents', name);
    const wasTrusted = isTrusted(runtime.project, runtime.home);
    const zone = zoneOfMachine();
    const files = readRole(name, zone, runtime);
    writeSkill(folder, files);
    if (wasTrusted) trustProject(runtime.project, runtime.home, runtime.clock.now());
    const written = [...files.keys()];
    const grant = `skillwright grants add ${name}/build_analysis --action daily_briefing`;
    const summary = {
      en: `created role: ${name}, with a briefing every day at 09:00 (${zone})`,
      zh: `已创建角色: ${name}，每天 09:00 出简报（${zone}）`,
    };
    const data = {
      role: name,
      path: folder,
      files: written,
      timezone: zone,
      trusted: wasTrusted,
      grant_command: grant,
    };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
      human: written.map((file) => `  + ${shortPath(path.join(folder, file), runtime.project)}`).join('\n'),
      hint: {
        en: `Grant its work with \`${grant}\`, then \`skillwright jobs run ${name}/daily_briefing\`.`,
        zh: `先授权: \`${grant}\`，再运行 \`skillwright jobs run ${name}/daily_briefing\`。`,
      }[runtime.language],
    };
  },
};

/** UTC where the machine names a zone that schedules do not know. */
function zoneOfMachine(): string {
  // Undefined for a TZ that ICU does not know, whatever the types say.
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone !== undefined && isTimeZone(zone) ? zone : 'UTC';
}

/** The template, and the parts of the shipped skill that its script is made of. */
function readRole(name: string, zone: string, { builtin }: Runtime): Map<string, string> {
  const template = assetPath(path.join('cli', 'templates', 'role'));
  const own = filesIn(template).map(([file, text]): [string, string] => [
    file.replace(/^claude\b/, '.claude'),
    text.replaceAll('role-name', name).replace('timezone: UTC', `timezone: ${zone}`),
  ]);
  const parts = filesIn(path.join(builtin, 'build-analysis', 'scripts')).map(([file, text]): [string, string] => [
    `.claude/skills/build_analysis_parts/${file}`,
    text,
  ]);
  return new Map([...own, ...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function filesIn(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('__pycache__'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]);
}

function badName(name: string): Fault {
  return new Fault(
    'ParamInvalid',
    { en: `${visible(name)} is no name for a role`, zh: `${visible(name)} 不能作为角色名称` },
    {
      details: { param: 'name' },
      hint: { en: 'Use lower-case letters, digits, - and _.', zh: '请使用小写字母、数字、- 与 _。' },
    },
  );
}
