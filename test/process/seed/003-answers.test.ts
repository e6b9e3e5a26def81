// Seed 003, section 4: each answer as it is drawn there, on four lines, beside the one the command line gives.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseCompact } from '../../../src/index.ts';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli } from '../../support/support.ts';

const SKILLS = {
  ...skillFiles('md-tools-v1', 'name: markdown-converter\ndescription: x\ncommand: python convert.py {file}', {
    'convert.py':
      'import os, sys\ntext = open(sys.argv[1]).read()\nopen(os.environ["SKILL_OUTPUT_DIR"] + "/result.html", "w").write(text * 2560)\n',
  }),
  ...skillFiles(
    'image-shrinker',
    `name: image-shrinker
description: x
command: python shrink.py {input_file} --format {format} --quality {quality}
params:
  - name: input_file
    required: true
  - name: format
    required: false
  - name: quality
    required: false`,
    { 'shrink.py': 'print("shrunk")\n' },
  ),
  ...skillFiles('large-processor', 'name: large-processor\ndescription: x\ntimeout: 1\ncommand: sh wait.sh', {
    'wait.sh': 'sleep 90\n',
  }),
  ...skillFiles('marketing-ideas', 'name: Marketing Ideas Generator\ndescription: 给出 139 个点子'),
  ...skillFiles('breaks', 'name: breaks\ndescription: x\ncommand: python breaks.py', {
    'breaks.py': 'import sys\nsys.exit("the disk is full")\n',
  }),
  '.claude/skills/damaged/SKILL.md': '',
  'README.md': '# hi\n',
};

/** What is drawn: a heading, and state, data and meta on a line of their own; of the data, what the drawing names. */
interface Drawn {
  readonly input: readonly string[];
  readonly code: number;
  readonly heading: string;
  readonly state: string;
  readonly data: string;
}

const DRAWN: Readonly<Record<string, Drawn>> = {
  'it worked': {
    input: ['@markdown-converter README.md'],
    code: 0,
    heading: '✅ skills 执行成功: convert → mybox/output/result.html',
    state: 'success',
    data: '{skill: "markdown-converter", operation: "convert", output_path: "mybox/output/result.html", output_size: "12.5KB"}',
  },
  'a parameter is awaited': {
    input: ['@image-shrinker'],
    code: 3,
    heading: '⏸️ skills 等待参数: 需要 input_file',
    state: 'pending',
    data: '{required: ["input_file"], optional: ["format", "quality"]}',
  },
  'it failed, ParamMissing': {
    input: ['@image-shrinker', '--non-interactive'],
    code: 1,
    heading: '❌ skills ParamMissing: 参数不足: 需要 input_file',
    state: 'error',
    data: '{type: "ParamMissing", msg: "Missing required parameters: [input_file]", recoverable: true}',
  },
  'it took too long, Timeout': {
    input: ['@large-processor'],
    code: 5,
    heading: '⏱️ skills Timeout: 执行超时 (>1秒)',
    state: 'timeout',
    data: '{skill: "large-processor", limit: 1, recoverable: true}',
  },
  'a prompt is handed over': {
    input: ['@marketing-ideas'],
    code: 0,
    heading: '✅ skills 提示词加载: marketing-ideas',
    state: 'success',
    data: `{
    skill: "marketing-ideas",
    type: "prompt",
    name: "Marketing Ideas Generator",
    description: "给出 139 个点子",
    content: "---\\nname: Marketing Ideas Generator\\ndescription: 给出 139 个点子\\n---\\n# marketing-ideas\\n",
    executable: false
  }`,
  },
  'the table, SkillNotFound': {
    input: ['@nobody-has-this'],
    code: 1,
    heading: '❌ skills SkillNotFound: 未安装技能: nobody-has-this',
    state: 'error',
    data: '{type: "SkillNotFound", recoverable: true}',
  },
  'the table, MetadataMissing': {
    input: ['@damaged'],
    code: 1,
    heading: '❌ skills MetadataMissing: SKILL.md 损坏或缺失',
    state: 'error',
    data: '{type: "MetadataMissing", recoverable: false}',
  },
  'the table, RuntimeFailed': {
    input: ['@breaks'],
    code: 1,
    heading: '❌ skills RuntimeFailed: 执行失败: the disk is full',
    state: 'error',
    data: '{type: "RuntimeFailed", recoverable: null}',
  },
};

for (const [name, { input, code, heading, state, data }] of Object.entries(DRAWN))
  test(`seed 003, section 4: ${name}`, async (t) => {
    const project = makeProject(t, SKILLS);
    const words = ['invoke', ...input, '--yes', '--lang', 'zh', '--format', 'compact'];
    const said = await runCli(words, { cwd: project, home });
    const lines = said.stdout.trimEnd().split('\n');
    const meta = 'meta: {agent: skills, time: 1.8, ts: "2025-01-29T10:30:00Z"}';
    assert.equal(said.code, code, said.stdout + said.stderr);
    assert.deepEqual([lines.length, lines[0]?.startsWith(heading)], [2, true], lines[0]);
    assert.match(
      lines[1] ?? '',
      new RegExp(`^ {2}state: ${state} \\| data: \\{.*\\} \\| meta: \\{agent: skills, time: `),
    );
    const drawn = await parseCompact(`${heading}\n  state: ${state}\n  data: ${data}\n  ${meta}\n`);
    const given = await parseCompact(said.stdout);
    assert.ok(drawn && given, said.stdout);
    assert.deepEqual([given.state, given.agent], [drawn.state, drawn.agent]);
    assert.partialDeepStrictEqual(given.data, drawn.data);
    assert.match(given.meta.ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
    assert.deepEqual(Object.keys(given.meta), Object.keys(drawn.meta));
    if (state === 'timeout') assert.ok(Number(given.data.elapsed) >= 1);
    if (drawn.data.output_path !== undefined) {
      const page = readFileSync(path.join(project, String(drawn.data.output_path)), 'utf8');
      assert.equal(page.length, 12_800);
    }
  });
