// Wheels that bring an interpreter, its settings, code for its start, or programs of the system: none of it takes effect, and each is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptsIn, openEnvironmentDesk, storedIn, toldBy } from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';

const USE = { 'requirements.txt': 'taker\n', 'scripts/use.py': 'import sys\nprint("use", "taker" in sys.modules)\n' };
const LIES = '#!/bin/sh\necho taken\n';
const DATA = 'taker-1.0.data';
const PTH = 'import taker\n';

interface Taker {
  readonly title: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly scripts?: readonly string[];
  readonly names: RegExp;
}

const TAKERS: readonly Taker[] = [
  { title: 'python3 as a script', files: { [`${DATA}/scripts/python3`]: LIES }, names: /taker==1\.0 \(bin\/python3\)/ },
  { title: 'python3 as a console script', scripts: ['python3 = taker:main'], names: /taker==1\.0 \(bin\/python3\)/ },
  { title: 'python3.99', files: { [`${DATA}/scripts/python3.99`]: LIES }, names: /taker==1\.0 \(bin\/python3\.99\)/ },
  {
    title: 'a program in front of those of the system',
    files: { [`${DATA}/data/first/git`]: LIES },
    names: /taker==1\.0 \(first\/git\)/,
  },
  {
    title: 'the settings of the interpreter',
    files: { [`${DATA}/data/pyvenv.cfg`]: 'home = /tmp\n' },
    names: /taker==1\.0 \(pyvenv\.cfg\)/,
  },
  {
    title: 'settings beside the interpreter',
    files: { [`${DATA}/scripts/pyvenv.cfg`]: 'home = /tmp\n' },
    names: /taker==1\.0 \(bin\/pyvenv\.cfg\)/,
  },
  { title: 'sitecustomize', files: { 'sitecustomize.py': PTH }, names: /taker==1\.0 \(lib\/.*\/sitecustomize\.py\)/ },
  {
    title: 'usercustomize as a package, by another way',
    files: { [`${DATA}/purelib/usercustomize/__init__.py`]: PTH },
    names: /taker==1\.0 \(lib\/.*\/usercustomize\)/,
  },
];

for (const { title, files = {}, scripts = [], names } of TAKERS)
  test(`threat 83 blocked: a wheel with ${title} is refused, and its file is named`, async (t) => {
    const taker = wheel({
      name: 'taker',
      files: { 'taker.py': 'def main():\n    print("taken")\n', ...files },
      scripts,
    });
    const desk = await openEnvironmentDesk(t, USE, { wheels: [taker] });
    const told = await desk.ask(['prepare', 'uses', '--yes']);
    assert.deepEqual([told.code, told.data.type], [1, 'PackageRefused'], JSON.stringify(told));
    assert.match(told.summary, names);
    assert.deepEqual(storedIn(desk.home), []);
    assert.match(await desk.exec('scripts/use.py'), /^use False\n/);
    assert.ok(attemptsIn(desk).every((attempt) => attempt.endsWith(' allowed')));
  });

const PTHS = wheel({
  name: 'taker',
  files: {
    'taker.py': 'def main():\n    print("taken")\n',
    'plain.pth': '../../../share\n',
    'code.pth': PTH,
    '.hidden.pth': PTH,
    'late.pth': '# nothing\r\u0020\nshare\rimport\ttaker\n',
    'marked.pth': `\uFEFF${PTH}`,
  },
  scripts: ['git = taker:main', 'ls = taker:main', 'taker-own = taker:main'],
});
const SHELL = {
  'scripts/run.sh': 'git --version; ls /; command -v ls; taker-own; python3 -c "import taker; taker.main()"\n',
};

test('threat 83 blocked: code for the start of Python is left out, programs of the system stay in front, and the outcome names both', async (t) => {
  const desk = await openEnvironmentDesk(t, { ...USE, ...SHELL }, { wheels: [PTHS] });
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  const [built] = told.data.environments as { left_out: string[]; behind: string[] }[];
  const named = ['.hidden.pth', 'code.pth', 'late.pth', 'marked.pth'].map((name) => `${name} (taker==1.0)`);
  assert.deepEqual(built?.left_out.toSorted(), named);
  assert.deepEqual(built?.behind, ['git', 'ls']);
  assert.match(await desk.exec('scripts/use.py'), /^use False\n/);
  assert.match(await desk.exec('scripts/run.sh'), /^git version [\s\S]*\/bin\/ls\ntaken\ntaken\n/);
  const again = await desk.run(['prepare', 'uses', '--yes']);
  assert.match(again.stdout, /left out .*code\.pth \(taker==1\.0\)/);
  const shown = await desk.run(['environments', 'show', storedIn(desk.home)[0] ?? '', '--lang', 'zh']);
  assert.match(shown.stdout, /已略去 .*code\.pth[\s\S]*排在系统程序之后 +git, ls/);
  assert.equal((await desk.run(['environments', 'verify'])).code, 0);
});

test('threat 83 control: without the look at it, code of a package runs whenever Python starts', async (t) => {
  const desk = await openEnvironmentDesk(t, USE, { wheels: [PTHS] });
  const blind = {
    file: 'src/environment/python/build.ts',
    from: 'const leftOut = refuseTakeover(tree, machine);',
    to: 'const leftOut = refuseTakeover === undefined ? [tree] : [];',
  };
  const told = toldBy(await desk.run(['prepare', 'uses', '--yes', '--json'], { change: [blind] }));
  assert.equal(told.state, 'success', JSON.stringify(told));
  assert.match(await desk.exec('scripts/use.py'), /^use True\n/);
});
