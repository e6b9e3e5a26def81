import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { type CorpusScript, readCorpus, verdictOf } from '../../../test/support/shell/corpus.ts';

const corpus = readCorpus();
const harmless = corpus.filter(({ verdict }) => verdict === 'allow');
const others = corpus.filter(({ verdict }) => verdict !== 'allow');

test('threat 30 blocked, threat 64 blocked, threat 80 blocked, threat 81 blocked: each script of the corpus has its verdict', (t) => {
  assert.ok(corpus.length >= 400, `${corpus.length}`);
  const wrong = others.filter((one) => verdictOf(one) !== one.verdict);
  assert.deepEqual(
    wrong.map((one) => `line ${one.line}: ${verdictOf(one)}, not ${one.verdict}: ${one.script}`),
    [],
  );
  t.diagnostic(`${others.length} scripts that may not run unasked, none allowed`);
});

test('of what is harmless under its rules, nearly nothing is asked about', (t) => {
  const asked = harmless.filter((one) => verdictOf(one) !== 'allow');
  t.diagnostic(`${asked.length} of ${harmless.length}`);
  assert.ok(asked.length <= 0.03 * harmless.length, asked.map(({ line, script }) => `${line}: ${script}`).join('\n'));
});

async function allowedWith(change: { file: string; from: string; to: string }): Promise<CorpusScript[]> {
  const judging = await changed<typeof import('../../../test/support/shell/corpus.ts')>(
    'test/support/shell/corpus.ts',
    change,
  );
  return others.filter((one) => judging.verdictOf(one) === 'allow');
}

const SHELL = 'src/policy/shell';

test('threat 30 control: where words alone are compared, commands behind the first one pass', async () => {
  const all = await allowedWith({
    file: 'src/policy/need.ts',
    from: 'const started = commands.filter(({ kind }) =>',
    to: 'const started = commands.slice(0, 1).filter(({ kind }) =>',
  });
  assert.ok(all.length >= 20, `${all.length}`);
});

test('threat 64 control: where no option is looked at, a listed program runs another', async () => {
  const all = await allowedWith({
    file: 'src/policy/pattern.ts',
    from: 'refuseStretch(argv, spelledOut(words))',
    to: 'undefined',
  });
  assert.ok(all.length >= 40, `${all.length}`);
});

test('threat 80 control: where characters are not looked at, what the shell reads differently passes', async () => {
  const all = await allowedWith({
    file: `${SHELL}/judge.ts`,
    from: '!hasPlainCharacters(script)',
    to: 'false',
  });
  assert.ok(all.length >= 2, `${all.length}`);
});

test('threat 81 control: where wrappers are programs like others, what they run passes', async () => {
  const all = await allowedWith({
    file: 'src/policy/command/wrapper.ts',
    from: "return wrapper ? unwrapPlain(words, wrapper) : { kind: 'nothing' };",
    to: "return wrapper ? { kind: 'looks-up' } : { kind: 'nothing' };",
  });
  assert.ok(all.length >= 10, `${all.length}`);
});

// Each is a check that a careless edit could lose; the corpus has to notice.
const LOST: readonly (readonly [string, string, string])[] = [
  [`${SHELL}/walk.ts`, "if ((script.errors ?? []).length > 0) walk.report(walk.source, 'syntax');", ''],
  [`${SHELL}/walk.ts`, 'reportNode(node, whyNot(node.type), walk);', ''],
  [`${SHELL}/walk.ts`, '!isTop || ', ''],
  [`${SHELL}/word.ts`, "if (prefix === '!') reader.report(text, 'expansion');", ''],
  [`${SHELL}/word.ts`, 'reader.script(part.script, part.text);\n      return [quoted ? ONE : MANY];', 'return [ONE];'],
  [`${SHELL}/word.ts`, "if (operation.operator.endsWith('=')) reader.report(text, 'variable');", ''],
  [`${SHELL}/redirect.ts`, 'readParts(redirect.body.parts ?? [], reader);', ''],
  [`${SHELL}/redirect.ts`, 'SOCKET.test(target)', 'false'],
  [`${SHELL}/command.ts`, "if (!isHarmless(name)) walk.report(text, 'variable');", ''],
  [`${SHELL}/command.ts`, "if (index) walk.report(text, 'arithmetic');", ''],
  [`${SHELL}/command.ts`, 'else report(words, why, walk);', "else note('builtin', words, around, walk);"],
  [`${SHELL}/test-words.ts`, "if (words.some((word) => isOpen(word) && !word.single)) return 'test';", ''],
  [`${SHELL}/test-words.ts`, "if (words.some((word) => word === '-v' || word === '-R')) return 'test';", ''],
  ['src/policy/command/xargs.ts', 'commands: [withInput(inner, replaced)]', 'commands: []'],
  ['src/policy/command/guard.ts', '(one) => EXECUTES.test(one)', '() => false'],
  ['src/policy/command/open-word.ts', 'if (!words.some(isOpen)) return undefined;', 'return undefined;'],
  ['src/policy/pattern.ts', "if (moved && words.some(namesFile)) return unsure('the folder was changed before');", ''],
];

for (const [file, from, to] of LOST) {
  test(`the corpus notices that ${file} lost ${from.slice(0, 60).replaceAll('\n', ' ')}`, async () => {
    assert.ok((await allowedWith({ file, from, to })).length > 0);
  });
}
