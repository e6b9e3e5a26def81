// The converter's reader and writers: what Markdown means, what hostile documents cannot do, and what they cannot cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { importScript } from '../../support/builtin-support.ts';
import { count } from '../../support/support.ts';

interface Html {
  body: string;
  headings: unknown[];
}
const { parseBlocks } = await importScript<{ parseBlocks(text: string): unknown }>(
  'markdown-converter/scripts/markdown/block.mjs',
);
const { renderHtml } = await importScript<{ renderHtml(document: unknown): Html }>(
  'markdown-converter/scripts/markdown/html.mjs',
);
const { renderText } = await importScript<{ renderText(document: unknown): string }>(
  'markdown-converter/scripts/markdown/text.mjs',
);

const html = (text: string) => renderHtml(parseBlocks(text)).body;

const CASES: Record<string, [markdown: string, html: string][]> = {
  paragraphs: [
    ['a\nb\n\nc', '<p>a\nb</p>\n<p>c</p>\n'],
    ['a  \nb', '<p>a<br>\nb</p>\n'],
    ['a\\\nb', '<p>a<br>\nb</p>\n'],
    ['  a\n   b', '<p>a\nb</p>\n'],
    ['', ''],
  ],
  headings: [
    ['# a', '<h1 id="a">a</h1>\n'],
    ['### a b ###', '<h3 id="a-b">a b</h3>\n'],
    ['####### a', '<p>####### a</p>\n'],
    ['#a', '<p>#a</p>\n'],
    ['a *b*\nc\n===', '<h1 id="a-b-c">a <em>b</em>\nc</h1>\n'],
    ['a\n---', '<h2 id="a">a</h2>\n'],
    ['# a\n# a\n# a-1', '<h1 id="a">a</h1>\n<h1 id="a-1">a</h1>\n<h1 id="a-1-1">a-1</h1>\n'],
    ['# 中文 标题！', '<h1 id="中文-标题">中文 标题！</h1>\n'],
    ['# !?', '<h1 id="section">!?</h1>\n'],
  ],
  emphasis: [
    ['*a* **b** ***c***', '<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>\n'],
    ['_a_ __b__ a_b_c', '<p><em>a</em> <strong>b</strong> a_b_c</p>\n'],
    ['a * b * c', '<p>a * b * c</p>\n'],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>\n'],
    ['*a **b*', '<p>*a *<em>b</em></p>\n'],
    ['foo*bar*baz', '<p>foo<em>bar</em>baz</p>\n'],
    ['**a*', '<p>*<em>a</em></p>\n'],
    ['*foo**bar**baz*', '<p><em>foo<strong>bar</strong>baz</em></p>\n'],
    ['~~a~~ ~b~', '<p><del>a</del> ~b~</p>\n'],
    ['**注意：**请看', '<p><strong>注意：</strong>请看</p>\n'],
    ['\\*a\\* \\a', '<p>*a* \\a</p>\n'],
  ],
  code: [
    ['`a < b` ``a`b`` `` ` ``', '<p><code>a &lt; b</code> <code>a`b</code> <code>`</code></p>\n'],
    ['`a', '<p>`a</p>\n'],
    ['*a `b*`', '<p>*a <code>b*</code></p>\n'],
    ['```js x\n<a>\n\n  b\n```', '<pre><code class="language-js">&lt;a&gt;\n\n  b\n</code></pre>\n'],
    ['~~~\n```\n~~~', '<pre><code>```\n</code></pre>\n'],
    ['```\na', '<pre><code>a\n</code></pre>\n'],
    ['````\n```\n````', '<pre><code>```\n</code></pre>\n'],
    ['    a\n\n      b\n\nc', '<pre><code>a\n\n  b\n</code></pre>\n<p>c</p>\n'],
    ['a\n    b', '<p>a\nb</p>\n'],
    ['```\n\ta\n```', '<pre><code>\ta\n</code></pre>\n'],
  ],
  quotes: [
    ['> a\nb\n> c', '<blockquote>\n<p>a\nb\nc</p>\n</blockquote>\n'],
    ['> a\n\n> b', '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>\n'],
    ['> # a\n> - b', '<blockquote>\n<h1 id="a">a</h1>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>\n'],
    ['> ```\na', '<blockquote>\n<pre><code></code></pre>\n</blockquote>\n<p>a</p>\n'],
  ],
  lists: [
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
    ['- a\n\n- b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>\n'],
    ['- a\n  - b\n\n    c', '<ul>\n<li>a\n<ul>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>\n</li>\n</ul>\n'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n'],
    ['- a\n* b', '<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n'],
    ['a\n- b', '<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n'],
    ['a\n2. b', '<p>a\n2. b</p>\n'],
    ['- a\n\n      b', '<ul>\n<li>\n<p>a</p>\n<pre><code>b\n</code></pre>\n</li>\n</ul>\n'],
    ['-\n  a\n-\n', '<ul>\n<li>a</li>\n<li></li>\n</ul>\n'],
    ['-\ta', '<ul>\n<li>a</li>\n</ul>\n'],
    ['- a\nb', '<ul>\n<li>a\nb</li>\n</ul>\n'],
    [
      '- [x] a\n- [ ] b',
      '<ul class="tasks">\n<li><input type="checkbox" disabled checked> a</li>\n<li><input type="checkbox" disabled> b</li>\n</ul>\n',
    ],
    ['1986\\. a', '<p>1986. a</p>\n'],
  ],
  rules: [
    ['***\n---\n_ _ _', '<hr>\n<hr>\n<hr>\n'],
    ['- - -', '<hr>\n'],
    ['--', '<p>--</p>\n'],
  ],
  links: [
    ['[a](/b "c")', '<p><a href="/b" title="c">a</a></p>\n'],
    ['[a](<b c>)', '<p><a href="b%20c">a</a></p>\n'],
    ['[a](b(c)d)', '<p><a href="b(c)d">a</a></p>\n'],
    ['[a]( b )c', '<p><a href="b">a</a>c</p>\n'],
    ['[a](b c)', '<p>[a](b c)</p>\n'],
    ['[*a*](b)', '<p><a href="b"><em>a</em></a></p>\n'],
    ['*[a*](b)', '<p>*<a href="b">a*</a></p>\n'],
    ['[a [b](c) d](e)', '<p>[a <a href="c">b</a> d](e)</p>\n'],
    ['[a]()', '<p><a href="">a</a></p>\n'],
    ['[a][B]\n\n[b]: /x (t)', '<p><a href="/x" title="t">a</a></p>\n'],
    ['[a][] [a]\n\n[A]: <x y>', '<p><a href="x%20y">a</a> <a href="x%20y">a</a></p>\n'],
    ['[a]: b\n[a]: c\n\n[a]', '<p><a href="b">a</a></p>\n'],
    ['[a]: b "c" d', '<p>[a]: b &quot;c&quot; d</p>\n'],
    [
      '<http://a.b/?c&d> <e@f.g>',
      '<p><a href="http://a.b/?c&amp;d">http://a.b/?c&amp;d</a> <a href="mailto:e@f.g">e@f.g</a></p>\n',
    ],
    ['见https://a.b/c_d_e。', '<p>见<a href="https://a.b/c_d_e">https://a.b/c_d_e</a>。</p>\n'],
    ['(www.a.b/(c)).', '<p>(<a href="http://www.a.b/(c)">www.a.b/(c)</a>).</p>\n'],
    ['[http://a.b](c)', '<p><a href="c">http://a.b</a></p>\n'],
  ],
  images: [
    ['![a *b* c](d.png "e")', '<p><img src="d.png" alt="a b c" title="e"></p>\n'],
    ['[![a](b)](c)', '<p><a href="c"><img src="b" alt="a"></a></p>\n'],
    ['![a][b]\n\n[b]: c', '<p><img src="c" alt="a"></p>\n'],
    ['!a ![b', '<p>!a ![b</p>\n'],
  ],
  tables: [
    [
      '| a | b |\n|:-:|--:|\n| `c\\|d` |\n| e | f | g |',
      '<div class="table"><table>\n<thead>\n<tr>\n<th style="text-align: center">a</th>\n<th style="text-align: right">b</th>\n</tr>\n</thead>\n<tbody>\n' +
        '<tr>\n<td style="text-align: center"><code>c|d</code></td>\n<td style="text-align: right"></td>\n</tr>\n' +
        '<tr>\n<td style="text-align: center">e</td>\n<td style="text-align: right">f</td>\n</tr>\n</tbody>\n</table></div>\n',
    ],
    [
      'a | b\n--|--',
      '<div class="table"><table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table></div>\n',
    ],
    ['a | b\n--|--|--', '<p>a | b\n--|--|--</p>\n'],
  ],
  footnotes: [
    [
      'a[^x] b[^x]\n\n[^x]: c\n    d',
      '<p>a<sup id="fnref:1"><a href="#fn:1">1</a></sup> b<sup id="fnref:1:2"><a href="#fn:1">1</a></sup></p>\n' +
        '<section class="footnotes">\n<ol>\n<li id="fn:1">\n<p>c\nd</p>\n<p class="back"><a href="#fnref:1">↩</a> <a href="#fnref:1:2">↩</a></p>\n</li>\n</ol>\n</section>\n',
    ],
    ['a[^x]', '<p>a[^x]</p>\n'],
  ],
  'characters and comments': [
    ['&amp; &copy; &#35; &#x41; &#0; &nope; & a', '<p>&amp; © # A \ufffd &amp;nope; &amp; a</p>\n'],
    ['a <!-- b --> c', '<p>a  c</p>\n'],
    ['<!--\na\n-->\nb', '<p>b</p>\n'],
    ['a<br/>b', '<p>a<br>\nb</p>\n'],
  ],
};

for (const [title, pairs] of Object.entries(CASES)) {
  test(`Markdown: ${title}`, () => {
    for (const [markdown, expected] of pairs) assert.equal(html(markdown), expected, markdown);
  });
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//x>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java\\script:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](javascript&#58;alert(1))',
  '[a](&#x6A;avascript:alert(1))',
  '[a](<java\tscript:alert(1)>)',
  '[a](\u0001javascript:alert(1))',
  '[a](<  javascript:alert(1)>)',
  '[a](vbscript:x) [a](data:text/html,x) [a](file:///etc/passwd)',
  '<javascript:alert(1)>',
  '![a](javascript:alert(1))',
  '![a](data:image/svg+xml,<svg onload=alert(1)>)',
  '![" onerror="alert(1)](x)',
  '[a](x "\\" onclick=\\"alert(1)")',
  '[a](" onclick="alert(1))',
  '```"><script>alert(1)</script>\nx\n```',
  '# "><script>alert(1)</script>',
  '[a]: javascript:alert(1)\n\n[a]',
  '|a|\n|-|\n|<script>|',
  '[^<script>]\n\n[^<script>]: <script>',
  'http://x/"onmouseover=alert(1)',
  '<!-- --><script>-->',
  '<!--><script>alert(1)</script>-->',
];

test('hostile documents stay text', () => {
  for (const attack of ATTACKS) assertHarmless(html(attack), attack);
});

test('property: any mixture of markup gives well-formed, harmless HTML, and text never fails', () => {
  const pieces = [
    ...ATTACKS,
    ...['*', '**', '_', '~~', '`', '```\n', '[', ']', '(', ')', '![', '](', '<', '>', '"', "'", '&', '\\', '|', '-'],
    ...[
      '\n',
      '\n\n',
      '    ',
      '> ',
      '- ',
      '1. ',
      '# ',
      '|-|-|\n',
      '[^a]',
      '[^a]: ',
      '[a]: ',
      'a',
      '中',
      ' ',
      '\t',
      '\r\n',
    ],
    ...['<br>', '<!--', '-->', '---', '===', '- [ ] ', 'http://a.b', '\ud800', '\u202e', '\0', '😀'],
  ];
  const document = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 40 });
  fc.assert(
    fc.property(document, (parts) => {
      const text = parts.join('');
      assertHarmless(html(text), text);
      renderText(parseBlocks(text));
    }),
    { numRuns: count(20_000, 1500) },
  );
});

