// `verify`: the hashes of skills, and whether they are what was installed or what a pack says.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { failedOutcome, makeOutcome } from '../base/outcome.ts';
import { paint, type Style, type Terminal } from '../base/terminal.ts';
import { visible } from '../base/text.ts';
import { readLock } from '../distribution/lock.ts';
import { findPlaces, type Place, SCOPES } from '../distribution/place.ts';
import { recover } from '../distribution/transaction.ts';
import { describeUnlocked, type Verified, type VerifyState, verifyPack, verifySkill } from '../distribution/verify.ts';
import { calledName } from '../registry/called-name.ts';
import type { Runtime } from '../runtime.ts';
import { type Command, isOn, type OptionValues, type Reply } from './command.ts';
import { findSkill } from './find-skill.ts';

const STYLES: Record<VerifyState, Style> = {
  ok: 'green',
  modified: 'red',
  missing: 'red',
  extra: 'red',
  unlocked: 'dim',
  unsigned: 'yellow',
};
const FAILURES: ReadonlySet<VerifyState> = new Set(['modified', 'missing', 'extra']);

export const command: Command = {
  about: {
    en: 'ok, modified, missing and extra compare with the lock; unlocked skills were never installed, so their hashes are shown for you to compare. A failed check is an error.',
    zh: 'ok、modified、missing、extra 为与锁文件比较的结果；unlocked 表示并非安装而来，仅显示哈希供比对。未通过即为错误。',
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
    {
      name: 'scope',
      value: 'SCOPE',
      choices: SCOPES,
      summary: { en: 'only of this project, or only of you', zh: '仅项目或仅用户' },
    },
    { name: 'signed', summary: { en: 'what nobody signed is a failure', zh: '未签名视为失败' } },
    { name: 'strict', summary: { en: 'what the lock does not know is a failure', zh: '锁文件之外的技能视为失败' } },
  ],
  examples: ['skillwright verify', 'skillwright verify pdf --json', 'skillwright verify skills-pack.zip --signed'],
  async run({ positionals, options, runtime, terminal }) {
    const places = findPlaces(runtime).filter(({ scope }) => options.scope === undefined || options.scope === scope);
    for (const place of places) recover(place);
    const found =
      positionals.length === 0
        ? verifyAll(places, runtime)
        : positionals.flatMap((written) => verifyNamed(written, places, runtime));
    const results = found.map((result) =>
      isOn(options, 'signed') && result.state === 'ok' && result.signer === undefined
        ? { ...result, state: 'unsigned' as const }
        : result,
    );
    return answer(results, options, runtime, terminal);
  },
};

const NEXT_STEP: Text = {
  en: '`skillwright update <skill> --force` or a new install brings back what was installed; `lock --rewrite` takes the files as they are.',
  zh: '`skillwright update <技能> --force` 或重新安装可恢复原内容；`lock --rewrite` 接受现有文件。',
};

function verifyNamed(written: string, places: readonly Place[], runtime: Runtime): Verified[] {
  const isPack =
    /\.(?:zip|skill)$/i.test(written) && statSync(path.resolve(written), { throwIfNoEntry: false })?.isFile();
  if (isPack === true)
    return verifyPack(path.resolve(written), runtime.home, runtime.config.security.blockAngleBracketsInFrontmatter);
  const all = verifyAll(places, runtime);
  const locked = all.filter(
    ({ name, state }) => state !== 'unlocked' && (name === written || name.endsWith(`/${written}`)),
  );
  if (locked.length > 0) return locked;
  const skill = findSkill(runtime.index(), written);
  const name = calledName(skill);
  return all
    .filter((one) => one.name === name)
    .concat(skill.source === 'builtin' ? [describeUnlocked(name, skill.folder)] : []);
}

function verifyAll(places: readonly Place[], runtime: Runtime): Verified[] {
  const { skills } = runtime.index();
  return places.flatMap((place) => {
    const locked = readLock(place.lockFile).skills;
    const known = new Set(locked.map(({ folder }) => path.join(place.root, folder)));
    const others = skills.filter(({ source, folder }) => source === place.scope && !known.has(folder));
    return [
      ...locked.map((skill) => ({
        ...verifySkill(path.join(place.root, skill.folder), skill),
        name: calledName({ name: skill.name, folderName: skill.folder }),
      })),
      ...others.map((skill) => describeUnlocked(calledName(skill), skill.folder)),
    ].map((result) => ({ ...result, scope: place.scope }));
  });
}

function answer(results: readonly Verified[], options: OptionValues, runtime: Runtime, terminal: Terminal): Reply {
  const by = runtime.answering('skillwright', 'own');
  const isFailure = ({ state }: Verified) =>
    FAILURES.has(state) ||
    (state === 'unsigned' && isOn(options, 'signed')) ||
    (state === 'unlocked' && isOn(options, 'strict'));
  const failed = results.filter(isFailure);
  const human = results.flatMap((result) => renderResult(result, results.length <= 3, terminal)).join('\n');
  const data = { results };
  if (failed.length === 0) {
    const unlocked = results.filter(({ state }) => state === 'unlocked').length;
    const known = results.length - unlocked;
    const said = {
      en: `${known} ${known === 1 ? 'skill' : 'skills'} verified${unlocked > 0 ? `, ${unlocked} never locked` : ''}`,
      zh: `已核验 ${known} 个技能${unlocked > 0 ? `，${unlocked} 个未锁定` : ''}`,
    };
    return { outcome: makeOutcome(by, 'success', said, data), human };
  }
  const names = failed.map(({ name, state }) => `${visible(name)} (${state})`).join(', ');
  return { outcome: failedOutcome(by, new Fault('CheckFailed', names, { hint: NEXT_STEP }), data), human };
}

function renderResult(
  { name, state, digest, files, signer, why }: Verified,
  withFiles: boolean,
  terminal: Terminal,
): string[] {
  const signed = signer === undefined ? '' : ` (${visible(signer)})`;
  const head = `${paint(state, STYLES[state], terminal)} ${visible(name)} ${digest}${signed}`;
  const shown = files.filter(({ state: own }) => withFiles || own !== 'ok');
  return [
    head,
    ...(why === undefined ? [] : [`    ${visible(why)}`]),
    ...shown.map((file) => `    ${file.sha256}  ${visible(file.path)}${file.state === 'ok' ? '' : ` (${file.state})`}`),
  ];
}
