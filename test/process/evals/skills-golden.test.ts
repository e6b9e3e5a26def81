// The two lines each outcome of the skills runtime is, to the letter, in both languages.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Language } from '../../../src/base/language.ts';
import type { Outcome } from '../../../src/base/outcome.ts';
import { renderCompact } from '../../../src/base/text/compact.ts';
import { door, invoke, makeProject, skillFiles } from '../../support/door-support.ts';

const LANGUAGES: readonly Language[] = ['zh', 'en'];
const CONVERTER =
  'name: markdown-converter\ndescription: Turns Markdown into HTML.\ncommand: python convert.py {input_file} {output} [--to {format}] [-q {quality}]\nparams:\n  input_file: {required: true, type: file}\n  format: {}\n  quality: {}\n';
const CONVERT = 'import sys\nopen(sys.argv[2], "w").write("x" * 12800)\n';

/** Without what differs between machines and calls. */
function lines(outcome: Outcome, ...shown: readonly string[]): string[] {
  const data = Object.fromEntries(shown.map((name) => [name, outcome.data[name]]));
  const meta = { ...outcome.meta, time: 1.8, ts: '2025-01-29T10:30:00Z' };
  return renderCompact({ ...outcome, data, meta }).split('\n');
}

const META = 'meta: {agent: skills, time: 1.8, ts: "2025-01-29T10:30:00Z"}';

function converter(t: TestContext): string {
  return makeProject(t, { ...skillFiles('md-tools-v1', CONVERTER, { 'convert.py': CONVERT }), 'README.md': '# hi\n' });
}

test('golden: a result that lies somewhere', async (t) => {
  const expected = {
    zh: '✅ skills 执行成功: convert → mybox/output/result.html',
    en: '✅ skills done: convert → mybox/output/result.html',
  };
  for (const language of LANGUAGES) {
    const open = await door(converter(t), {}, {}, language);
    const params = { output: 'mybox/output/result.html' };
    const outcome = await invoke(open, '@markdown-converter', params, { input: 'README.md' });
    assert.deepEqual(lines(outcome, 'skill', 'operation', 'output_path', 'output_size'), [
      expected[language],
      `  state: success | data: {skill: "markdown-converter", operation: "convert", output_path: "mybox/output/result.html", output_size: "12.5KB"} | ${META}`,
    ]);
  }
});

test('golden: parameters are missing', async (t) => {
  const expected = { zh: '⏸️ skills 等待参数: 需要 input_file', en: '⏸️ skills waiting for: input_file' };
  const files = skillFiles('md-tools-v1', CONVERTER.replace(' {output}', ''), { 'convert.py': CONVERT });
  for (const language of LANGUAGES) {
    const outcome = await invoke(await door(makeProject(t, files), {}, {}, language), 'markdown-converter');
    assert.deepEqual(lines(outcome, 'required', 'optional'), [
      expected[language],
      `  state: pending | data: {required: ["input_file"], optional: ["format", "quality"]} | ${META}`,
    ]);
  }
});

test('golden: errors under the names of the seed', async (t) => {
  const failing = skillFiles('bad', 'name: bad\ndescription: x\ncommand: python bad.py', {
    'bad.py': 'import sys\nsys.exit("no such month")\n',
  });
  const expected: Record<string, Record<Language, string>> = {
    'markdown-converter': {
      zh: '❌ skills ParamMissing: 参数不足: 需要 input_file',
      en: '❌ skills ParamMissing: Missing required parameters: [input_file]',
    },
    nowhere: {
      zh: '❌ skills SkillNotFound: 未安装技能: nowhere',
      en: '❌ skills SkillNotFound: skill not installed: nowhere',
    },
    bad: {
      zh: '❌ skills RuntimeFailed: 执行失败: no such month',
      en: '❌ skills RuntimeFailed: execution failed: no such month',
    },
  };
  const recoverable: Record<string, string> = { 'markdown-converter': 'true', nowhere: 'true', bad: 'null' };
  for (const language of LANGUAGES) {
    const files = { ...skillFiles('md-tools-v1', CONVERTER, { 'convert.py': CONVERT }), ...failing };
    const open = await door(makeProject(t, files), { attended: false }, {}, language);
    for (const [skill, text] of Object.entries(expected)) {
      const outcome = await invoke(open, skill);
      const type = text[language].split(' ')[2]?.slice(0, -1);
      assert.deepEqual(lines(outcome, 'type', 'recoverable'), [
        text[language],
        `  state: error | data: {type: "${type}", recoverable: ${recoverable[skill]}} | ${META}`,
      ]);
    }
  }
});

test('golden: out of time', async (t) => {
  const files = skillFiles(
    'large-processor',
    'name: large-processor\ndescription: x\ntimeout: 1\ncommand: sh slow.sh',
    {
      'slow.sh': 'sleep 30\n',
    },
  );
  const expected = {
    zh: '⏱️ skills Timeout: 执行超时 (>1秒)',
    en: '⏱️ skills Timeout: ran longer than 1 s',
  };
  for (const language of LANGUAGES) {
    const outcome = await invoke(await door(makeProject(t, files), {}, {}, language), 'large-processor');
    assert.deepEqual(lines(outcome, 'skill', 'limit'), [
      expected[language],
      `  state: timeout | data: {skill: "large-processor", limit: 1} | ${META}`,
    ]);
  }
});

test('golden: a prompt', async (t) => {
  const files = skillFiles('marketing-ideas', 'name: Marketing Ideas Generator\ndescription: 提供 139 种营销策略建议');
  const expected = { zh: '✅ skills 提示词加载: marketing-ideas', en: '✅ skills prompt loaded: marketing-ideas' };
  for (const language of LANGUAGES) {
    const outcome = await invoke(await door(makeProject(t, files), {}, {}, language), '@marketing-ideas');
    assert.deepEqual(lines(outcome, 'skill', 'type', 'name', 'description', 'executable'), [
      expected[language],
      `  state: success | data: {skill: "marketing-ideas", type: "prompt", name: "Marketing Ideas Generator", description: "提供 139 种营销策略建议", executable: false} | ${META}`,
    ]);
  }
});
