// A home and temporary files hold no more than a layer does: a call that writes beyond that is ended, and told where.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { plant } from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/changed-source.ts';
import { openDesk } from '../../support/consent/desk.ts';
import { runCli } from '../../support/support.ts';

const FLOOD = 'cd "$1" || exit 7; n=0; while [ $n -lt 600 ]; do : > f$n; n=$((n+1)); done; sleep 3; echo done\n';
const FILES = {
  '.agent/skills/floods/SKILL.md': '---\nname: floods\ndescription: Writes many files.\n---\n# Floods\n',
  '.agent/skills/floods/scripts/home.sh': `set -- "$HOME"; ${FLOOD}`,
  '.agent/skills/floods/scripts/temporary.sh': `set -- "$TMPDIR"; ${FLOOD}`,
  '.agent/skills/floods/scripts/count.sh': 'ls "$HOME" | wc -l\n',
};

function openFlooded(t: TestContext) {
  const desk = openDesk(t, FILES);
  plant(desk.home, { '.agent/config.json': JSON.stringify({ limits: { layer_files: 300 } }) });
  const exec = (script: string, change: readonly Change[] = []) =>
    runCli(['exec', 'floods', `scripts/${script}.sh`, '--yes'], { cwd: desk.project, home: desk.home, change });
  return { desk, exec };
}

test('threat 72 blocked: a call that writes too much into its home or its temporary folder is ended, and named', async (t) => {
  const { desk, exec } = openFlooded(t);
  for (const [script, where] of [
    ['home', /LIMIT_LAYER_FILES: .*more than 300 in its home[\s\S]*limits\.layer_files/],
    ['temporary', /LIMIT_LAYER_FILES: .*more than 300 of temporary files/],
  ] as const) {
    const { code, stdout, stderr } = await exec(script);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, where);
  }
  await desk.grant('floods', '--home');
  assert.match((await exec('home')).stderr, /in its lasting home, which `skillwright homes clear floods` empties/);
  assert.equal((await desk.sw(['homes', 'clear', 'floods'])).code, 0);
  assert.equal((await exec('count')).stdout.trim(), '0');
});

test('threat 72 control: where nobody watches them, all of it stays in a lasting home', async (t) => {
  const { desk, exec } = openFlooded(t);
  await desk.grant('floods', '--home');
  const unwatched: Change = {
    file: 'src/door/execute.ts',
    from: 'AbortSignal.any([watch.signal, beside.signal])',
    to: 'watch.signal',
  };
  const untold: Change = { file: 'src/door/execute.ts', from: 'beside.requireWithin();', to: '' };
  const { code, stdout, stderr } = await exec('home', [unwatched, untold]);
  assert.deepEqual([code, stdout], [0, 'done\n'], stderr);
  assert.equal((await exec('count')).stdout.trim(), '600');
});
