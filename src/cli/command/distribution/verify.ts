// `verify`: the hashes of skills, whether they are what was installed or what a pack says, and who signed them.
import { type VerifyReport, verifySkills } from '../../../app/install/verify.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language, Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { paint, type Style, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Verified, VerifyState } from '../../../distribution/verify.ts';
import { type Command, isOn, type Reply } from '../../frame/command.ts';
import { readScope, scopeOption } from '../../frame/install-arguments.ts';

const STYLES: Record<VerifyState, Style> = {
  ok: 'green',
  modified: 'red',
  missing: 'red',
  extra: 'red',
  unlocked: 'dim',
  unsigned: 'yellow',
};

const STATE_WORDS: Record<VerifyState, Text> = {
  ok: { en: 'ok', zh: '完好' },
  modified: { en: 'modified', zh: '已改动' },
  missing: { en: 'missing', zh: '缺失' },
  extra: { en: 'extra', zh: '多余' },
  unlocked: { en: 'unlocked', zh: '未锁定' },
  unsigned: { en: 'unsigned', zh: '未签名' },
};

export const command: Command = {
  about: {
    en: 'ok, modified, missing and extra compare with the lock; unlocked skills were never installed, so their hashes are shown for you to compare. A failed check is an error. A signer is shown only where its signature, kept under home since the installation, covers the files as they are and its key is trusted now; what the lock says about it is a claim.',
    zh: '完好 (ok)、已改动 (modified)、缺失 (missing)、多余 (extra) 为与锁文件比较的结果；未锁定 (unlocked) 表示并非安装而来，仅显示哈希供比对。未通过即为错误。仅当安装时存于主目录的签名涵盖现有文件且其密钥当前受信任时才显示签名者；锁文件所写只是声称。',
  },
  positionals: [
    {
      name: 'what',
      many: true,
      skill: true,
      summary: { en: 'skills or packs; every skill unless given', zh: '技能或包；默认全部技能' },
    },
  ],
  options: [
    scopeOption({ en: 'only of this project, or only of you', zh: '仅项目或仅用户' }),
    { name: 'signed', summary: { en: 'an unsigned skill is a failure', zh: '未签名视为失败' } },
    { name: 'strict', summary: { en: 'a skill missing from the lock is a failure', zh: '锁文件之外的技能视为失败' } },
  ],
  examples: ['skillwright verify', 'skillwright verify pdf --json', 'skillwright verify skills-pack.zip --signed'],
  async run({ positionals, options, runtime, terminal }) {
    const signed = isOn(options, 'signed');
    const report = verifySkills(
      { names: positionals, scope: readScope(options), signed, strict: isOn(options, 'strict') },
      runtime,
    );
    return answer(report, signed, runtime, terminal);
  },
};

const SIGN_AGAIN: Text = {
  en: '`skillwright update <skill>` reads the signature beside its source again and keeps it; `skillwright keys trust` trusts the key of a publisher.',
  zh: '`skillwright update <技能>` 会重新读取来源旁的签名并保存；`skillwright keys trust` 可信任发布者的密钥。',
};

const NEXT_STEP: Text = {
  en: '`skillwright update <skill> --force` or a new install brings back what was installed; `lock --rewrite` takes the files as they are.',
  zh: '`skillwright update <技能> --force` 或重新安装可恢复原内容；`lock --rewrite` 接受现有文件。',
};

const WITH_SIGNATURE: Text = {
  en: ': files, signature and trusted key',
  zh: '（文件、签名与受信任的密钥）',
};

function answer({ results, failed }: VerifyReport, signed: boolean, runtime: Runtime, terminal: Terminal): Reply {
  const by = runtime.answering('skillwright', 'own');
  const human = results
    .flatMap((result) => renderResult(result, results.length <= 3, runtime.language, terminal))
    .join('\n');
  const data = { results };
  if (failed.length === 0) {
    const unlocked = results.filter(({ state }) => state === 'unlocked').length;
    const known = results.length - unlocked;
    const what = signed ? WITH_SIGNATURE : { en: '', zh: '' };
    const said = {
      en: `${known} ${known === 1 ? 'skill' : 'skills'} verified${what.en}${unlocked > 0 ? `, ${unlocked} never locked` : ''}`,
      zh: `已核验 ${known} 个技能${what.zh}${unlocked > 0 ? `，${unlocked} 个未锁定` : ''}`,
    };
    return { outcome: makeOutcome(by, 'success', said, data), human };
  }
  const named = (language: Language) =>
    failed.map(({ name, state }) => `${visible(name)} (${STATE_WORDS[state][language]})`).join(', ');
  const names = { en: named('en'), zh: named('zh') };
  const hint = failed.every(({ state }) => state === 'unsigned') ? SIGN_AGAIN : NEXT_STEP;
  return { outcome: failedOutcome(by, new Fault('CheckFailed', names), data), human, hint: hint[runtime.language] };
}

const UNVERIFIED: Text = { en: 'unverified', zh: '未经核验' };

function renderResult(
  { name, scope, state, digest, files, signer, claimed_signer: claimed, why }: Verified,
  withFiles: boolean,
  language: Language,
  terminal: Terminal,
): string[] {
  const unproved = claimed === undefined ? '' : ` (${UNVERIFIED[language]}: ${visible(claimed)})`;
  const signed = signer === undefined ? unproved : ` (${visible(signer)})`;
  const head = `${paint(STATE_WORDS[state][language], STYLES[state], terminal)} ${scope === 'user' ? 'user:' : ''}${visible(name)} ${digest}${signed}`;
  const shown = files.filter(({ state: own }) => withFiles || own !== 'ok');
  return [
    head,
    ...(why === undefined ? [] : [`    ${visible(why)}`]),
    ...shown.map(
      (file) =>
        `    ${file.sha256}  ${visible(file.path)}${file.state === 'ok' ? '' : ` (${STATE_WORDS[file.state][language]})`}`,
    ),
  ];
}
