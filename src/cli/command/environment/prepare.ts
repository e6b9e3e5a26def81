// `prepare`: the packages a skill imports, resolved into the lock, agreed to, and built in the sandbox.
import { prepareSkill } from '../../../app/environment/prepare.ts';
import { type PreparedAll, prepareEvery } from '../../../app/environment/prepare-all.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn, type Reply } from '../../frame/command.ts';
import { openPerson } from '../../frame/person.ts';
import { readSource, SKILL, SOURCE } from '../../frame/skill-arguments.ts';
import { renderPrepared } from '../../view/environment/environment.ts';
import { replyWith } from '../../view/outcome-reply.ts';

const ABOUT: Text = {
  en: 'Exact versions with their hashes go to .agent/environments.lock.json, which belongs into version control. They are built from wheels and npm packages in the sandbox, with a network to your index alone and without running their scripts, and shown read-only to the code of the skill.',
  zh: '确切版本与散列值写入 .agent/environments.lock.json，应纳入版本控制。仅从 wheel 与 npm 包在沙箱中构建，网络只通向您的索引，不运行其脚本，并以只读方式提供给技能的代码。',
};

export const command: Command = {
  about: ABOUT,
  positionals: [{ ...SKILL, required: false }],
  options: [
    {
      name: 'all',
      summary: { en: 'every skill that declares packages', zh: '所有声明了软件包的技能' },
    },
    {
      name: 'frozen',
      summary: { en: 'build what the lock names, and resolve nothing', zh: '仅构建锁文件所列内容，不做解析' },
    },
    {
      name: 'update',
      summary: {
        en: 'ask the index again, show what changes, and replace what the lock has once it is agreed to and built',
        zh: '重新查询索引，显示变化，在同意并构建之后替换锁文件中的内容',
      },
    },
    {
      name: 'without-scripts',
      summary: {
        en: 'install npm packages that have install scripts, and leave the scripts out',
        zh: '安装带安装脚本的 npm 包，但不运行其脚本',
      },
    },
    SOURCE,
  ],
  examples: ['skillwright prepare pdf', 'skillwright prepare pdf --update', 'skillwright prepare --all --frozen --yes'],
  async run(context) {
    const { positionals, options, runtime, terminal } = context;
    const [skill] = positionals;
    const wishes = {
      frozen: isOn(options, 'frozen'),
      withoutScripts: isOn(options, 'without-scripts'),
      update: isOn(options, 'update'),
    };
    if (wishes.frozen && wishes.update) throw notBoth();
    if ((skill === undefined) !== isOn(options, 'all')) throw oneOrAll();
    using person = openPerson(context);
    if (skill === undefined) return tellAll(await prepareEvery(wishes, runtime, person.caller));
    const request = { skill, source: readSource(options), ...wishes };
    const outcome = await prepareSkill(request, runtime, person.caller);
    return replyWith(
      outcome,
      outcome.state === 'success' ? renderPrepared(outcome.data, runtime.language, terminal) : undefined,
    );
  },
};

/** One line each; whatever came from a skill is made visible. */
function tellAll({ outcome, each }: PreparedAll): Reply {
  const lines = each.map(({ skill, outcome: { state, summary, next } }) => {
    const then = next === undefined ? '' : `: ${next}`;
    return `  ${state === 'success' ? '✓' : '✗'} ${visible(skill)}  ${visible(summary)}${visible(then)}`;
  });
  return { outcome, human: lines.join('\n') };
}

function notBoth(): Fault {
  return new Fault('Usage', {
    en: '--frozen changes no lock, and --update does',
    zh: '--frozen 不更改锁文件，而 --update 会更改',
  });
}

function oneOrAll(): Fault {
  return new Fault('Usage', { en: 'name one skill, or --all', zh: '请指定一个技能，或使用 --all' });
}
