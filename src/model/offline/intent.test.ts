import assert from 'node:assert/strict';
import test from 'node:test';
import { readIntent } from './intent.ts';

const TABLE: readonly (readonly [string, string | undefined])[] = [
  ['Run the test suite', 'run suite'],
  ['Please rerun all the failed builds', 'rerun builds'],
  ['Could you write me a CSV parser in Rust?', 'write parser, new'],
  ["I'd like to publish my skill", 'publish skill'],
  ['How do I publish my skill so that others can install it?', 'publish skill'],
  ['I need a report about sales.csv', 'make report, new'],
  ['Cherry-pick the fix into main', 'cherry-pick fix'],
  ['运行测试', '运行 测试'],
  ['用 Python 写一个 CSV 解析器', '写 析器, new'],
  // No order.
  ['Which tests are flaky?', undefined],
  ['Tests are failing since Monday', undefined],
  ['multi-file project with errors', undefined],
  ['', undefined],
];

for (const [request, expected] of TABLE) {
  test(`${JSON.stringify(request)} asks for ${expected ?? 'no intent'}`, () => {
    const intent = readIntent(request);
    assert.equal(intent && `${intent.word} ${intent.noun}${intent.makes ? ', new' : ''}`, expected);
  });
}

test('what the new thing shall be like is no part of the order', () => {
  assert.equal(readIntent('Create a skill that turns YAML into JSON')?.order.trim(), 'Create a skill');
  assert.equal(readIntent('I want a skill that reads. Which kind?')?.order, 'make a skill . Which kind?');
  assert.equal(readIntent('帮我写一个翻译文档的技能')?.order, '写 技能');
  assert.equal(readIntent('Convert that file to HTML')?.order, 'Convert that file to HTML');
});