const TAGS = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g;
const VOID = new Set(['br', 'hr', 'img', 'input']);
const ALLOWED: Record<string, string[]> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  input: ['type', 'disabled', 'checked'],
  code: ['class'],
  ol: ['start', 'class'],
  ul: ['class'],
  li: ['id'],
  sup: ['id'],
  p: ['class'],
  div: ['class'],
  section: ['class'],
  th: ['style'],
  td: ['style'],
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, ['id']])),
};

/** Only known tags with known attributes, properly nested; no other bracket; no address that runs something. */
function assertHarmless(output: string, source: string): void {
  const open: string[] = [];
  for (const [, slash, name = '', attributes = ''] of output.matchAll(TAGS)) {
    if (slash) assert.equal(open.pop(), name, source);
    else if (!VOID.has(name)) open.push(name);
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
      assert.ok(ALLOWED[name]?.includes(attribute), `${name} ${attribute}: ${source}`);
      if (attribute === 'href' || attribute === 'src') assertSafe(value, source);
    }
  }
  assert.deepEqual(open, [], source);
  assert.doesNotMatch(output.replace(TAGS, ''), /[<>]/, source);
}

function assertSafe(address: string, source: string): void {
  const scheme = /^[^/?#]*?:/.exec(address)?.[0];
  assert.ok(scheme === undefined || /^(?:https?|mailto|tel|ftp|data):$/i.test(scheme), `${address}: ${source}`);
  if (scheme === 'data:') assert.match(address, /^data:image\/(?:png|jpeg|gif|webp);base64,/);
}

const MANY = count(1_000_000, 100_000);
const fill = (unit: string, length = MANY) => unit.repeat(Math.ceil(length / unit.length));
const halves = (a: string, b: string) => fill(a, MANY / 2) + fill(b, MANY / 2);

const SLOW: Record<string, () => string> = {
  brackets: () => halves('[', ']'),
  pictures: () => fill('!['),
  'emphasis that never closes': () => fill('*a _b **c __d '),
  'emphasis that closes late': () => halves('*a ', 'a* '),
  'links that never close': () => fill('[a](b'),
  'links inside links': () => halves('[', 'a](b)'),
  'titles that never close': () => fill('[a](b "'),
  'backticks of every length': () => Array.from({ length: 1400 }, (_, length) => '`'.repeat(length + 1)).join(' '),
  'comments that never close': () => fill('<!--'),
  'quotes in quotes': () => fill('>'),
  'lists in lists': () => fill('- '),
  'lists ever deeper': () => Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  spaces: () => `# a${fill(' ')}b`,
  'a wide table': () => `${fill('|a', 20_000)}\n${fill('|-', 20_000)}\n${fill('|\n', MANY / 2)}`,
  footnotes: () => Array.from({ length: 30_000 }, (_, id) => `[^${id}]\n\n[^${id}]: x\n`).join('\n'),
  'the same heading': () => fill('# a\n', MANY / 4),
  addresses: () => `http://a.b/${fill(')')}`,
  'loose items': () => fill('- a\n\n', MANY / 2),
};

// Quadratic work on so many characters would not end within the life of the test run.
test('long texts of hostile characters are converted', () => {
  for (const [name, make] of Object.entries(SLOW)) {
    const text = make();
    assert.ok(html(text).length > 0, name);
    assert.ok(renderText(parseBlocks(text)).length > 0, name);
  }
});
