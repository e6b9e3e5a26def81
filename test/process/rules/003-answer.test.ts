// Seed 003, section 4: every answer of the skills runtime, as the command line gives it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeProject, skillFiles } from '../../support/door-support.ts';
import { ask, askCompact } from '../../support/rule-support.ts';
import { isLong } from '../../support/support.ts';

const META = 'meta: {agent: skills, time, ts}';
const ZH = ['--lang', 'zh', '--yes'];

test('003-17 003-26 a result goes below mybox/output unless told otherwise, and is named with its size', async (t) => {
  const project = makeProject(t, {
    ...skillFiles(
      'markdown-converter',
      'name: markdown-converter\ndescription: x\ncommand: python convert.py {input} {output}',
      { 'convert.py': 'import sys\nopen(sys.argv[2], "w").write("x" * 12800)\n' },
    ),
    'README.md': '# hi\n',
  });
  const words = ['invoke', '@markdown-converter', 'README.md', ...ZH];
  const usual = await ask(project, words);
  const { skill, operation, output_path, output_size } = usual.data;
  const file = 'mybox/output/markdown-converter-README';
  assert.equal(usual.summary, `执行成功: convert → ${file}`);
  assert.deepEqual([skill, operation, output_path, output_size], ['markdown-converter', 'convert', file, '12.5KB']);
  assert.equal(readFileSync(path.join(project, file), 'utf8').length, 12800);
  const [heading, line = ''] = await askCompact(project, [...words, 'output=mybox/output/sub/result.html']);
  assert.equal(heading, '✅ skills 执行成功: convert → mybox/output/sub/result.html');
  assert.ok(line.startsWith('  state: success | data: {skill: "markdown-converter", '), line);
  const data = 'operation: "convert", output_path: "mybox/output/sub/result.html", output_size: "12.5KB"';
  assert.ok(line.includes(data), line);
  assert.ok(line.endsWith(` | ${META}`), line);
  assert.ok(existsSync(path.join(project, 'mybox/output/sub/result.html')));
});

