import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../base/errors.ts';
import { parsePrompt, type ScriptOrder } from './grammar.ts';

test('001-13 001-14 001-15 the examples of the seed are understood word for word', () => {
  assert.deepEqual(one('执行 python bin/skill_manager.py list'), order('bin/skill_manager.py', ['list']));
  assert.deepEqual(
    one('执行 python bin/skill_manager.py search markdown'),
    order('bin/skill_manager.py', ['search', 'markdown']),
  );
  assert.deepEqual(one('执行 python bin/skill_scanner.py scan'), order('bin/skill_scanner.py', ['scan']));
});

test('003-46 a bare command is understood like one behind a verb, in both languages', () => {
  for (const verb of ['', 'run ', 'Run: ', 'execute ', '执行 ', '执行：', '运行 '])
    assert.deepEqual(
      one(`${verb}python bin/file_editor.py append a.md x`),
      order('bin/file_editor.py', ['append', 'a.md', 'x']),
    );
});

test('quotes, escapes and list marks are those of people; words stay whole', () => {
  assert.deepEqual(one(`run python3 bin/a.py "x y" 'a"b' c\\ d "say \\"hi\\"" '' 价格`).args, [
    'x y',
    'a"b',
    'c d',
    'say "hi"',
    '',
    '价格',
  ]);
  assert.deepEqual(one('run python bin/a.py "two\nlines"').args, ['two\nlines']);
  assert.deepEqual(
    parsePrompt('1. 执行 python bin/a.py\n\n- run node bin/b.mjs x\n# a note\n* 执行 `bash bin/c.sh`').map(
      ({ interpreter, script }) => [interpreter, script],
    ),
    [
      ['python', 'bin/a.py'],
      ['node', 'bin/b.mjs'],
      ['bash', 'bin/c.sh'],
    ],
  );
});

test('001-21 `> /dev/null` discards what is printed; stderr has its own', () => {
  for (const end of ['> /dev/null', '>/dev/null', '1> /dev/null', '>> /dev/null 2>&1', '&> /dev/null'])
    assert.equal(one(`执行 python bin/x.py ${end}`).quiet, true, end);
  assert.equal(one('执行 python bin/x.py 2> /dev/null').quiet, false);
  assert.deepEqual(one('执行 python bin/x.py a > /dev/null b').args, ['a', 'b']);
});

test('001-20 `> nul` is refused, whatever its case', () => {
  for (const end of ['> nul', '>nul', '> NUL', '2> nul'])
    assert.equal(checkOf(`执行 python bin/x.py ${end}`), 'InvalidArgs nul', end);
});

test('003-10 inline code is refused, glued or behind another option', () => {
  for (const line of [
    'python -c "print(1)"',
    'python -cprint(1)',
    'node -e 1',
    'bash -lc ls',
    'python -m http.server',
    'python - ',
  ])
    assert.equal(checkOf(`执行 ${line}`), 'InvalidArgs inline-code', line);
});

test('001-19 a task that creates code is refused in both languages', () => {
  for (const line of [
    '创建 python 脚本 bin/x.py',
    '请编写一个脚本',
    '执行 创建 bin/x.py',
    'create a python script bin/x.py',
    'Write bin/x.py',
    'echo "x" > bin/x.py',
    'cat > bin/x.py',
  ])
    assert.equal(checkOf(line), 'InvalidArgs code-creation', line);
});

test('001-17 whatever leads out of bin/ is not found', () => {
  for (const script of [
    '../x.py',
    'bin/../x.py',
    './x.py',
    '/etc/x.py',
    'bin',
    'bin/',
    'binary/x.py',
    'bin/a/../../x.py',
    '..\\x.py',
  ])
    assert.equal(checkOf(`执行 python '${script}'`), 'ScriptNotFound outside-bin', script);
  assert.equal(one('执行 python ./bin/sub/../x.py').script, 'bin/x.py');
});

test('001-49 a skill is not a task; the hint says how it is run', () => {
  for (const line of [
    '运行技能 markdown-converter README.md',
    'run skill markdown-converter',
    '@markdown-converter',
    '执行 python .claude/skills/markdown-converter/convert.py',
  ]) {
    const fault = faultOf(line);
    assert.equal(fault.details?.check, 'skill', line);
    assert.match(fault.hint.en, /skillwright invoke @markdown-converter/);
  }
});

test('a shell is never meant: its operators are refused outside quotes and plain inside', () => {
  for (const tail of ['| tee x', '&& rm x', '; rm x', '& x', '< x', '$(id)', '`id`', '> out.txt', '|| x'])
    assert.equal(checkOf(`run python bin/x.py ${tail}`), 'InvalidArgs shell', tail);
  assert.deepEqual(one(`run python bin/x.py "a | b" '; rm' "> nul"`).args, ['a | b', '; rm', '> nul']);
});

test('001-07 an empty prompt and one that says nothing are told apart', () => {
  assert.equal(checkOf(' \n\n'), 'InvalidArgs prompt');
  assert.equal(checkOf('please list my skills'), 'InvalidArgs grammar');
  assert.equal(checkOf('run ruby bin/x.rb'), 'InvalidArgs grammar');
  assert.equal(checkOf('run python'), 'InvalidArgs grammar');
  assert.equal(checkOf('run python bin/x.py "open'), 'InvalidArgs quotes');
});

function one(prompt: string): ScriptOrder {
  const orders = parsePrompt(prompt);
  assert.equal(orders.length, 1);
  return orders[0] as ScriptOrder;
}

function order(script: string, args: string[]): ScriptOrder {
  return { interpreter: 'python', script, args, quiet: false };
}

function faultOf(prompt: string): Fault {
  try {
    parsePrompt(prompt);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: `understood: ${prompt}` });
}

function checkOf(prompt: string): string {
  const { type, details } = faultOf(prompt);
  return `${type} ${details?.check}`;
}
