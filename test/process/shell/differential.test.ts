// What bash really executes, inside the sandbox, beside what was judged: the corpus, and compositions nobody thought of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeScript } from '../../../src/policy/shell/judge.ts';
import { changed } from '../../support/changed/changed-source.ts';
import { unforeseen } from '../../support/shell/compare.ts';
import { arbitraryScript, PROGRAMS } from '../../support/shell/composition.ts';
import { readCorpus } from '../../support/shell/corpus.ts';
import { recordScripts } from '../../support/shell/record.ts';
import { count, randomSeed } from '../../support/support.ts';

type Judge = typeof judgeScript;

/** Only what can be judged, of which nothing but recorders is started. */
function judgedOnly(scripts: readonly string[], judge: Judge = judgeScript): string[] {
  return scripts.filter((script) => judge(script).unjudged.length === 0);
}

function namesIn(scripts: readonly string[]): string[] {
  return [...new Set(scripts.flatMap((script) => script.match(/[\w.+-]+/g) ?? []))];
}

function differences(scripts: readonly string[], executed: readonly Parameters<typeof unforeseen>[1][], judge: Judge) {
  return scripts.flatMap((script, at) => {
    const seen = executed[at];
    return seen ? unforeseen(judge(script), seen).map((what) => `${JSON.stringify(script)} ${what}`) : [];
  });
}

test('threat 80 blocked: what bash executes of the corpus is what was judged', { timeout: 600_000 }, async (t) => {
  const every = count(1, 3);
  const scripts = judgedOnly(readCorpus().map(({ script }) => script)).filter((_, at) => at % every === 0);
  const executed = await recordScripts(scripts, namesIn(scripts), t);
  if (!executed) return;
  assert.deepEqual(differences(scripts, executed, judgeScript), []);
  const busy = executed.filter(({ started, traced }) => started.length + traced.length > 0).length;
  t.diagnostic(`${scripts.length} scripts, ${busy} of them executed something`);
  assert.ok(busy > 0.9 * scripts.length, `${busy} of ${scripts.length}`);
});

test('random compositions: what bash executes is among what was judged', { timeout: 900_000 }, async (t) => {
  const seed = randomSeed();
  const made = fc.sample(arbitraryScript, { numRuns: count(1000, 100), seed });
  const scripts = judgedOnly(made);
  t.diagnostic(`${scripts.length} of ${made.length} judged, SKILLWRIGHT_SEED=${seed}`);
  assert.ok(scripts.length > 0.3 * made.length, `${scripts.length} of ${made.length}`);
  const executed = await recordScripts(scripts, [...PROGRAMS, ...namesIn(scripts)], t);
  if (executed) assert.deepEqual(differences(scripts, executed, judgeScript), [], `SKILLWRIGHT_SEED=${seed}`);
});

test('threat 80 control: a judge that does not look into substitutions is caught by the trace', async (t) => {
  const { judgeScript: blind } = await changed<typeof import('../../../src/policy/shell/judge.ts')>(
    'src/policy/shell/judge.ts',
    { from: 'if (nested) walkScript(nested, walk);', to: 'if (nested) return;' },
  );
  const scripts = ['echo "$(rm x)"', 'cat <(rm x)', 'wc -l `rm x`'];
  const executed = await recordScripts(scripts, ['rm', 'cat', 'wc'], t);
  if (executed) assert.ok(differences(scripts, executed, blind).length >= scripts.length);
});
