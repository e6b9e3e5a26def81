// Random shell scripts: commands, put together in every way the shell has.
import fc from 'fast-check';

export const PROGRAMS = ['cat', 'wc', 'rm', 'git', 'ls', 'grep', 'python3', 'foo'];

const expand = (inside: string) => `$\{${inside}}`;

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', '-l', 'b.txt', '--x=1', 'src/a.ts', '-', '--', '{}', '+', '!', '=', ']'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("'a b'", '"a b"', '"a$x"', '$x', '"$1"', '"$@"', '*.txt', '{a,b}', 'a\\ b', '~', '~/x'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "$'a\\tb'",
      expand('x:-d'),
      `"${expand('x%.*')}"`,
      expand('#x'),
      `"${expand('x//a/b')}"`,
      '$((1+2))',
      '""',
      "'$(rm q)'",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\\$x', '"\\$(rm q)"', '"`"', '#c', 'a#b', '"\\\\"', "'\\'", '$', '"$"', '%', '^'),
  },
);

const redirect = fc.constantFrom(
  '',
  '',
  '',
  ' > out',
  ' 2>&1',
  ' < a.txt',
  ' >> out 2>/dev/null',
  ' <<< "$x"',
  ' &> out',
);
const prefix = fc.constantFrom(
  '',
  '',
  '',
  '',
  'LC_ALL=C ',
  'time ',
  '! ',
  'env ',
  'nice -n 1 ',
  'timeout 3 ',
  'command ',
  'xargs ',
  'exec ',
  'nohup ',
  'X=1 ',
);
const name = fc.constantFrom(
  ...PROGRAMS,
  'echo',
  'printf',
  'true',
  'cd',
  'test',
  ':',
  "'wc'",
  'w""c',
  '\\ls',
  'eval',
  'read',
);

const simple = fc
  .tuple(prefix, name, fc.array(word, { maxLength: 3 }), redirect)
  .map(([before, program, words, to]) => `${before}${[program, ...words].join(' ')}${to}`);

const { script } = fc.letrec<{ script: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'shell' },
    { weight: 6, arbitrary: simple },
    { weight: 1, arbitrary: tie('script').map((inner) => `(${inner})`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `{ ${inner}\n}`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `echo "$(${inner}\n)"`) },
    { weight: 1, arbitrary: simple.map((inner) => `wc \`${inner.replaceAll(/[`\\]/g, '')}\``) },
    { weight: 1, arbitrary: tie('script').map((inner) => `cat <(${inner}\n)`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `for x in a "$1" b; do ${inner}\ndone`) },
    { weight: 1, arbitrary: fc.tuple(simple, tie('script')).map(([test, inner]) => `if ${test}; then ${inner}\nfi`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `while ls; do ${inner}\nbreak; done`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `case "$1" in one) ${inner}\n;; *) ls ;; esac`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `cat <<EOF\n$(${inner}\n) $x\nEOF\n`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `cat <<'EOF'\n$(${inner})\nEOF\n`) },
    { weight: 1, arbitrary: simple.map((inner) => `sh -c '${inner.replaceAll("'", '')}'`) },
    { weight: 1, arbitrary: simple.map((inner) => `bash -c "${inner.replaceAll(/["\\$`]/g, '')}"`) },
    {
      weight: 1,
      arbitrary: simple.map((inner) => `find . -name '*.txt' -exec ${inner.replaceAll(/[\n;&|<>]/g, '')} {} \\;`),
    },
  ),
  script: fc
    .tuple(
      tie('part'),
      fc.array(fc.tuple(fc.constantFrom(' | ', ' && ', ' || ', '; ', '\n', ' & ', ' # c\n'), tie('part')), {
        maxLength: 2,
      }),
    )
    .map(
      ([first, more]) =>
        first + more.map(([by, part]) => (first.endsWith('\n') && by !== '\n' ? part : by + part)).join(''),
    ),
}));

/** At the top also functions, whose names nothing else has. */
export const arbitraryScript = fc.oneof(
  { weight: 4, arbitrary: script },
  {
    weight: 1,
    arbitrary: fc.tuple(script, script).map(([body, rest]) => `helper() {\n${body}\n}\nhelper a b\n${rest}`),
  },
);
