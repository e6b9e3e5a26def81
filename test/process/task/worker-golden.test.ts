// The two lines each outcome of the worker is, to the letter, in both languages; and the examples of the seeds read back.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import type { Language } from '../../../src/base/language.ts';
import type { Outcome } from '../../../src/base/outcome.ts';
import { parseCompact, renderCompact } from '../../../src/base/text/compact.ts';
import { openTaskProject, type Wanted } from '../../support/task-support.ts';

const NOW = Date.UTC(2025, 0, 29, 10, 30);
const META = 'meta: {agent: worker_agent, time: 0, ts: "2025-01-29T10:30:00.000Z"}';

const golden = (language: Language, more: Wanted = {}): Wanted => ({ language, clock: { now: () => NOW }, ...more });

/** The sandbox differs between machines, an id between calls. */
function lines(outcome: Outcome): string[] {
  const { sandbox: _, ...data } = outcome.data;
  return renderCompact({ ...outcome, data })
    .replaceAll(/\b(?:[0-9a-f]{12}){1,2}\b/g, 'ID')
    .split('\n');
}

test('001-28 golden: scan', async (t) => {
  const expected = {
    zh: '✅ worker_agent 扫描完成: 新增 2 个, 更新 3 个',
    en: '✅ worker_agent scan finished: 2 added, 3 updated',
  };
  for (const language of ['zh', 'en'] as const) {
    const { run, write } = openTaskProject(t);
    const skill = (name: string, body: string) =>
      write(`.agent/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n---\n${body}\n`);
    write('.agent/config.json', '{"skill_roots": [".agent/skills"]}');
    for (const name of ['skill_c', 'skill_d', 'skill_e']) skill(name, 'one');
    const wanted = golden(language, { trusted: true });
    await run('执行 python bin/skill_scanner.py scan', wanted);
    for (const name of ['skill_c', 'skill_d', 'skill_e']) skill(name, 'two, and longer');
    for (const name of ['skill_a', 'skill_b']) skill(name, 'one');
    const [first, second] = lines(await run('执行 python bin/skill_scanner.py scan', wanted));
    assert.equal(first, expected[language]);
    assert.match(
      second ?? '',
      /^ {2}state: success \| data: \{added: \["skill_a", "skill_b"\], updated: \["skill_c", "skill_d", "skill_e"\], removed: \[\], total: \d+, /,
    );
    assert.ok(second?.endsWith(` | ${META}`));
  }
});

test('001-30 golden: a stored result', async (t) => {
  const expected = {
    zh: '⏭️ worker_agent 缓存命中: 使用最近结果 (<5s)',
    en: '⏭️ worker_agent from cache: the latest result (<5s)',
  };
  for (const language of ['zh', 'en'] as const) {
    const { run, write } = openTaskProject(t);
    write('bin/x.py', 'print("{\\"total\\": 5}")\n');
    await run('执行 python bin/x.py > /dev/null', golden(language, { key: 'k', windowMs: 60_000 }));
    const [first, second] = lines(await run('执行 python bin/x.py > /dev/null', golden(language, { key: 'k' })));
    assert.equal(first, expected[language]);
    assert.match(second ?? '', /^ {2}state: success \| data: \{cached: true, original_result: \{.*\}\} \| meta/);
  }
});

test('001-32 golden: some scripts failed', async (t) => {
  const expected = {
    zh: '⚠️ worker_agent 部分完成: 3/5 个脚本执行成功',
    en: '⚠️ worker_agent partly done: 3 of 5 scripts succeeded',
  };
  for (const language of ['zh', 'en'] as const) {
    const { run, write } = openTaskProject(t);
    for (const name of ['a', 'b', 'c']) write(`bin/${name}.py`, 'pass\n');
    for (const name of ['d', 'e']) write(`bin/${name}.py`, 'raise SystemExit(1)\n');
    const prompt = ['a', 'b', 'c', 'd', 'e'].map((name) => `执行 python bin/${name}.py`).join('\n');
    const outcome = await run(prompt, golden(language));
    const { results: _, ...data } = outcome.data;
    assert.deepEqual(lines({ ...outcome, data }), [
      expected[language],
      `  state: partial | data: {succeeded: ["a.py", "b.py", "c.py"], failed: ["d.py", "e.py"]} | ${META}`,
    ]);
  }
});

test('001-35 001-36 001-37 001-38 golden: each error of the seed', async (t) => {
  const usage = 'import sys\nprint("usage: usage.py NAME\\nusage.py: error: no NAME", file=sys.stderr)\nsys.exit(2)\n';
  const expected: Record<string, Record<Language, string>> = {
    'bin/nope.py': {
      zh: '❌ worker_agent ScriptNotFound: 脚本不存在: bin/nope.py',
      en: '❌ worker_agent ScriptNotFound: no such script: bin/nope.py',
    },
    'bin/usage.py': {
      zh: '❌ worker_agent InvalidArgs: 参数错误: no NAME',
      en: '❌ worker_agent InvalidArgs: bad arguments: no NAME',
    },
    'bin/fails.py': {
      zh: '❌ worker_agent RuntimeError: 执行失败: no such month',
      en: '❌ worker_agent RuntimeError: execution failed: no such month',
    },
    'bin/closed.py': {
      zh: '❌ worker_agent PermissionDenied: 权限不足: bin/closed.py',
      en: '❌ worker_agent PermissionDenied: not permitted: bin/closed.py',
    },
  };
  const recoverable: Record<string, boolean | null> = {
    'bin/nope.py': false,
    'bin/usage.py': true,
    'bin/fails.py': null,
    'bin/closed.py': false,
  };
  for (const language of ['zh', 'en'] as const) {
    const { run, write } = openTaskProject(t);
    write('bin/usage.py', usage);
    write('bin/fails.py', 'import sys\nsys.exit("no such month")\n');
    for (const [script, text] of Object.entries(expected)) {
      if (script === 'bin/closed.py') chmodSync(write(script, ''), 0);
      const outcome = await run(`执行 python ${script}`, golden(language));
      assert.equal(lines(outcome)[0], text[language]);
      assert.equal(outcome.data.recoverable, recoverable[script]);
    }
  }
});

test('001-46 golden: a question', async (t) => {
  const expected = {
    zh: '⏸️ worker_agent 工作流已暂停: 1 个技能需 LLM 分析',
    en: '⏸️ worker_agent paused: 1 skill needs a decision',
  };
  for (const language of ['zh', 'en'] as const) {
    const { run, write } = openTaskProject(t);
    write(
      'bin/x.py',
      'import json\njson.dump({"interrupted_skills": ["a"], "resume_command": "python bin/x.py"}, open("langgraph_interrupt.json", "w"))\nprint("[INTERRUPT]")\n',
    );
    assert.deepEqual(lines(await run('执行 python bin/x.py', golden(language))), [
      expected[language],
      `  state: interrupted | data: {id: "ID", interrupted_skills: ["a"], allowed: ["keep", "uninstall"], resume_command: "python bin/x.py", resume_with: "skillwright resume ID --decide keep", expires: "2025-01-30T10:30:00.000Z"} | ${META}`,
    ]);
  }
});

test('golden: missing arguments', async (t) => {
  const { run } = openTaskProject(t);
  assert.deepEqual(lines(await run('执行 python bin/skill_manager.py search', golden('zh'))), [
    '⏸️ worker_agent 等待参数: 需要 keyword',
    `  state: pending | data: {required: ["keyword"], optional: [], missing: ["keyword"], prompt: "请在操作之后提供 keyword。"} | ${META}`,
  ]);
});

const EXAMPLES: readonly (readonly [string, readonly string[], string])[] = [
  [
    '✅ worker_agent 扫描完成: 新增 2 个, 更新 3 个',
    [
      'data: {added: ["skill_a","skill_b"], updated: ["skill_c","skill_d","skill_e"], total: 5}',
      'meta: {agent: worker_agent, time: 0.5, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{added: ["skill_a", "skill_b"], updated: ["skill_c", "skill_d", "skill_e"], total: 5}',
  ],
  [
    '⏭️ worker_agent 缓存命中: 使用最近结果 (<5s)',
    [
      'data: {cached: true, original_result: {total: 5, skills: []}}',
      'meta: {agent: worker_agent, time: 0.01, ts: "2025-01-29T10:30:05Z"}',
    ],
    '{cached: true, original_result: {total: 5, skills: []}}',
  ],
  [
    '⚠️ worker_agent 部分完成: 3/5 个脚本执行成功',
    [
      'data: {succeeded: ["a.py","b.py","c.py"], failed: ["d.py","e.py"]}',
      'meta: {agent: worker_agent, time: 1.2, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{succeeded: ["a.py", "b.py", "c.py"], failed: ["d.py", "e.py"]}',
  ],
  [
    '❌ worker_agent RuntimeError: 脚本执行失败',
    [
      'data: {type: "FileNotFoundError", msg: "bin/script.py not found"}',
      'meta: {agent: worker_agent, time: 0.1, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{type: "FileNotFoundError", msg: "bin/script.py not found"}',
  ],
  [
    '✅ skills 执行成功: Markdown转换 → mybox/output/result.html',
    [
      'data: {skill: "markdown-converter", operation: "convert", output_path: "mybox/output/result.html", output_size: "12.5KB"}',
      'meta: {agent: skills, time: 1.8, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{skill: "markdown-converter", operation: "convert", output_path: "mybox/output/result.html", output_size: "12.5KB"}',
  ],
  [
    '⏸️ skills 等待参数: 需要 input_file',
    [
      'data: {required: ["input_file"], optional: ["format", "quality"]}',
      'meta: {agent: skills, time: 0.1, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{required: ["input_file"], optional: ["format", "quality"]}',
  ],
  [
    '❌ skills ParamMissing: 参数不足: 需要 input_file',
    [
      'data: {type: "ParamMissing", msg: "Required parameter \'input_file\' not provided", recoverable: true}',
      'meta: {agent: skills, time: 0.2, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{type: "ParamMissing", msg: "Required parameter \'input_file\' not provided", recoverable: true}',
  ],
  [
    '⏱️ skills Timeout: 执行超时 (>60秒)',
    [
      'data: {skill: "large-processor", elapsed: 60, limit: 60}',
      'meta: {agent: skills, time: 60, ts: "2025-01-29T10:30:00Z"}',
    ],
    '{skill: "large-processor", elapsed: 60, limit: 60}',
  ],
];

test('001-46 the examples without meta, and with data over several lines, are read too', async () => {
  const paused = await parseCompact(
    '⏸️ worker_agent 工作流已暂停: 2 个技能需 LLM 分析\n  state: interrupted\n  data: {interrupted_skills: ["a", "b"], resume_command: "python bin/x.py"}',
  );
  assert.equal(paused?.state, 'interrupted');
  assert.deepEqual(paused.data, { interrupted_skills: ['a', 'b'], resume_command: 'python bin/x.py' });
  const prompt = await parseCompact(
    [
      '✅ skills 提示词加载: marketing-ideas',
      '  state: success',
      '  data: {',
      '    skill: "marketing-ideas",',
      '    type: "prompt",',
      '    name: "Marketing Ideas Generator",',
      '    description: "提供 139 种营销策略建议",',
      '    content: "<SKILL.md 完整内容>",',
      '    executable: false',
      '  }',
      '  meta: {agent: skills, time: 0.1, ts: "2025-01-30T10:00:00Z"}',
    ].join('\n'),
  );
  assert.ok(prompt);
  assert.equal(
    renderCompact(prompt),
    '✅ skills 提示词加载: marketing-ideas\n  state: success | data: {skill: "marketing-ideas", type: "prompt", name: "Marketing Ideas Generator", description: "提供 139 种营销策略建议", content: "<SKILL.md 完整内容>", executable: false} | meta: {agent: skills, time: 0.1, ts: "2025-01-30T10:00:00Z"}',
  );
});

const STATES: Record<string, string> = {
  '✅': 'success',
  '⏭️': 'success',
  '⚠️': 'partial',
  '❌': 'error',
  '⏸️': 'pending',
  '⏱️': 'timeout',
};

test('001-23 every example of the seeds is read in its four lines and written again on two', async () => {
  for (const [heading, [data = '', meta = ''], flow] of EXAMPLES) {
    const state = STATES[heading.split(' ')[0] ?? ''];
    const outcome = await parseCompact([heading, `  state: ${state}`, `  ${data}`, `  ${meta}`].join('\n'));
    assert.ok(outcome, heading);
    assert.equal(renderCompact(outcome), `${heading}\n  state: ${state} | data: ${flow} | ${meta}`);
  }
});