test('003-20 003-29 003-34 a command has sixty seconds and may only ask for less; out of time is a state of its own', async (t) => {
  const limit = { 'limit.py': 'import resource\nprint(resource.getrlimit(resource.RLIMIT_CPU)[0])\n' };
  const slow = (name: string, fields: string) =>
    skillFiles(name, `name: ${name}\ndescription: x\n${fields}\ncommand: sh slow.sh`, { 'slow.sh': 'sleep 90\n' });
  const project = makeProject(t, {
    ...skillFiles('usual', 'name: usual\ndescription: x\ncommand: python limit.py', limit),
    ...skillFiles('greedy', 'name: greedy\ndescription: x\ntimeout: 600\ncommand: python limit.py', limit),
    ...slow('large-processor', 'timeout: 1'),
    ...slow('endless', ''),
  });
  const [usual, greedy, late, lines] = await Promise.all([
    ask(project, ['invoke', '@usual', '--yes']),
    ask(project, ['invoke', '@greedy', '--yes']),
    ask(project, ['invoke', '@large-processor', ...ZH]),
    askCompact(project, ['invoke', '@large-processor', ...ZH]),
  ]);
  // A process may use as many seconds of processor as it has time.
  assert.deepEqual([usual.data.stdout, greedy.data.stdout], ['60\n', '60\n'], usual.summary);
  const { skill, elapsed, limit: seconds, recoverable } = late.data;
  assert.deepEqual([late.code, late.state, skill, seconds, recoverable], [5, 'timeout', 'large-processor', 1, true]);
  assert.ok(Number(elapsed) >= 1);
  assert.equal(lines[0], '⏱️ skills Timeout: 执行超时 (>1秒)');
  assert.match(lines[1] ?? '', /^ {2}state: timeout \| data: \{skill: "large-processor", .*elapsed: [\d.]+, limit: 1,/);
  if (!isLong()) return;
  const cut = await ask(project, ['invoke', '@endless', ...ZH]);
  assert.deepEqual([cut.code, cut.summary, cut.data.limit], [5, 'Timeout: 执行超时 (>60秒)', 60]);
});

test('003-21 003-22 003-33 a use is counted, a failure is not and says what stderr said', async (t) => {
  const project = makeProject(
    t,
    skillFiles('maybe', 'name: maybe\ndescription: x\ncommand: python maybe.py {input}', {
      'maybe.py':
        'import sys\nif sys.argv[1] == "bad": sys.exit("no such month")\nif sys.argv[1] == "worse": raise ValueError("13")\n',
    }),
  );
  assert.equal((await ask(project, ['invoke', '@maybe', 'good', '--yes'])).state, 'success');
  const failed = await ask(project, ['invoke', '@maybe', 'bad', ...ZH]);
  assert.equal(failed.summary, 'RuntimeFailed: 执行失败: no such month');
  assert.deepEqual([failed.code, failed.data.type, failed.data.recoverable], [1, 'RuntimeFailed', null]);
  const [heading] = await askCompact(project, ['invoke', '@maybe', 'worse', ...ZH]);
  assert.equal(heading, '❌ skills RuntimeFailed: 执行失败: ValueError: 13');
  const usage = (await ask(project, ['inspect', 'maybe'])).data.usage as Record<string, unknown>;
  assert.deepEqual([usage.count, usage.failures], [1, 2]);
});

test('003-13 003-23 003-24 003-36 a prompt skill answers with its whole text, runs nothing, is not counted', async (t) => {
  const files = {
    ...skillFiles('marketing-ideas', 'name: Marketing Ideas Generator\ndescription: 提供 139 种营销策略建议', {
      'run.sh': 'echo ran > ran.txt\n',
    }),
  };
  const project = makeProject(t, files);
  const said = await ask(project, ['invoke', '@marketing-ideas', '--lang', 'zh']);
  assert.deepEqual([said.code, said.state, said.summary], [0, 'success', '提示词加载: marketing-ideas']);
  assert.deepEqual(said.data, {
    skill: 'marketing-ideas',
    type: 'prompt',
    name: 'Marketing Ideas Generator',
    description: '提供 139 种营销策略建议',
    content: files['.claude/skills/marketing-ideas/SKILL.md'],
    executable: false,
  });
  assert.ok(!existsSync(path.join(project, '.agent/runs')), 'nothing ran, so there is no record of a run');
  const { usage } = (await ask(project, ['inspect', 'marketing-ideas'])).data;
  assert.equal((usage as Record<string, unknown>).count, 0);
});

test('003-30 003-31 a skill that is missing or damaged, under the names of the seed', async (t) => {
  const project = makeProject(t, {
    ...skillFiles('markdown-maker', 'name: markdown-maker\ndescription: x'),
    '.claude/skills/broken/SKILL.md': '',
    '.claude/skills/empty/scripts/x.py': '',
  });
  const [missing, compact, broken, empty] = await Promise.all([
    ask(project, ['invoke', '@markdown-makr', ...ZH]),
    askCompact(project, ['invoke', '@nowhere-at-all', ...ZH]),
    ask(project, ['invoke', '@broken', ...ZH]),
    ask(project, ['invoke', '@empty', ...ZH]),
  ]);
  assert.equal(missing.summary, 'SkillNotFound: 未安装技能: markdown-makr');
  assert.deepEqual([missing.code, missing.data.type, missing.data.recoverable], [1, 'SkillNotFound', true]);
  assert.match(String(missing.data.hint), /markdown-maker/);
  assert.equal(compact[0], '❌ skills SkillNotFound: 未安装技能: nowhere-at-all');
  for (const damaged of [broken, empty]) {
    assert.match(damaged.summary, /^MetadataMissing: SKILL\.md 损坏或缺失/);
    assert.deepEqual([damaged.code, damaged.data.type, damaged.data.recoverable], [1, 'MetadataMissing', false]);
  }
});

test('003-18 003-27 003-28 003-32 003-35 a missing parameter is a question where somebody can answer, else ParamMissing', async (t) => {
  const params = `params:
  - {name: input_file, required: true}
  - {name: format, required: false}
  - {name: quality, required: false}`;
  const command = 'command: python convert.py {input_file} --to {format} -q {quality}';
  const project = makeProject(t, {
    ...skillFiles('conv', `name: conv\ndescription: x\n${command}\n${params}`, { 'convert.py': 'print("ran")\n' }),
    ...skillFiles(
      'acts',
      'name: acts\ndescription: x\nentry: a.py\nactions:\n  go:\n    params:\n      input_file: {required: true}',
      { 'a.py': 'print("ran")\n' },
    ),
  });
  const [asked, lines, failed, named, called] = await Promise.all([
    ask(project, ['invoke', '@conv', ...ZH]),
    askCompact(project, ['invoke', '@conv', ...ZH]),
    ask(project, ['invoke', '@conv', '--non-interactive', ...ZH]),
    askCompact(project, ['invoke', '@conv', '--non-interactive', ...ZH]),
    ask(project, ['call', 'acts', 'go', ...ZH]),
  ]);
  assert.deepEqual([asked.code, asked.state, asked.data.missing], [3, 'pending', ['input_file']]);
  assert.equal(lines[0], '⏸️ skills 等待参数: 需要 input_file');
  assert.match(
    lines[1] ?? '',
    / \| data: \{.*required: \["input_file"\], optional: \["format", "quality"\].* \| meta: /,
  );
  const { type, msg, code, recoverable } = failed.data;
  assert.equal(named[0], '❌ skills ParamMissing: 参数不足: 需要 input_file');
  assert.deepEqual([failed.code, failed.state, type, recoverable], [1, 'error', 'ParamMissing', true]);
  assert.deepEqual([msg, code], ['Missing required parameters: [input_file]', 'MISSING_PARAM']);
  // The same failure under the name that the protocol of actions has for it.
  assert.deepEqual([called.code, called.data.type], [1, 'MISSING_PARAM'], called.summary);
});
